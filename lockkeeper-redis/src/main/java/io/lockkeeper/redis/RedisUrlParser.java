package io.lockkeeper.redis;

import io.lockkeeper.redis.RedisUrl.Kind;
import io.lockkeeper.redis.client.Address;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads a {@link RedisUrl}. What stands before the last {@code @} is never repeated in a message: it may hold a password. */
final class RedisUrlParser {

    private static final Set<String> COMMON = Set.of("prefix", "minReplicas", "pool");
    private static final Map<Kind, Set<String>> SPECIAL = Map.of(
            Kind.SINGLE, Set.of(),
            Kind.SENTINEL, Set.of("tls", "sentinelUser", "sentinelPassword"),
            Kind.CLUSTER, Set.of("tls"),
            Kind.REDLOCK, Set.of("tls", "quorum", "longestLease", "nodeTimeout", "durable", "attempts"));

    private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})(ms|s|m)");
    private static final Pattern NO_HOST = Pattern.compile("[^\\p{L}\\p{N}._:%-]");

    private final Kind kind;
    private final boolean secure;
    private final String rest;

    RedisUrlParser(String url) {
        int colon = url.indexOf("://");
        String scheme = colon < 0 ? "" : url.substring(0, colon).toLowerCase(Locale.ROOT);
        Kind found = null;
        for (Kind candidate : Kind.values()) {
            if (candidate.scheme.equals(scheme) || (candidate == Kind.SINGLE && scheme.equals("rediss"))) {
                found = candidate;
            }
        }
        if (found == null) {
            throw new IllegalArgumentException("A URL of Redis begins with redis://, rediss://, redis-sentinel://,"
                    + " redis-cluster:// or redlock://, like 'redis://localhost:6379'; this one does not");
        }
        this.kind = found;
        this.secure = scheme.equals("rediss");
        this.rest = url.substring(colon + 3);
    }

    RedisUrl parse() {
        int query = rest.indexOf('?');
        String place = query < 0 ? rest : rest.substring(0, query);
        int slash = place.indexOf('/');
        String authority = slash < 0 ? place : place.substring(0, slash);
        String path = slash < 0 ? "" : place.substring(slash + 1);
        if (path.indexOf('@') >= 0 || (authority.indexOf('@') < 0 && query >= 0 && rest.indexOf('@', query) >= 0)) {
            throw malformed("user or password has characters that a URL gives another meaning;"
                    + " write '/' as %2F, '?' as %3F, '@' as %40, ':' as %3A");
        }
        int at = authority.lastIndexOf('@');
        String login = at < 0 ? "" : authority.substring(0, at);
        int colon = login.indexOf(':');
        String user = decode("user", colon < 0 ? login : login.substring(0, colon));
        String password = colon < 0 ? null : decode("password", login.substring(colon + 1));

        Map<String, String> options = options(query < 0 ? "" : rest.substring(query + 1));
        List<String> steps = steps(path);
        String master = kind == Kind.SENTINEL ? decode("master", steps.remove(0)) : "";
        return new RedisUrl(
                kind,
                hosts(authority.substring(at + 1)),
                user.isEmpty() ? null : user,
                password,
                master,
                database(steps),
                secure || flag(options, "tls"),
                options.get("prefix"),
                number(options, "minReplicas", 0, 0),
                number(options, "pool", 1, RedisUrl.USUAL_POOL),
                options.get("sentinelUser"),
                options.get("sentinelPassword"),
                number(options, "quorum", 1, 0),
                duration(options, "longestLease"),
                duration(options, "nodeTimeout"),
                flag(options, "durable"),
                number(options, "attempts", 1, 0));
    }

    private List<String> steps(String path) {
        List<String> steps = new ArrayList<>();
        for (String step : path.split("/", -1)) {
            steps.add(step);
        }
        if (steps.get(steps.size() - 1).isEmpty()) {
            steps.remove(steps.size() - 1);
        }
        if (kind == Kind.SENTINEL && (steps.isEmpty() || steps.get(0).isEmpty())) {
            throw malformed("path lacks the name of the master that the sentinels watch");
        }
        return steps;
    }

    private int database(List<String> steps) {
        if (steps.isEmpty()) {
            return 0;
        }
        String number = steps.get(0);
        if (steps.size() > 1 || !number.matches("[0-9]{1,9}")) {
            throw malformed("path '" + String.join("/", steps) + "' is no number of a database");
        }
        if (kind == Kind.CLUSTER && Integer.parseInt(number) != 0) {
            throw malformed("path names database " + number + ", but a cluster has only database 0");
        }
        return Integer.parseInt(number);
    }

    private List<Address> hosts(String text) {
        List<Address> hosts = new ArrayList<>();
        Set<Address> known = new HashSet<>();
        for (String one : text.split(",", -1)) {
            Address host = host(one);
            if (!known.add(host)) {
                throw malformed("host " + host.urlText() + " is there twice");
            }
            hosts.add(host);
        }
        if (kind == Kind.SINGLE && hosts.size() > 1) {
            throw malformed("host part names several servers, and redis:// is for one;"
                    + " use redis-sentinel://, redis-cluster:// or redlock://");
        }
        return hosts;
    }

    private Address host(String text) {
        String host;
        String port;
        if (text.startsWith("[")) {
            int end = text.indexOf(']');
            if (end < 0 || (end + 1 < text.length() && text.charAt(end + 1) != ':')) {
                throw malformed("host is no IPv6 address in brackets");
            }
            host = text.substring(1, end);
            port = text.substring(end + 1);
        } else {
            int colon = text.indexOf(':');
            if (colon >= 0 && text.indexOf(':', colon + 1) >= 0) {
                throw malformed("host part has too many colons; write an IPv6 address in brackets");
            }
            host = colon < 0 ? text : text.substring(0, colon);
            port = colon < 0 ? "" : text.substring(colon);
        }
        if (host.isBlank()) {
            throw malformed("host is empty");
        }
        Matcher strange = NO_HOST.matcher(host);
        if (strange.find()) {
            throw malformed("host has a '" + strange.group() + "', which no host has");
        }
        return new Address(host, port.isEmpty() ? kind.port : port(port.substring(1)));
    }

    private int port(String text) {
        int port = text.matches("[0-9]{1,5}") ? Integer.parseInt(text) : 0;
        if (port < 1 || port > 65535) {
            // What is no number may be a password whose host was forgotten.
            String what = text.matches("[0-9]+") ? "port " + text : "port";
            throw malformed(what + " is not a number from 1 to 65535");
        }
        return port;
    }

    private Map<String, String> options(String query) {
        Map<String, String> options = new LinkedHashMap<>();
        TreeSet<String> known = new TreeSet<>(COMMON);
        known.addAll(SPECIAL.getOrDefault(kind, Set.of()));
        for (String part : query.isEmpty() ? new String[0] : query.split("&")) {
            int equals = part.indexOf('=');
            String name = equals < 0 ? part : part.substring(0, equals);
            if (!known.contains(name)) {
                throw malformed("option '" + name + "' is not known; there are " + String.join(", ", known));
            }
            String value = equals < 0 ? "" : decode("option " + name, part.substring(equals + 1));
            if (options.put(name, value) != null) {
                throw malformed("option '" + name + "' is there twice");
            }
        }
        return options;
    }

    private boolean flag(Map<String, String> options, String name) {
        return switch (options.getOrDefault(name, "false")) {
            case "true" -> true;
            case "false" -> false;
            default ->
                throw malformed("option '" + name + "' is '" + options.get(name) + "' and must be true or false");
        };
    }

    private int number(Map<String, String> options, String name, int least, int usual) {
        @Nullable String text = options.get(name);
        if (text == null) {
            return usual;
        }
        int number = text.matches("[0-9]{1,6}") ? Integer.parseInt(text) : -1;
        if (number < least) {
            throw malformed("option '" + name + "' is '" + text + "' and must be a number from " + least);
        }
        return number;
    }

    private @Nullable Duration duration(Map<String, String> options, String name) {
        String text = options.get(name);
        if (text == null) {
            return null;
        }
        Matcher parts = DURATION.matcher(text);
        if (!parts.matches()) {
            throw malformed("option '" + name + "' is '" + text + "' and must be a time like 50ms, 60s or 10m");
        }
        long number = Long.parseLong(parts.group(1));
        return switch (parts.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            default -> Duration.ofMinutes(number);
        };
    }

    private String decode(String part, String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw malformed(part + " has a '%' that two hexadecimal digits do not follow; write a percent sign as %25");
        }
    }

    private IllegalArgumentException malformed(String what) {
        return new IllegalArgumentException("The URL's " + what + "; write it like '" + kind.example + "'");
    }
}
