package io.lockkeeper.spring.test;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotatedBeanDefinitionReader;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;

/** Adds the beans of a {@link LockkeeperTest} to its context, before auto-configurations look for a keeper. */
final class TestLocksCustomizerFactory implements ContextCustomizerFactory {

    @Override
    public @Nullable ContextCustomizer createContextCustomizer(
            Class<?> testClass, List<ContextConfigurationAttributes> configuration) {
        return TestContextAnnotationUtils.hasAnnotation(testClass, LockkeeperTest.class) ? new Customizer() : null;
    }

    /** Equal to each other, so that tests share contexts. */
    private record Customizer() implements ContextCustomizer {

        @Override
        public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration merged) {
            new AnnotatedBeanDefinitionReader((BeanDefinitionRegistry) context.getBeanFactory())
                    .register(TestLocksConfiguration.class);
        }
    }
}
