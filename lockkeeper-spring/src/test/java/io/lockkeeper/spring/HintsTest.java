package io.lockkeeper.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Lockkeeper;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.ExecutableHint;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.javapoet.ClassName;

/** What a native image has to know. It is not run here as one. */
class HintsTest {

    public record Order(String id) {}

    @Configuration
    @EnableLockkeeper
    static class Config {
        @Bean
        Lockkeeper keeper() {
            return Lockkeeper.connect("memory:");
        }

        @Bean
        Shop shop() {
            return new Shop();
        }
    }

    static class Shop {
        @Locked(name = "order:#{#order.id}", whenBusy = WhenBusy.FALLBACK, fallback = "instead")
        public void pay(Order order) {}

        void instead(Order order) {}

        void unrelated(Order order) {}
    }

    @Test
    void lockedMethodsTheirFallbacksAndTheirParametersAreKnown() {
        DefaultGenerationContext generation = new DefaultGenerationContext(
                new ClassNameGenerator(ClassName.get(HintsTest.class)), new InMemoryGeneratedFiles());
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.register(Config.class);
            new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
        }
        RuntimeHints hints = generation.getRuntimeHints();
        assertThat(methods(hints)).contains("pay");
        assertThat(methods(hints)).contains("instead");
        assertThat(methods(hints)).doesNotContain("unrelated");
        assertThat(invocable(Order.class, MemberCategory.INVOKE_PUBLIC_METHODS)).accepts(hints);
    }

    private static List<String> methods(RuntimeHints hints) {
        return hints.reflection()
                .getTypeHint(Shop.class)
                .methods()
                .map(ExecutableHint::getName)
                .toList();
    }

    private static Predicate<RuntimeHints> invocable(Class<?> type, MemberCategory category) {
        return RuntimeHintsPredicates.reflection().onType(type).withMemberCategory(category);
    }

    @Test
    void theAttributesOfAnnotationsAreKnown() {
        RuntimeHints hints = new RuntimeHints();
        new LockkeeperHints().registerHints(hints, null);
        assertThat(invocable(Locked.class, MemberCategory.INVOKE_DECLARED_METHODS))
                .accepts(hints);
        assertThat(invocable(Limited.class, MemberCategory.INVOKE_DECLARED_METHODS))
                .accepts(hints);
    }
}
