package compat;

import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.redis.JedisAdapter;
import io.lockkeeper.redis.RedisBackend;
import io.lockkeeper.redis.RedisClientAdapter;
import java.net.URI;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.data.redis.core.StringRedisTemplate;
import redis.clients.jedis.JedisPool;
import redis.clients.jedis.JedisPooled;

/**
 * Uses Redis through Spring Data and Jedis, and takes a lock in four ways: in the Redis of Spring Data, by the URL of the server, and
 * through Jedis clients of its own.
 */
@SpringBootApplication
public class JedisApplication {

    public static void main(String[] args) {
        SpringApplication.run(JedisApplication.class, args).close();
    }

    @Bean
    CommandLineRunner usesRedis(StringRedisTemplate template) {
        return args -> {
            template.opsForValue().set("boot", "there");
            System.out.println("Spring Data reads " + template.opsForValue().get("boot"));
        };
    }

    @Bean
    CommandLineRunner locksInItsRedis(Lockkeeper keeper) {
        return args -> lockOnce(keeper, "in the Redis of Spring Data");
    }

    @Bean
    CommandLineRunner locksByUrl(@Value("${spring.data.redis.url}") String url) {
        return args -> {
            try (Lockkeeper keeper = Lockkeeper.connect(url)) {
                lockOnce(keeper, "by URL");
            }
        };
    }

    @Bean
    CommandLineRunner locksThroughItsOwnClient(@Value("${spring.data.redis.url}") URI url) {
        return args -> {
            try (JedisPooled client = new JedisPooled(url)) {
                lockOnce(JedisAdapter.of(client), "through JedisPooled");
            }
        };
    }

    @Bean
    CommandLineRunner locksThroughItsOwnPool(@Value("${spring.data.redis.url}") URI url) {
        return args -> {
            try (JedisPool pool = new JedisPool(url)) {
                lockOnce(JedisAdapter.of(pool), "through JedisPool");
            }
        };
    }

    private static void lockOnce(RedisClientAdapter client, String how) throws InterruptedException {
        try (RedisBackend backend = RedisBackend.builder().client(client).build();
                Lockkeeper keeper = Lockkeeper.of(backend)) {
            lockOnce(keeper, how);
        }
    }

    private static void lockOnce(Lockkeeper keeper, String how) throws InterruptedException {
        try (ExclusiveHold hold = keeper.lock("boot").acquire()) {
            hold.ensureHeld();
            System.out.println("locked " + how + ", token " + hold.token());
        }
    }
}
