package io.lockkeeper.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A certificate authority of one's own and a certificate that it gave to a server, for chosen host names. Made by the JDK's
 * {@code keytool}, in a folder of the caller's.
 *
 * @param authority the authority's certificate, PEM
 * @param certificate the server's certificate, PEM
 * @param key the server's private key, PEM
 * @param trustStore what clients trust: the authority, PKCS #12, password {@value #PASSWORD}
 */
public record TlsMaterial(Path authority, Path certificate, Path key, Path trustStore) {

    public static final String PASSWORD = "changeit";

    /** Makes both, for a server that is known by these names, such as {@code localhost}. */
    public static TlsMaterial create(Path folder, String... hostNames) {
        Path authorityStore = folder.resolve("authority.p12");
        Path serverStore = folder.resolve("server.p12");
        List<String> names = new ArrayList<>();
        for (String name : hostNames) {
            names.add("dns:" + name);
        }
        try {
            keytool(serverStore, "authority", "-dname", "CN=Test Authority", "-ext", "bc:c");
            keytool(
                    serverStore,
                    "server",
                    "-dname",
                    "CN=" + hostNames[0],
                    "-ext",
                    "san=" + String.join(",", names),
                    "-signer",
                    "authority");
            KeyStore store = load(serverStore);
            Path authority = folder.resolve("authority.pem");
            Path certificate = folder.resolve("server.pem");
            Path key = folder.resolve("server.key");
            pem(authority, "CERTIFICATE", store.getCertificate("authority").getEncoded());
            pem(certificate, "CERTIFICATE", store.getCertificate("server").getEncoded());
            Key secret = store.getKey("server", PASSWORD.toCharArray());
            if (secret == null) {
                throw new IllegalStateException("keytool made no key in " + serverStore);
            }
            pem(key, "PRIVATE KEY", secret.getEncoded());
            trust(store, authorityStore);
            return new TlsMaterial(authority, certificate, key, authorityStore);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A client's context that trusts this authority and no other. */
    public SSLContext clientContext() {
        try {
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(load(trustStore));
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void trust(KeyStore source, Path file) throws IOException, GeneralSecurityException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("authority", source.getCertificate("authority"));
        try (var out = Files.newOutputStream(file)) {
            trusted.store(out, PASSWORD.toCharArray());
        }
    }

    private static KeyStore load(Path file) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD.toCharArray());
        }
        return store;
    }

    private static void pem(Path file, String type, byte[] content) throws IOException {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        Files.writeString(
                file,
                "-----BEGIN " + type + "-----\n" + body + "\n-----END " + type + "-----\n",
                StandardCharsets.US_ASCII);
    }

    private static void keytool(Path store, String alias, String... more) throws IOException {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keystore",
                store.toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-alias",
                alias,
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-validity",
                "30"));
        words.addAll(List.of(more));
        Path log = Files.createTempFile("keytool", ".log");
        try {
            Process keytool = new ProcessBuilder(words)
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            if (!keytool.waitFor(60, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
                throw new IllegalStateException("keytool failed: " + Files.readString(log));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while making a certificate", e);
        } finally {
            Files.deleteIfExists(log);
        }
    }
}
