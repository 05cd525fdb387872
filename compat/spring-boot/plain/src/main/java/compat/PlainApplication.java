package compat;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** Takes and releases a lock by the URL of a server, with nothing but lockkeeper-redis. */
@SpringBootApplication
public class PlainApplication {

    public static void main(String[] args) {
        SpringApplication.run(PlainApplication.class, args).close();
    }

    @Bean
    Lockkeeper keeper(@Value("${redis.url}") String url) {
        return Lockkeeper.connect(url);
    }

    @Bean
    CommandLineRunner lockOnce(Lockkeeper keeper) {
        return args -> {
            try (ExclusiveHold hold = keeper.lock("boot").acquire()) {
                hold.ensureHeld();
                System.out.println("locked by URL, token " + hold.token());
            }
        };
    }
}
