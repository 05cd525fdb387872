package io.lockkeeper.etcd;

import io.lockkeeper.etcd.client.Address;
import io.lockkeeper.etcd.client.Credentials;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A URL such as {@code etcd://user:password@host1:2379,host2:2379/prefix}.
 *
 * @param prefix null if it names none
 * @param credentials null for none
 */
record EtcdUrl(
        List<Address> servers,
        boolean tls,
        @Nullable String prefix,
        @Nullable Credentials credentials) {

    private static final String EXAMPLE = "'etcd://host1:2379,host2:2379,host3:2379/lockkeeper'";
    private static final Pattern FORM = Pattern.compile("(?i)(etcds?)://(?:(.*)@)?([^/@]*)(/.*)?");
    private static final Pattern SERVER = Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[^:\\[\\]\\s?#%/@]+)(?::([0-9]{1,5}))?");
    private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)*");
    private static final int LARGEST_PORT = 65_535;

    static EtcdUrl parse(String url) {
        Matcher form = FORM.matcher(url);
        if (!form.matches()) {
            throw new IllegalArgumentException("'" + shown(url) + "' is no URL of etcd; use one like " + EXAMPLE);
        }
        List<Address> servers = new ArrayList<>();
        for (String each : form.group(3).split(",", -1)) {
            try {
                servers.add(server(each));
            } catch (IllegalArgumentException malformed) {
                throw new IllegalArgumentException("'" + each + "' in the URL '" + shown(url)
                        + "' is no host with a port; use a URL like " + EXAMPLE);
            }
        }
        String path = form.group(4) == null ? "" : form.group(4).substring(1);
        return new EtcdUrl(
                List.copyOf(servers),
                form.group(1).toLowerCase(Locale.ROOT).equals("etcds"),
                path.isEmpty() ? null : prefix(path),
                credentials(form.group(2), url));
    }

    static Address server(String text) {
        Matcher parts = SERVER.matcher(text);
        if (parts.matches()) {
            String host = parts.group(1);
            int port = parts.group(2) == null ? EtcdPolicy.DEFAULT_PORT : Integer.parseInt(parts.group(2));
            if (port > 0 && port <= LARGEST_PORT) {
                return new Address(host.startsWith("[") ? host.substring(1, host.length() - 1) : host, port);
            }
        }
        throw new IllegalArgumentException(
                "'" + shown(text) + "' is no host with a port; use one like 'localhost:2379'");
    }

    /** A text that can be the prefix of all keys. */
    static String prefix(String text) {
        String prefix = text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
        if (!PREFIX.matcher(prefix).matches()) {
            throw new IllegalArgumentException("'" + text + "' cannot be the prefix of the locks' keys; use letters,"
                    + " digits, '.', '_' and '-', with '/' between, as in 'lockkeeper'");
        }
        return prefix;
    }

    private static @Nullable Credentials credentials(@Nullable String text, String url) {
        if (text == null) {
            return null;
        }
        String[] words = text.split(":", 2);
        if (words.length < 2 || words[0].isEmpty()) {
            throw new IllegalArgumentException("The URL '" + shown(url)
                    + "' names a user without a password; write user:password@ before the host");
        }
        return new Credentials(decoded(words[0], url), decoded(words[1], url));
    }

    private static String decoded(String text, String url) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformed) {
            throw new IllegalArgumentException("The user or password in the URL '" + shown(url)
                    + "' is not percent-encoded; write a percent sign in it as %25");
        }
    }

    /** The URL without a user and password: nothing before the last {@code @} but the scheme, however malformed it is. */
    static String shown(String url) {
        return url.replaceFirst("(?is)^(etcds?:/{0,2})?.*@", "$1");
    }
}
