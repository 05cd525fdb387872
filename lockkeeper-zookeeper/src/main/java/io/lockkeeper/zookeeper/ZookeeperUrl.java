package io.lockkeeper.zookeeper;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A URL such as {@code zk://user:password@host1:2181,host2:2181/root}.
 *
 * @param servers as the client takes them, each with its port
 * @param root the path below which everything is
 * @param credentials user and password with a colon between them; null for none
 */
record ZookeeperUrl(String servers, String root, @Nullable String credentials) {

    private static final String EXAMPLE = "'zk://host1:2181,host2:2181,host3:2181/lockkeeper'";
    private static final Pattern FORM = Pattern.compile("(?i)(?:zk|zookeeper)://(?:(.*)@)?([^/@]*)(/.*)?");
    private static final Pattern SERVER = Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[^:\\[\\]\\s?#%]+)(?::([0-9]{1,5}))?");
    private static final Pattern ROOT = Pattern.compile("(/[A-Za-z0-9_.-]+)+");
    private static final int PORT = 2181;
    private static final int LARGEST_PORT = 65_535;

    static ZookeeperUrl parse(String url) {
        Matcher form = FORM.matcher(url);
        if (!form.matches()) {
            throw new IllegalArgumentException("'" + shown(url) + "' is no URL of ZooKeeper; use one like " + EXAMPLE);
        }
        StringBuilder servers = new StringBuilder();
        for (String server : form.group(2).split(",", -1)) {
            Matcher parts = SERVER.matcher(server);
            if (!parts.matches() || (parts.group(2) != null && !isPort(parts.group(2)))) {
                throw new IllegalArgumentException("'" + server + "' in the URL '" + shown(url)
                        + "' is no host with a port; use a URL like " + EXAMPLE);
            }
            servers.append(servers.length() == 0 ? "" : ",")
                    .append(parts.group(1))
                    .append(':')
                    .append(parts.group(2) == null ? Integer.toString(PORT) : parts.group(2));
        }
        String path = form.group(3) == null || form.group(3).equals("/") ? "" : form.group(3);
        return new ZookeeperUrl(
                servers.toString(),
                path.isEmpty() ? ZookeeperPolicy.DEFAULT_ROOT : root(path),
                credentials(form.group(1), url));
    }

    /** A path that can be a root. */
    static String root(String path) {
        String root = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        boolean dots = (root + "/").contains("/./") || (root + "/").contains("/../");
        if (!ROOT.matcher(root).matches() || dots || root.equals("/zookeeper") || root.startsWith("/zookeeper/")) {
            throw new IllegalArgumentException(
                    "'" + path + "' cannot be the root of the locks; use letters, digits, '.',"
                            + " '_' and '-', as in '/lockkeeper', and not '/zookeeper', which is the server's own");
        }
        return root;
    }

    private static boolean isPort(String text) {
        int port = Integer.parseInt(text);
        return port > 0 && port <= LARGEST_PORT;
    }

    private static @Nullable String credentials(@Nullable String text, String url) {
        if (text == null) {
            return null;
        }
        String[] words = text.split(":", 2);
        if (words.length < 2 || words[0].isEmpty()) {
            throw new IllegalArgumentException("The URL '" + shown(url)
                    + "' names a user without a password; write user:password@ before the host");
        }
        return decoded(words[0]) + ":" + decoded(words[1]);
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    /** The URL without a user and password. */
    static String shown(String url) {
        return url.replaceFirst("//.*@", "//");
    }
}
