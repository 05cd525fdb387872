package io.lockkeeper.jdbc;

import io.lockkeeper.testkit.sql.SqlDatabase;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/** Another process that uses an idiom with four threads; it reports how often it succeeded. */
final class IdiomProgram {

    static final int THREADS = 4;

    private IdiomProgram() {}

    public static void main(String[] args) throws Exception {
        SqlDatabase database = new SqlDatabase(args[0], args[1], args[2]);
        IdiomJobs.Job job = IdiomJobs.named(args[3]);
        int rounds = Integer.parseInt(args[5]);
        int process = Integer.parseInt(args[6]);
        System.out.println("ready");
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
        long done = 0;
        for (long one :
                Crowd.threads(THREADS, thread -> job.run(database, args[4], process * THREADS + thread, rounds))) {
            done += one;
        }
        System.out.println(done);
    }
}
