package io.lockkeeper.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A data source through which a test sees every call of JDBC, and lets any of them fail, before or after it was executed.
 *
 * <p>A connection on which a call has failed by the test's will may owe an answer: each later use of it, other than to end it, is
 * recorded as {@linkplain #misused() misuse}.
 */
final class WatchedDataSource extends TestDataSource {

    /** What a test does to a call. */
    interface Fault {
        /**
         * Called before a call, and after it.
         *
         * @param text the statement, for calls that execute one or prepare it; else empty
         */
        void at(When when, String method, String text) throws SQLException;
    }

    /** Whether the call was executed. */
    enum When {
        BEFORE,
        AFTER
    }

    private static final Fault NONE = (when, method, text) -> {};
    private static final Set<String> ENDS = Set.of("close", "abort", "isClosed", "toString", "hashCode", "equals");

    private final DataSource original;
    private final Queue<String> executed = new ConcurrentLinkedQueue<>();
    private final Queue<SQLException> problems = new ConcurrentLinkedQueue<>();
    private final Queue<String> misused = new ConcurrentLinkedQueue<>();
    private final AtomicInteger opened = new AtomicInteger();
    private volatile Fault fault = NONE;

    WatchedDataSource(DataSource original) {
        this.original = original;
    }

    void fault(Fault now) {
        fault = now;
    }

    void heal() {
        fault = NONE;
    }

    /** The statements that were executed since this was called last. */
    List<String> executed() {
        List<String> since = new ArrayList<>();
        for (String text = executed.poll(); text != null; text = executed.poll()) {
            since.add(text);
        }
        return since;
    }

    /** What the database complained of. */
    List<SQLException> problems() {
        return List.copyOf(problems);
    }

    /** How connections were used that might have owed an answer. */
    List<String> misused() {
        return List.copyOf(misused);
    }

    /** How many connections there were. */
    int opened() {
        return opened.get();
    }

    @Override
    public Connection getConnection() throws SQLException {
        fault.at(When.BEFORE, "getConnection", "");
        Connection connection = original.getConnection();
        opened.incrementAndGet();
        return (Connection) watched(Connection.class, connection, "", new Broken());
    }

    /** Whether a call on this connection, or on anything made by it, failed by the test's will. */
    private static final class Broken {
        volatile @Nullable String by;
        volatile boolean aborted;
    }

    private Object watched(Class<?> type, Object target, String text, Broken broken) {
        return Proxy.newProxyInstance(
                WatchedDataSource.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
                    if (method.getDeclaringClass() == Object.class) {
                        return method.getName().equals("equals")
                                ? (Object) (proxy == args[0])
                                : method.invoke(target, args);
                    }
                    return call(target, method, args, text, broken);
                });
    }

    private @Nullable Object call(Object target, Method method, Object @Nullable [] args, String text, Broken broken)
            throws Throwable {
        String name = method.getName();
        String about = args != null && args.length > 0 && args[0] instanceof String sql ? sql : text;
        boolean ends = ENDS.contains(name);
        String by = broken.by;
        if (by != null && !ends) {
            misused.add(name + " after " + by);
        }
        if (target instanceof Connection && name.equals("abort")) {
            broken.aborted = true;
        }
        if (target instanceof Connection && name.equals("close") && by != null && !broken.aborted) {
            misused.add("given back after " + by);
        }
        if (!ends) {
            at(When.BEFORE, name, about, broken);
        }
        if (name.startsWith("execute")) {
            executed.add(about);
        }
        Object result;
        try {
            result = method.invoke(target, args);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof SQLException problem) {
                problems.add(problem);
            }
            throw e.getCause();
        }
        if (!ends) {
            at(When.AFTER, name, about, broken);
        }
        Class<?> type = method.getReturnType();
        boolean wrapped = type == PreparedStatement.class
                || type == Statement.class
                || type == ResultSet.class
                || type == CallableStatement.class;
        return wrapped && result != null ? watched(type, result, about, broken) : result;
    }

    private void at(When when, String method, String text, Broken broken) throws SQLException {
        try {
            fault.at(when, method, text);
        } catch (SQLException | RuntimeException | Error e) {
            broken.by = when + " " + method + " " + text;
            throw e;
        }
    }
}
