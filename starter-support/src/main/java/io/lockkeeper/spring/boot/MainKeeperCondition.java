package io.lockkeeper.spring.boot;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Whether there is a keeper without a name: if it has a store, or if there is no other keeper. */
final class MainKeeperCondition extends SpringBootCondition {

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        Environment environment = context.getEnvironment();
        ConditionMessage.Builder message = ConditionMessage.forCondition("Default keeper");
        if (environment.containsProperty("lockkeeper.url") || environment.containsProperty("lockkeeper.store")) {
            return ConditionOutcome.match(message.because("lockkeeper.url or lockkeeper.store is set"));
        }
        return KeeperRegistrar.names(environment).isEmpty()
                ? ConditionOutcome.match(message.because("no keeper has a name"))
                : ConditionOutcome.noMatch(message.because("only keepers with names are configured"));
    }
}
