package io.lockkeeper.cli.driver;

import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;
import java.util.ServiceLoader;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A driver from a jar that is not on the class path. {@link DriverManager} gives a caller only drivers whose class the caller's
 * class loader knows, and this class is one of those; it passes everything on.
 */
public final class LoadedDriver implements Driver {

    private final Driver driver;

    private LoadedDriver(Driver driver) {
        this.driver = driver;
    }

    /**
     * Registers the drivers of these jars.
     *
     * @return how many there are
     */
    public static int register(List<Path> jars) {
        URL[] places = jars.stream().map(LoadedDriver::url).toArray(URL[]::new);
        // It stays open until the command ends: drivers load classes when they need them.
        ClassLoader loader = new URLClassLoader("drivers", places, ClassLoader.getPlatformClassLoader());
        int count = 0;
        for (Driver driver : ServiceLoader.load(Driver.class, loader)) {
            if (driver.getClass().getClassLoader() == loader) {
                try {
                    DriverManager.registerDriver(new LoadedDriver(driver));
                } catch (SQLException e) {
                    throw new IllegalStateException("The driver " + driver + " could not be registered", e);
                }
                count++;
            }
        }
        return count;
    }

    private static URL url(Path jar) {
        try {
            return jar.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(jar + " is no file", e);
        }
    }

    @Override
    public @Nullable Connection connect(String url, Properties info) throws SQLException {
        return driver.connect(url, info);
    }

    @Override
    public boolean acceptsURL(String url) throws SQLException {
        return driver.acceptsURL(url);
    }

    @Override
    public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) throws SQLException {
        return driver.getPropertyInfo(url, info);
    }

    @Override
    public int getMajorVersion() {
        return driver.getMajorVersion();
    }

    @Override
    public int getMinorVersion() {
        return driver.getMinorVersion();
    }

    @Override
    public boolean jdbcCompliant() {
        return driver.jdbcCompliant();
    }

    @Override
    public Logger getParentLogger() {
        return Logger.getLogger(Logger.GLOBAL_LOGGER_NAME);
    }
}
