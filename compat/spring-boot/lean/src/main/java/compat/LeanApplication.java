package compat;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** Takes and releases a lock by {@code lockkeeper.url}, with nothing on the class path that the starter does not bring. */
@SpringBootApplication
public class LeanApplication {

    public static void main(String[] args) {
        SpringApplication.run(LeanApplication.class, args).close();
    }

    @Bean
    ApplicationRunner lockOnce(Lockkeeper keeper) {
        return arguments -> {
            try (ExclusiveHold hold = keeper.lock("boot").acquire()) {
                System.out.println("locked by property, token " + hold.token());
            }
        };
    }
}
