package io.lockkeeper.redis.client;

import io.lockkeeper.LockkeeperException;
import io.lockkeeper.StoreUnavailableException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import java.util.Locale;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Turns failures of a server or of the network into one sentence, as a {@link RedisRefusedException} if a person has to change
 * something, and as a {@link StoreUnavailableException} if a retry may help.
 *
 * <p>What a server may get over by itself (loading, a failover, full memory, a disk that it cannot write to) is unavailable; a
 * missing permission, a wrong password or a key of another type stays wrong until a person changes it.
 */
final class RedisErrors {

    private RedisErrors() {}

    /** For a failure while connecting: no request was sent yet. */
    static LockkeeperException opening(Address server, boolean tls, Exception e) {
        if (e instanceof LockkeeperException known) {
            return known;
        }
        if (e instanceof ErrorReplyException refused) {
            return refused(server, refused);
        }
        if (cause(e, SSLException.class) != null) {
            return insecure(server, e);
        }
        if (cause(e, UnknownHostException.class) != null) {
            return temporary("The host '" + server.host() + "' of Redis is not known here; check the name", e);
        }
        if (cause(e, SocketTimeoutException.class) != null) {
            return temporary(
                    "The Redis server " + server + " did not answer in time while connecting to it; check that it runs,"
                            + (tls ? " that it speaks TLS at this port" : "") + " and that no firewall is between",
                    e);
        }
        if (cause(e, ConnectException.class) != null || cause(e, NoRouteToHostException.class) != null) {
            return temporary(
                    "The Redis server " + server + " cannot be reached (" + innermost(e)
                            + "); check that it runs, and its host and port",
                    e);
        }
        if (e instanceof NoReplyException garbage && garbage.isMalformed()) {
            return new RedisRefusedException(
                    "The server " + server
                            + " is not a Redis server, or wants TLS (" + said(e)
                            + "); check the port, or use rediss:// instead of redis://",
                    e);
        }
        return temporary(
                "The Redis server " + server + " closed the connection while it was being opened (" + innermost(e)
                        + "); if it wants TLS, use rediss:// instead of redis://",
                e);
    }

    /** For a failure after a request was sent. */
    static LockkeeperException asking(Object server, RuntimeException e) {
        if (e instanceof LockkeeperException known) {
            return known;
        }
        if (e instanceof ErrorReplyException refused) {
            return refused(server, refused);
        }
        if (cause(e, SocketTimeoutException.class) != null) {
            return temporary(
                    "The Redis server " + server
                            + " did not answer in time; it may be overloaded, hung or cut off, and may have executed the request",
                    e);
        }
        return temporary(
                "The connection to the Redis server " + server + " broke (" + innermost(e)
                        + "); it may have executed the request",
                e);
    }

    private static LockkeeperException insecure(Address server, Exception e) {
        CertificateException certificate = cause(e, CertificateException.class);
        String said = certificate == null ? innermost(e) : String.valueOf(certificate.getMessage());
        String lower = said.toLowerCase(Locale.ROOT);
        if (lower.contains("no name matching") || lower.contains("subject alternative")) {
            return new RedisRefusedException(
                    "The certificate of the Redis server " + server + " is for another name (" + said
                            + "); connect by a name that it is for, or give the server a certificate for '"
                            + server.host() + "'",
                    e);
        }
        if (certificate != null || lower.contains("certification path") || lower.contains("pkix")) {
            return new RedisRefusedException(
                    "The certificate of the Redis server " + server + " is not trusted here (" + said
                            + "); add its authority to the trust store (javax.net.ssl.trustStore), or give an SSLContext that trusts it",
                    e);
        }
        if (lower.contains("unrecognized ssl message") || lower.contains("unsupported or unrecognized")) {
            return new RedisRefusedException(
                    "The Redis server " + server
                            + " does not speak TLS at this port; check the port, or use redis:// instead of rediss://",
                    e);
        }
        if (cause(e, SocketTimeoutException.class) != null) {
            return temporary("The Redis server " + server + " did not answer in time while connecting to it by TLS", e);
        }
        return temporary("The Redis server " + server + " could not be connected to by TLS (" + said + ")", e);
    }

    /** For an error that the server answered. */
    static LockkeeperException refused(Object server, ErrorReplyException e) {
        String said = said(e);
        String first = said.split(" ", 2)[0];
        if (first.equals("NOAUTH")) {
            return mend(server, "wants a password; put it into the URL, like redis://user:password@host", e);
        }
        if (first.equals("WRONGPASS") || said.contains("invalid password")) {
            return mend(server, "does not know this user with this password; check both in the URL or settings", e);
        }
        if (said.contains("without any password configured")) {
            return mend(
                    server, "has no password for its default user, but one was given; leave it out, or name a user", e);
        }
        if (first.equals("NOPERM")
                || said.contains("The user executing the script can't")
                || said.contains("ACL failure in script")) {
            return mend(
                    server,
                    "does not allow its user something (" + said
                            + "); add it to the user's ACL, see docs/redis.md for what is needed",
                    e);
        }
        if (hasWord(said, "WRONGTYPE")) {
            return mend(
                    server,
                    "has a key of another type than expected; delete that key, or use another name or prefix",
                    e);
        }
        if (said.contains("NEWERFORMAT")) {
            return mend(
                    server,
                    "keeps data in a newer format than this version knows; use the newer version of lockkeeper-redis in all processes",
                    e);
        }
        if (said.contains("DB index is out of range") || said.contains("SELECT is not allowed in cluster")) {
            return mend(server, "has no such database (" + said + "); use another number, or none", e);
        }
        if (said.contains("unknown command") || said.contains("Unknown Redis command")) {
            return mend(server, "does not know a command (" + said + "); Redis 6.2 or newer, or Valkey, is needed", e);
        }
        if (first.equals("DENIED")) {
            return mend(
                    server, "is in protected mode and refuses other hosts; give it a password or a bind address", e);
        }
        if (first.equals("LOADING")) {
            return passing(server, "is loading its data; wait until it has done so, see INFO persistence there", e);
        }
        if (hasWord(said, "READONLY")) {
            return passing(server, "is a replica and cannot be written to; connect to its primary", e);
        }
        if (hasWord(said, "MISCONF")) {
            return passing(
                    server, "cannot save to its disk and so takes no writes; free space there, or see its log", e);
        }
        if (hasWord(said, "OOM")) {
            return passing(server, "has no memory left (maxmemory) and so takes no writes; give it more", e);
        }
        if (hasWord(said, "NOREPLICAS")) {
            return passing(
                    server,
                    "has too few replicas (min-replicas-to-write) and so accepts no writes; check its replicas",
                    e);
        }
        if (first.equals("CLUSTERDOWN")) {
            return passing(server, "says that its cluster is down (" + said + "); see CLUSTER INFO there", e);
        }
        if (first.equals("TRYAGAIN") || first.equals("MOVED") || first.equals("ASK")) {
            return passing(server, "is moving the slot of this name to another node; wait until it has done so", e);
        }
        if (first.equals("MASTERDOWN")) {
            return passing(server, "is a replica without its primary; check the primary", e);
        }
        if (first.equals("BUSY")) {
            return passing(server, "is busy with a script that does not end; see SCRIPT KILL", e);
        }
        if (said.contains("max number of clients")) {
            return passing(server, "has too many clients; raise its maxclients, or close some", e);
        }
        return mend(server, "answered '" + said + "'", e);
    }

    /** Whether a replica refused to write. It did nothing then: the first write of a script ends it. */
    static boolean isReadOnly(RuntimeException e) {
        return e instanceof ErrorReplyException && hasWord(said(e), "READONLY");
    }

    /** Also inside: a script's error of Redis 6.2 has the command's own at its end, sometimes with its sign, a minus. */
    private static boolean hasWord(String said, String word) {
        String all = ' ' + said + ' ';
        return all.contains(' ' + word + ' ') || all.contains('-' + word + ' ');
    }

    private static RedisRefusedException mend(Object server, String what, Exception e) {
        return new RedisRefusedException("The Redis server " + server + ' ' + what, e);
    }

    private static StoreUnavailableException passing(Object server, String what, Exception e) {
        return temporary("The Redis server " + server + ' ' + what, e);
    }

    private static StoreUnavailableException temporary(String sentence, Exception e) {
        return new StoreUnavailableException(sentence, e);
    }

    private static <T extends Throwable> @Nullable T cause(Throwable e, Class<T> type) {
        for (Throwable t = e; t != null; t = t.getCause()) {
            if (type.isInstance(t)) {
                return type.cast(t);
            }
        }
        return null;
    }

    private static String innermost(Throwable e) {
        Throwable t = e;
        while (t.getCause() != null) {
            t = t.getCause();
        }
        return said(t);
    }

    private static String said(Throwable e) {
        String said = e.getMessage();
        return said == null ? e.getClass().getSimpleName() : said;
    }
}
