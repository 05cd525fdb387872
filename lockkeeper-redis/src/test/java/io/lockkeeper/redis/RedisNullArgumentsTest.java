package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.lockkeeper.ExclusiveHold;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.util.Pool;

/** A null argument of this module's API is refused by the name of its parameter, before anything is connected. */
class RedisNullArgumentsTest {

    private static final ExclusiveHold HOLD = (ExclusiveHold) Proxy.newProxyInstance(
            ExclusiveHold.class.getClassLoader(), new Class<?>[] {ExclusiveHold.class}, (proxy, method, arguments) -> {
                throw new UnsupportedOperationException(method.getName());
            });

    private static Arguments call(String method, String parameter, ThrowingCallable call) {
        return Arguments.of(method, parameter, call);
    }

    static Stream<Arguments> calls() {
        RedisBackend backend = RedisBackend.at("redis://localhost:1");
        return Stream.of(
                call("RedisBackend.at", "url", () -> RedisBackend.at(null)),
                call("RedisBackend.key", "resource", () -> backend.key(null)),
                call(
                        "RedisBackendBuilder.url",
                        "url",
                        () -> RedisBackend.builder().url(null)),
                call(
                        "RedisBackendBuilder.client",
                        "adapter",
                        () -> RedisBackend.builder().client(null)),
                call(
                        "RedisBackendBuilder.credentials",
                        "supplier",
                        () -> RedisBackend.builder().credentials(null)),
                call(
                        "RedisBackendBuilder.sslContext",
                        "context",
                        () -> RedisBackend.builder().sslContext(null)),
                call(
                        "RedisBackendBuilder.prefix",
                        "prefix",
                        () -> RedisBackend.builder().prefix(null)),
                call("RedisCredentials.of", "user", () -> RedisCredentials.of(null, "word")),
                call("RedisCredentials.of", "password", () -> RedisCredentials.of("user", null)),
                call("RedisCredentials.ofPassword", "password", () -> RedisCredentials.ofPassword(null)),
                call("RedisFencing.admit", "what", () -> backend.fencing().admit(null, HOLD)),
                call("RedisFencing.admit", "hold", () -> backend.fencing().admit("what", null)),
                call("RedisFencing.write", "key", () -> backend.fencing().write(null, "value", HOLD)),
                call("RedisFencing.write", "value", () -> backend.fencing().write("key", null, HOLD)),
                call("RedisFencing.write", "hold", () -> backend.fencing().write("key", "value", null)),
                call("JedisAdapter.of", "client", () -> JedisAdapter.of((UnifiedJedis) null)),
                call("JedisAdapter.of", "pool", () -> JedisAdapter.of((Pool<Jedis>) null)));
    }

    @ParameterizedTest(name = "{0}({1})")
    @MethodSource("calls")
    void namesTheParameter(String method, String parameter, ThrowingCallable call) {
        assertThatNullPointerException().isThrownBy(call).withMessage(parameter + " must not be null");
    }

    /** A method that is added later is missed here. */
    @Test
    void noMethodIsLeftOut() {
        Set<String> called = calls().map(call -> (String) call.get()[0]).collect(Collectors.toCollection(TreeSet::new));
        Set<String> declared = new TreeSet<>();
        for (Class<?> type : List.of(
                RedisBackend.class,
                RedisBackendBuilder.class,
                RedisCredentials.class,
                RedisFencing.class,
                JedisAdapter.class,
                RedisClientAdapter.class)) {
            for (Method method : type.getDeclaredMethods()) {
                boolean takesObjects =
                        Arrays.stream(method.getParameterTypes()).anyMatch(parameter -> !parameter.isPrimitive());
                if (Modifier.isPublic(method.getModifiers()) && !method.isSynthetic() && takesObjects) {
                    declared.add(type.getSimpleName() + "." + method.getName());
                }
            }
        }
        // The keeper calls it, not the application.
        declared.remove("RedisBackend.open");
        assertThat(called).isEqualTo(declared);
    }
}
