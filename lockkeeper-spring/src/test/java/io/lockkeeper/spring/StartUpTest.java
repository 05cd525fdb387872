package io.lockkeeper.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Publisher;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ReactiveTypeDescriptor;
import org.springframework.scheduling.annotation.Async;
import reactor.core.publisher.Mono;

/** What cannot work is refused when the application starts, in one sentence. */
class StartUpTest {

    @Configuration
    @EnableLockkeeper(proxyTargetClass = true)
    static class Config {}

    static class NoName {
        @Locked
        public void call() {}
    }

    static class NameAndResolver {
        @Locked(name = "a", resolver = "b")
        public void call() {}
    }

    static class BadSpel {
        @Locked("order:#{#order.}")
        public void call(String order) {}
    }

    static class OpenSpel {
        @Locked("order:#{#order")
        public void call(String order) {}
    }

    static class UnknownVariable {
        @Locked("order:#{#oder}")
        public void call(String order) {}
    }

    static class PrivateMethod {
        @Locked("a")
        private void call() {}
    }

    static class StaticMethod {
        @Locked("a")
        static void call() {}
    }

    static class FinalMethod {
        @Locked("a")
        public final void call() {}
    }

    static class BadTime {
        @Locked(name = "a", waitFor = "3")
        public void call() {}
    }

    static class TwoLeases {
        @Locked(name = "a", lease = "3s", fixedLease = "3s")
        public void call() {}
    }

    static class SkippedInt {
        @Locked(name = "a", whenBusy = WhenBusy.SKIP)
        public int call() {
            return 1;
        }
    }

    static class NoFallback {
        @Locked(name = "a", whenBusy = WhenBusy.FALLBACK, fallback = "missing")
        public void call() {}
    }

    static class WrongFallback {
        @Locked(name = "a", whenBusy = WhenBusy.FALLBACK, fallback = "other")
        public String call() {
            return "";
        }

        Integer other() {
            return 1;
        }
    }

    static class UnusedFallback {
        @Locked(name = "a", fallback = "other")
        public void call() {}

        void other() {}
    }

    static class FencedReader {
        @Locked(name = "a", kind = LockKind.READ, fence = "data")
        public void call() {}
    }

    static class NoPermits {
        @Limited(name = "a", permits = 0)
        public void call() {}
    }

    static class AsyncVoid {
        @Async
        @Locked("a")
        public void call() {}
    }

    static class OtherPublisher {
        @Locked("a")
        public Publisher<String> call() {
            return null;
        }
    }

    static class FlowPublisher {
        @Locked("a")
        public Flow.Publisher<String> call() {
            return null;
        }
    }

    @Test
    void aNameIsRequired() {
        refused(NoName.class, "NoName.call", "has no name");
        refused(NameAndResolver.class, "has a name and a resolver");
    }

    @Test
    void expressionsAreParsedAndTheirVariablesAreChecked() {
        refused(BadSpel.class, "BadSpel.call", "is not SpEL");
        refused(OpenSpel.class, "OpenSpel.call", "is not SpEL");
        refused(UnknownVariable.class, "uses #oder", "the parameters are #order");
    }

    @Test
    void methodsThatAProxyCannotInterceptAreRefused() {
        refused(PrivateMethod.class, "the private method PrivateMethod.call");
        refused(StaticMethod.class, "the static method StaticMethod.call");
        refused(FinalMethod.class, "the final method FinalMethod.call");
    }

    @Test
    void attributesThatContradictEachOtherAreRefused() {
        refused(BadTime.class, "waitFor = \"3\" is not a duration", "3s");
        refused(TwoLeases.class, "a lease and a fixedLease");
        refused(SkippedInt.class, "returns int", "Optional");
        refused(NoFallback.class, "The fallback \"missing\" of NoFallback.call");
        refused(WrongFallback.class, "returns Integer; it must return String");
        refused(UnusedFallback.class, "a fallback but another whenBusy");
        refused(FencedReader.class, "fences a read lock");
        refused(NoPermits.class, "permits = 0");
    }

    @Test
    void anAsynchronousVoidMethodIsRefusedWithTheReason() {
        refused(AsyncVoid.class, "@Async void AsyncVoid.call", "nobody would notice", "CompletableFuture");
    }

    @Test
    void publishersWhoseEndIsNotKnownAreRefused() {
        refused(OtherPublisher.class, "OtherPublisher.call returns org.reactivestreams.Publisher");
        refused(FlowPublisher.class, "FlowPublisher.call returns java.util.concurrent.Flow$Publisher");
    }

    abstract static class OwnPublisher implements Flow.Publisher<String> {}

    abstract static class DerivedPublisher extends OwnPublisher {}

    static class Derived {
        @Locked("a")
        public DerivedPublisher call() {
            return null;
        }
    }

    static class PlainFuture {
        @Locked("a")
        public Future<String> call() {
            return null;
        }
    }

    static class AsyncFuture {
        @Async
        @Locked("a")
        public Future<String> call() {
            return null;
        }
    }

    /** As RxJava has one, which is no publisher. */
    record Single(String value) {}

    static class OfAnotherLibrary {
        @Locked("a")
        public Single call() {
            return null;
        }
    }

    @Test
    void otherResultsWhoseEndIsNotKnownAreRefused() {
        refused(Derived.class, "Derived.call returns", "DerivedPublisher, whose end is not known");
        refused(PlainFuture.class, "PlainFuture.call returns java.util.concurrent.Future, whose end is not known");
        ReactiveAdapterRegistry.getSharedInstance()
                .registerReactiveType(
                        ReactiveTypeDescriptor.singleOptionalValue(Single.class, () -> new Single("")),
                        single -> Mono.just(((Single) single).value()),
                        publisher -> new Single(""));
        refused(OfAnotherLibrary.class, "OfAnotherLibrary.call returns", "Single, whose end is not known");
        App.of(Config.class, AsyncFuture.class).close();
    }

    static class Fine {
        @Locked("a")
        public void call() {}
    }

    /** Makes another bean before there are proxies. */
    static class TooEarly implements BeanPostProcessor, PriorityOrdered, BeanFactoryAware {
        @Override
        public int getOrder() {
            return 0;
        }

        @Override
        public void setBeanFactory(BeanFactory factory) {
            factory.getBean(Fine.class);
        }
    }

    @Test
    void aBeanThatWasMadeBeforeThereWereProxiesIsRefused() {
        assertThatThrownBy(
                        () -> App.of(Config.class, TooEarly.class, Fine.class).close())
                .hasMessageContainingAll("has @Locked methods but no proxy for them", "static @Bean");
    }

    /** Makes a proxy that takes no locks. */
    static class OtherProxies implements BeanPostProcessor, PriorityOrdered {
        @Override
        public int getOrder() {
            return 0;
        }

        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            if (!(bean instanceof Fine)) {
                return bean;
            }
            ProxyFactory proxy = new ProxyFactory(bean);
            proxy.setProxyTargetClass(true);
            proxy.addAdvice((MethodInterceptor) MethodInvocation::proceed);
            return proxy.getProxy();
        }
    }

    /** After the other proxies, but before those that take locks. */
    static class StillTooEarly implements BeanPostProcessor, Ordered, BeanFactoryAware {
        @Override
        public int getOrder() {
            return 0;
        }

        @Override
        public void setBeanFactory(BeanFactory factory) {
            factory.getBean(Fine.class);
        }
    }

    @Test
    void aBeanWithAnotherProxyThanThatOfLocksIsRefused() {
        assertThatThrownBy(() -> App.of(Config.class, OtherProxies.class, StillTooEarly.class, Fine.class)
                        .close())
                .hasMessageContainingAll("has @Locked methods but no proxy for them", "static @Bean");
        App.of(Config.class, OtherProxies.class, Fine.class).close();
    }

    static class PrivateLeader {
        @LeaderOnly
        private void call() {}
    }

    static class FinalLeader {
        @LeaderOnly
        public final void call() {}
    }

    static class IntLeader {
        @LeaderOnly
        public int call() {
            return 1;
        }
    }

    static class FallbackLeader {
        @LeaderOnly(otherwise = WhenBusy.FALLBACK)
        public void call() {}
    }

    /** Makes a leader's bean before there are proxies. */
    static class TooEarlyLeader implements BeanPostProcessor, PriorityOrdered, BeanFactoryAware {
        @Override
        public int getOrder() {
            return 0;
        }

        @Override
        public void setBeanFactory(BeanFactory factory) {
            factory.getBean(FineLeader.class);
        }
    }

    static class FineLeader {
        @LeaderOnly
        public void call() {}
    }

    @Test
    void methodsForTheLeaderAreCheckedToo() {
        refused(PrivateLeader.class, "@LeaderOnly on the private method PrivateLeader.call");
        refused(FinalLeader.class, "@LeaderOnly on the final method FinalLeader.call");
        refused(IntLeader.class, "IntLeader.call returns int", "use THROW");
        refused(FallbackLeader.class, "FallbackLeader.call has otherwise = FALLBACK");
        assertThatThrownBy(() -> App.of(Config.class, TooEarlyLeader.class, FineLeader.class)
                        .close())
                .hasMessageContaining("has @LeaderOnly methods but no proxy for them");
    }

    static class SelfCaller {
        SelfCaller self;

        public void outer() {
            inner();
        }

        public Runnable later() {
            return this::inner;
        }

        public void throughProxy() {
            self.inner();
        }

        @Locked("a")
        public void inner() {}
    }

    @Test
    void callsOfAnObjectToItselfAreReported() {
        try (Logged logged = new Logged();
                App app = App.of(Config.class, SelfCaller.class)) {
            assertThat(logged.with("calls its own @Locked method inner"))
                    .hasSize(2)
                    .anyMatch(text -> text.startsWith("SelfCaller.outer"))
                    .anyMatch(text -> text.startsWith("SelfCaller.later"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "500ms", "3s", "2m", "1h", "1d", "PT3S", " 3 s "})
    void durationsAreReadAsPeopleWriteThem(String text) {
        assertThat(TimeText.parse(text, "waitFor")).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "3", "-3s", "PT-3S", "3 parsecs", "s"})
    void otherTextsAreNoDurations(String text) {
        assertThatThrownBy(() -> TimeText.parse(text, "waitFor")).hasMessageContaining("is not a duration");
    }

    private static void refused(Class<?> type, String... parts) {
        Throwable thrown = catchThrowable(() -> App.of(Config.class, type).close());
        assertThat(thrown).isNotNull();
        StringBuilder all = new StringBuilder();
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            all.append(cause.getMessage()).append('\n');
        }
        assertThat(all.toString()).contains(parts);
    }
}
