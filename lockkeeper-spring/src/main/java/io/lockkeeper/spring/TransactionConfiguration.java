package io.lockkeeper.spring;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/** The beans that locks need beside transactions; registered if the application has Spring's transactions. */
@Configuration(proxyBeanMethods = false)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
class TransactionConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    OpenTransactions lockkeeperTransactions(ObjectProvider<Fences> fences) {
        return new OpenTransactions(fences.getIfAvailable());
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static ListenerAdder lockkeeperTransactionListeners(
            ListableBeanFactory factory, ObjectProvider<OpenTransactions> transactions) {
        return new ListenerAdder(factory, transactions);
    }

    /** Lets every transaction manager tell of the transactions that begin and commit, also one that was made very early. */
    record ListenerAdder(ListableBeanFactory factory, ObjectProvider<OpenTransactions> transactions)
            implements BeanPostProcessor, SmartInitializingSingleton {

        @Override
        public Object postProcessBeforeInitialization(Object bean, String name) {
            if (bean instanceof PlatformTransactionManager && bean instanceof ConfigurableTransactionManager manager) {
                add(manager);
            }
            return bean;
        }

        @Override
        public void afterSingletonsInstantiated() {
            factory.getBeansOfType(PlatformTransactionManager.class, false, false)
                    .forEach((name, bean) -> postProcessBeforeInitialization(bean, name));
        }

        private void add(ConfigurableTransactionManager manager) {
            OpenTransactions listener = transactions.getObject();
            if (!manager.getTransactionExecutionListeners().contains(listener)) {
                manager.addListener(listener);
            }
        }
    }
}
