package io.lockkeeper.testkit.sql;

import java.sql.Connection;
import java.util.stream.Collectors;

/** Starts a server as a test class does, stops it, tells its folder and its processes, and stays. */
final class ServerProgram {

    private ServerProgram() {}

    public static void main(String[] args) throws Exception {
        SqlServerCases<?> cases = (SqlServerCases<?>)
                Class.forName(args[0]).getDeclaredConstructor().newInstance();
        cases.startServer();
        try (Connection connection = cases.server.admin().connect()) {
            cases.server.pause();
            System.out.println(cases.folder() + " "
                    + cases.server.pids().stream().map(String::valueOf).collect(Collectors.joining(" ")));
            System.exit(System.in.read());
        }
    }
}
