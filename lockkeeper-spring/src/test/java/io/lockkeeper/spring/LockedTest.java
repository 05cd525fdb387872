package io.lockkeeper.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.ExclusiveHold;
import io.lockkeeper.LockLostException;
import io.lockkeeper.LockTimeoutException;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperException;
import io.lockkeeper.MultiHold;
import io.lockkeeper.Permit;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.SpringVersion;
import org.springframework.core.annotation.AliasFor;

/** What {@link Locked} and {@link Limited} do to a call. */
class LockedTest {

    record Order(String id, int total) {}

    @Configuration
    @EnableLockkeeper
    static class Config {
        @Bean
        LockNameResolver tenants() {
            return (target, method, arguments) -> List.of("tenant:" + arguments[0]);
        }

        @Bean
        String region() {
            return "eu";
        }
    }

    @Retention(RetentionPolicy.RUNTIME)
    @Locked(whenBusy = WhenBusy.SKIP)
    @interface OrderLock {
        @AliasFor(annotation = Locked.class, attribute = "name")
        String[] value();
    }

    static class Shop {
        final AtomicInteger calls = new AtomicInteger();

        @Autowired
        Lockkeeper keeper;

        int count() {
            return calls.get();
        }

        @Locked("order:#{#order.id}")
        public String pay(Order order, Supplier<String> body) {
            calls.incrementAndGet();
            return body.get();
        }

        @Locked(name = "order:#{#order.id}", waitFor = "0")
        public String payNow(Order order) {
            return "paid";
        }

        @Locked(name = "order:#{#order.id}", waitFor = "${wait}", lease = "${lease:}", fixedLease = "2s")
        public String payByProperties(Order order, ExclusiveHold hold) {
            return hold.remaining().compareTo(Duration.ofSeconds(2)) <= 0 ? "short" : "long";
        }

        @Locked({"order:#{#order.id}", "region:#{@region}"})
        public boolean both(Order order) {
            return keeper.lock("order:1").isHeldByCurrentThread()
                    && keeper.lock("region:eu").isHeldByCurrentThread();
        }

        @Locked("#{#ids.![ 'order:' + #this ]}")
        public List<String> all(List<String> ids) {
            return ids.stream()
                    .filter(id -> keeper.lock("order:" + id).isLocked())
                    .toList();
        }

        @Locked("#{#ids}")
        public int numbers(int[] ids) {
            return Holds.current(MultiHold.class).holds().size();
        }

        @Locked("file:#{#file}")
        public void byText(Object file) {
            calls.incrementAndGet();
        }

        @Locked(resolver = "tenants")
        public boolean byResolver(String tenant) {
            return keeper.lock("tenant:" + tenant).isHeldByCurrentThread();
        }

        @Locked(name = "order:#{#order.id}", waitFor = "0", condition = "#order.total > 100")
        public String large(Order order) {
            return "done";
        }

        @Locked(name = "order:#{#order.id}", whenBusy = WhenBusy.SKIP)
        public Optional<String> skip(Order order) {
            return Optional.of("done");
        }

        @Locked(name = "order:#{#order.id}", whenBusy = WhenBusy.SKIP)
        public void skipVoid(Order order) {
            calls.incrementAndGet();
        }

        @OrderLock("order:#{#order.id}")
        public String byMeta(Order order) {
            return "done";
        }

        @Locked(name = "order:#{#order.id}", whenBusy = WhenBusy.FALLBACK, fallback = "instead")
        public String withFallback(Order order) {
            return "done";
        }

        private String instead(Order order, LockTimeoutException busy) {
            return order.id() + " instead of "
                    + busy.state().orElseThrow().grants().size();
        }

        @Locked("a")
        @Locked("b")
        public List<Boolean> twice() {
            return List.of(
                    keeper.lock("a").isHeldByCurrentThread(), keeper.lock("b").isHeldByCurrentThread());
        }

        @Locked(name = "doc", kind = LockKind.READ)
        public void read(Runnable body) {
            body.run();
        }

        @Locked(name = "doc", kind = LockKind.WRITE, waitFor = "0")
        public void write(Runnable body) {
            body.run();
        }

        @Locked(name = "queue", kind = LockKind.FAIR)
        public boolean fair() {
            return keeper.fairLock("queue").isHeldByCurrentThread();
        }

        @Locked(name = "job", atLeast = "400ms", waitFor = "0")
        public void job() {}

        @Locked(name = "lost", onLost = OnLost.THROW)
        public String lostThrow(Runnable body) {
            body.run();
            return "done";
        }

        @Locked(name = "lost", onLost = OnLost.REPORT)
        public String lostReport(Runnable body) {
            body.run();
            return "done";
        }

        @Locked(name = "lost", onLost = OnLost.INTERRUPT)
        public String lostInterrupt(CountDownLatch never) throws InterruptedException {
            never.await();
            return "done";
        }

        @Limited(name = "mail", permits = 2, waitFor = "0")
        public void mail(Runnable body, Permit permit) {
            assertThat(permit.permits()).isEqualTo(1);
            body.run();
        }
    }

    @Locked("class:#{#root.method.name}")
    static class WholeClass {
        @Autowired
        Lockkeeper keeper;

        public boolean first() {
            return keeper.lock("class:first").isHeldByCurrentThread();
        }

        @Locked("own")
        public boolean second() {
            return keeper.lock("own").isHeldByCurrentThread()
                    && !keeper.lock("class:second").isHeldByCurrentThread();
        }
    }

    static class Subclass extends WholeClass {
        public boolean third() {
            return keeper.lock("class:third").isHeldByCurrentThread();
        }
    }

    interface Port {
        @Locked("port")
        boolean enter();
    }

    static class Adapter implements Port {
        @Autowired
        Lockkeeper keeper;

        @Override
        public boolean enter() {
            return keeper.lock("port").isHeldByCurrentThread();
        }
    }

    private static final Order ORDER = new Order("1", 50);

    private final App app = App.of(
            Map.of("wait", "0"),
            context -> {},
            Config.class,
            Shop.class,
            WholeClass.class,
            Subclass.class,
            Adapter.class);
    private final Shop shop = app.get(Shop.class);

    @AfterEach
    void close() {
        app.close();
    }

    @Test
    void theSpringIsTheOneThatWasAskedFor() {
        assertThat(SpringVersion.getVersion()).startsWith(System.getProperty("spring.major", "6.2"));
    }

    @Test
    void theMethodRunsUnderItsLockWhichIsFreeAfterIt() {
        assertThat(shop.pay(ORDER, () -> app.isFree("order:1") ? "free" : "held"))
                .isEqualTo("held");
        assertThat(app.isFree("order:1")).isTrue();
    }

    @Test
    void theLockIsFreeAfterAnException() {
        assertThatThrownBy(() -> shop.pay(ORDER, () -> {
                    throw new IllegalArgumentException("no money");
                }))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no money");
        assertThat(app.isFree("order:1")).isTrue();
    }

    @Test
    void classicWiringLocksAndUnlocks() {
        DistributedLock lock = app.get(Lockkeeper.class).lock("order:1");
        lock.lock();
        try {
            assertThat(app.isFree("order:1")).isFalse();
        } finally {
            lock.unlock();
        }
        assertThat(app.isFree("order:1")).isTrue();
    }

    @Test
    void aBusyLockSaysWhoHoldsItAndForHowLong() {
        try (ExclusiveHold hold = app.heldElsewhere("order:1")) {
            assertThatThrownBy(() -> shop.payNow(ORDER))
                    .isInstanceOfSatisfying(LockTimeoutException.class, busy -> {
                        assertThat(busy.waited()).isZero();
                        assertThat(busy.state()).isPresent();
                    })
                    .hasMessageContainingAll(
                            "Shop.payNow", "order:1", "within 0s", "the other process", "token " + hold.token());
        }
        assertThat(shop.payNow(ORDER)).isEqualTo("paid");
    }

    @Test
    void placeholdersAreReplacedInEveryAttribute() {
        assertThat(shop.payByProperties(ORDER, null)).isEqualTo("short");
        try (ExclusiveHold hold = app.heldElsewhere("order:1")) {
            assertThatThrownBy(() -> shop.payByProperties(ORDER, null)).isInstanceOf(LockTimeoutException.class);
        }
    }

    @Test
    void theElementsOfAnArrayAreNames() {
        assertThat(shop.numbers(new int[] {1, 2, 1})).isEqualTo(2);
    }

    @Test
    void aNameThatIsAnotherOneInEachProcessIsRefused() {
        shop.byText(List.of(1, "b"));
        for (Object nameless : List.of(new Object(), new byte[1], List.of((Object) new String[0]))) {
            assertThatThrownBy(() -> shop.byText(nameless))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll(
                            "The expression #file in the name of a lock gives", "would exclude nobody");
        }
        assertThat(shop.count()).isEqualTo(1);
    }

    @Test
    void severalNamesAreLockedTogether() {
        assertThat(shop.both(ORDER)).isTrue();
        assertThat(shop.all(List.of("1", "2", "1"))).hasSize(3);
        assertThat(app.isFree("order:1") && app.isFree("order:2") && app.isFree("region:eu"))
                .isTrue();
    }

    @Test
    void anEmptyListOrANullNeverRunsTheMethod() {
        assertThatThrownBy(() -> shop.all(List.of())).hasMessageContaining("nothing to lock");
        assertThatThrownBy(() -> shop.pay(new Order(null, 1), () -> "ran")).hasMessageContaining("#order.id");
        assertThat(shop.count()).isZero();
    }

    @Test
    void aBeanMayMakeTheNames() {
        assertThat(shop.byResolver("acme")).isTrue();
    }

    @Test
    void aFalseConditionNeedsNoLock() {
        try (ExclusiveHold hold = app.heldElsewhere("order:1")) {
            assertThat(shop.large(new Order("1", 5))).isEqualTo("done");
            assertThatThrownBy(() -> shop.large(new Order("1", 500))).isInstanceOf(LockTimeoutException.class);
        }
    }

    @Test
    void aBusyLockSkipsOrFallsBackIfTheAnnotationSaysSo() {
        try (ExclusiveHold hold = app.heldElsewhere("order:1")) {
            assertThat(shop.skip(ORDER)).isEmpty();
            assertThat(shop.byMeta(ORDER)).isNull();
            assertThat(shop.withFallback(ORDER)).isEqualTo("1 instead of 1");
            shop.skipVoid(ORDER);
            assertThat(shop.count()).isZero();
        }
        assertThat(shop.skip(ORDER)).contains("done");
        assertThat(shop.byMeta(ORDER)).isEqualTo("done");
        assertThat(shop.withFallback(ORDER)).isEqualTo("done");
    }

    @Test
    void annotationsRepeat() {
        assertThat(shop.twice()).containsExactly(true, true);
    }

    @Test
    void theSameNameNestsInAThreadAlsoWithTheApplicationsOwnLocks() {
        String result = shop.pay(
                ORDER,
                () -> shop.pay(ORDER, () -> {
                    DistributedLock lock = app.keeper.lock("order:1");
                    lock.lock();
                    lock.unlock();
                    return shop.payNow(ORDER) + (app.isFree("order:1") ? "" : " and held");
                }));
        assertThat(result).isEqualTo("paid and held");
        assertThat(app.isFree("order:1")).isTrue();
    }

    @Test
    void readersShareAndAWriterDoesNot() throws Exception {
        CountDownLatch reading = new CountDownLatch(2);
        CountDownLatch finish = new CountDownLatch(1);
        Runnable body = () -> {
            reading.countDown();
            await(finish);
        };
        CompletableFuture<Void> one = App.async(() -> shop.read(body));
        CompletableFuture<Void> two = App.async(() -> shop.read(body));
        assertThat(reading.await(30, TimeUnit.SECONDS)).isTrue();
        assertThatThrownBy(() -> shop.write(() -> {})).isInstanceOf(LockTimeoutException.class);
        finish.countDown();
        CompletableFuture.allOf(one, two).get(30, TimeUnit.SECONDS);
        shop.write(() -> shop.read(() -> assertThat(app.isFree("doc")).isFalse()));
        assertThat(shop.fair()).isTrue();
    }

    @Test
    void atLeastKeepsTheLockAfterTheCallAlsoForItsOwnThread() throws Exception {
        long start = System.nanoTime();
        shop.job();
        assertThat(app.isFree("job")).isFalse();
        assertThatThrownBy(() -> shop.job()).isInstanceOf(LockTimeoutException.class);
        try (ExclusiveHold next = app.other.lock("job").tryAcquire(Duration.ofSeconds(30))) {
            assertThat(next).isNotNull();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(390));
        }
    }

    @Test
    void aLossIsThrownAfterTheMethodOrReported() {
        assertThatThrownBy(() -> shop.lostThrow(() -> app.other.forceRelease("lost")))
                .isInstanceOf(LockLostException.class);
        try (Logged logged = new Logged()) {
            assertThat(shop.lostReport(() -> app.other.forceRelease("lost"))).isEqualTo("done");
            assertThat(logged.with("was lost while Shop.lostReport ran")).hasSize(1);
        }
    }

    @Test
    void anExceptionOfTheMethodIsNotMaskedByALoss() {
        assertThatThrownBy(() -> shop.lostThrow(() -> {
                    app.other.forceRelease("lost");
                    throw new IllegalArgumentException("mine");
                }))
                .hasMessage("mine")
                .satisfies(thrown -> assertThat(thrown.getSuppressed()[0]).isInstanceOf(LockLostException.class));
    }

    @Test
    void aLossInterruptsTheMethodAndNothingAfterIt() throws Exception {
        CompletableFuture<Boolean> interruptedLater = new CompletableFuture<>();
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                shop.lostInterrupt(new CountDownLatch(1));
            } catch (Throwable e) {
                thrown.complete(e);
            }
            interruptedLater.complete(Thread.currentThread().isInterrupted());
        });
        thread.start();
        while (app.isFree("lost")) {
            Thread.onSpinWait();
        }
        app.other.forceRelease("lost");
        assertThat(thrown.get(30, TimeUnit.SECONDS))
                .isInstanceOf(LockLostException.class)
                .satisfies(e -> assertThat(e.getSuppressed()[0]).isInstanceOf(InterruptedException.class));
        assertThat(interruptedLater.get(30, TimeUnit.SECONDS)).isFalse();
    }

    @Test
    void anInterruptWhileWaitingEndsTheCallWithoutTheMethod() throws Exception {
        try (ExclusiveHold hold = app.heldElsewhere("order:1")) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> shop.pay(ORDER, () -> "ran"))
                    .isInstanceOf(LockkeeperException.class)
                    .hasMessageContaining("interrupted while it waited");
            assertThat(Thread.interrupted()).isTrue();
            assertThat(shop.count()).isZero();
        }
    }

    @Test
    void limitedLetsSoManyIn() {
        shop.mail(
                () -> App.async(() -> shop.mail(
                                () -> App.async(() -> assertThatThrownBy(() -> shop.mail(() -> {}, null))
                                                .isInstanceOf(LockTimeoutException.class)
                                                .hasMessageContaining("permit of mail"))
                                        .join(),
                                null))
                        .join(),
                null);
        shop.mail(() -> shop.mail(() -> shop.mail(() -> {}, null), null), null);
    }

    @Test
    void aClassGivesItsMethodsALockUnlessTheyHaveTheirOwn() {
        WholeClass whole = app.context.getBean(name(WholeClass.class), WholeClass.class);
        assertThat(whole.first()).isTrue();
        assertThat(whole.second()).isTrue();
        assertThat(app.get(Subclass.class).third()).isTrue();
        assertThat(app.get(Port.class).enter()).isTrue();
    }

    private String name(Class<?> type) {
        for (String name : app.context.getBeanNamesForType(type)) {
            if (org.springframework.aop.support.AopUtils.getTargetClass(app.context.getBean(name)) == type) {
                return name;
            }
        }
        throw new AssertionError(type);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
