package io.lockkeeper.spring;

import io.lockkeeper.LeaderElection;
import java.time.Duration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;

/** The beans that {@link EnableLockkeeper} switches on. */
@Configuration(proxyBeanMethods = false)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public class LockkeeperConfiguration {

    /** The default of {@link EnableLockkeeper#order}: outside transactions. */
    static final int ORDER = Ordered.LOWEST_PRECEDENCE - 100;

    /** As {@link LeaderElection#leave} waits for the task of a leader. */
    private static final Duration LEAVE_WAIT = Duration.ofSeconds(30);

    private int order = ORDER;

    /** Set by {@link EnableLockkeeper#order}. */
    public void setOrder(int order) {
        this.order = order;
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    LateReleases lockkeeperLateReleases(ApplicationContext context) {
        return new LateReleases(context);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    LockedMethods lockkeeperMethods(
            ConfigurableListableBeanFactory factory, ObjectProvider<LockkeeperSettings> settings) {
        return new LockedMethods(new RuleReader(new Beans(factory), () -> of(settings), Presence.FENCES));
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    LockAdvisor lockkeeperAdvisor(
            ConfigurableListableBeanFactory factory,
            LockedMethods methods,
            LateReleases late,
            ObjectProvider<LockkeeperSettings> settings,
            ObjectProvider<Transactions> transactions) {
        Beans beans = new Beans(factory);
        LockTaker locks = new LockTaker(beans, late);
        LockkeeperSettings chosen = of(settings);
        LockOrders orders = new LockOrders(chosen.orderSampling());
        LockInterceptor interceptor = new LockInterceptor(
                methods,
                locks,
                beans,
                transactions.getIfAvailable(() -> Transactions.NONE),
                orders,
                chosen.isTokenInLog() && Presence.SLF4J ? new TokenLog.InMdc() : TokenLog.NONE,
                Presence.REACTOR ? new ReactorCalls(locks, orders) : null);
        return new LockAdvisor(methods, interceptor, order);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    LeaderAdvisor lockkeeperLeaderAdvisor(ConfigurableListableBeanFactory factory) {
        return new LeaderAdvisor(new Beans(factory), order - 1);
    }

    @Bean
    LeaderElections lockkeeperElections(ObjectProvider<LeaderElection> elections, ApplicationEventPublisher events) {
        return new LeaderElections(elections, events, LEAVE_WAIT);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LockedBeans lockkeeperBeans(
            ConfigurableListableBeanFactory factory,
            ObjectProvider<LockedMethods> methods,
            ObjectProvider<LockkeeperSettings> settings) {
        return new LockedBeans(factory, methods, () -> of(settings));
    }

    private static LockkeeperSettings of(ObjectProvider<LockkeeperSettings> settings) {
        return settings.getIfAvailable(LockkeeperSettings::defaults);
    }
}
