package compat;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.integration.support.locks.LockRegistry;

/** Locks in its own database and in Redis by a URL, leads by a lock registry, and asks Actuator what it knows of that. */
@SpringBootApplication
public class StarterApplication {

    public static void main(String[] args) {
        SpringApplication.run(StarterApplication.class, args).close();
    }

    @Bean
    ApplicationRunner locks(Lockkeeper keeper, @Qualifier("redis") Lockkeeper redis) {
        return arguments -> {
            try (ExclusiveHold hold = keeper.lock("boot").acquire()) {
                say("locked in the DataSource", hold.token());
            }
            try (ExclusiveHold hold = redis.lock("boot").acquire()) {
                say("locked by URL", hold.token());
            }
        };
    }

    @Bean
    ApplicationRunner asks(Lockkeeper keeper, Environment environment) {
        return arguments -> {
            try (ExclusiveHold hold = keeper.lock("asked").acquire()) {
                require(read(environment, "locks"), "\"asked\"", String.valueOf(hold.token()), "StarterApplication");
                require(read(environment, "locks?store=true"), "\"asked\"", "\"store\"");
                say("seen at /actuator/locks", hold.token());
                require(read(environment, "health"), "\"lockkeeper\"", "REACHABLE");
                say("seen at /actuator/health", hold.token());
                require(read(environment, "metrics/lockkeeper.acquire"), "COUNT");
                say("seen at /actuator/metrics", hold.token());
            }
        };
    }

    @Bean
    @SuppressWarnings("rawtypes")
    ApplicationRunner leads(LockRegistry registry, @Qualifier("lockkeeper") Lockkeeper keeper) {
        return arguments -> {
            LockRegistryLeaderInitiator initiator =
                    new LockRegistryLeaderInitiator(registry, new DefaultCandidate("me", "boss"));
            initiator.start();
            while (!initiator.getContext().isLeader()) {
                Thread.sleep(10);
            }
            long token = keeper.inspect("registry/boss").orElseThrow().grants().get(0).token();
            initiator.stop();
            say("leads by the registry", token);
        };
    }

    private static String read(Environment environment, String path) throws IOException, InterruptedException {
        URI uri = URI.create(
                "http://127.0.0.1:" + environment.getProperty("local.server.port") + "/actuator/" + path);
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private static void require(String body, String... parts) {
        for (String part : parts) {
            if (!body.contains(part)) {
                throw new IllegalStateException(part + " is missing in " + body);
            }
        }
    }

    static void say(String what, long token) {
        System.out.println(what + ", token " + token);
    }
}
