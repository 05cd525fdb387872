package io.lockkeeper.jdbc;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A {@code jdbc:} URL of a driver, in which settings of Lockkeeper may stand beside the driver's own: {@code
 * lockkeeper.createTables}, {@code lockkeeper.mode}, {@code lockkeeper.schema} and {@code lockkeeper.tablePrefix}. The driver does not see them.
 */
final class JdbcUrl {

    private static final Pattern SETTING = Pattern.compile("([?&;])lockkeeper\\.([A-Za-z]+)=([^&;]*)");
    private static final Set<String> SETTINGS = Set.of("createTables", "mode", "schema", "tablePrefix");
    private static final String EXAMPLE = "'jdbc:postgresql://localhost/app?user=app'";

    private final String driverUrl;
    private final Map<String, String> settings = new LinkedHashMap<>();

    private JdbcUrl(String url) {
        String rest = url;
        for (Matcher found = SETTING.matcher(rest); found.find(); found = SETTING.matcher(rest)) {
            settings.put(found.group(2), found.group(3));
            String after = rest.substring(found.end());
            boolean first = found.group(1).equals("?");
            // What follows the first parameter becomes the first one.
            rest = rest.substring(0, found.start())
                    + (first && after.startsWith("&") ? "?" + after.substring(1) : after);
        }
        driverUrl = rest;
    }

    static JdbcUrl parse(String url) {
        if (!url.regionMatches(true, 0, "jdbc:", 0, 5) || url.length() == 5) {
            throw new IllegalArgumentException("'" + shown(url) + "' is no URL of a database; use one like " + EXAMPLE);
        }
        JdbcUrl parsed = new JdbcUrl(url);
        for (String name : parsed.settings.keySet()) {
            if (!SETTINGS.contains(name)) {
                throw new IllegalArgumentException("The URL has the setting 'lockkeeper." + name
                        + "', which does not exist; there are lockkeeper.createTables, lockkeeper.mode, lockkeeper.schema"
                        + " and lockkeeper.tablePrefix");
            }
        }
        String mode = parsed.setting("mode");
        if (mode != null && !mode.equals("session") && !mode.equals("table")) {
            throw new IllegalArgumentException("The URL has lockkeeper.mode=" + mode
                    + ", which does not exist; there are 'table', the default, and 'session'");
        }
        return parsed;
    }

    /** Whether locks are to be those of a session, and not rows of a table. */
    boolean isSessionMode() {
        return "session".equals(setting("mode"));
    }

    /** The URL as its driver knows it. */
    String forDriver() {
        return driverUrl;
    }

    @Nullable
    String setting(String name) {
        return settings.get(name);
    }

    /** Whether missing tables are to be made; the default if the URL does not say it. */
    boolean createTables(boolean otherwise) {
        String setting = settings.get("createTables");
        return setting == null ? otherwise : setting.equalsIgnoreCase("true");
    }

    String shown() {
        return shown(driverUrl);
    }

    /** A URL without parameters, user and password. */
    static String shown(@Nullable String url) {
        if (url == null) {
            return "jdbc: (a DataSource)";
        }
        // A password may have an @ or a slash that should have been encoded: what stands before the last @ is not
        // shown.
        String shown = url.replaceFirst("[?;].*", "");
        return shown.replaceFirst("//.*@", "//");
    }
}
