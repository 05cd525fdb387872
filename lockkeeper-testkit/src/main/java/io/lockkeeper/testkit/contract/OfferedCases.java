package io.lockkeeper.testkit.contract;

import io.lockkeeper.spi.Capability;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;

/** Lists a case {@link TestIfOffered} once, or not at all if the store lacks what it is about. */
final class OfferedCases implements TestTemplateInvocationContextProvider {

    @Override
    public boolean supportsTestTemplate(ExtensionContext context) {
        return context.getRequiredTestMethod().isAnnotationPresent(TestIfOffered.class);
    }

    @Override
    public boolean mayReturnZeroTestTemplateInvocationContexts(ExtensionContext context) {
        return true;
    }

    @Override
    public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
        Capability[] needed = context.getRequiredTestMethod()
                .getAnnotation(TestIfOffered.class)
                .value();
        Set<Capability> offered =
                ((ContractTest) context.getRequiredTestInstance()).fixture().capabilities();
        return offered.containsAll(List.of(needed)) ? Stream.of(new Case(context.getDisplayName())) : Stream.empty();
    }

    private record Case(String name) implements TestTemplateInvocationContext {
        @Override
        public String getDisplayName(int index) {
            return name;
        }
    }
}
