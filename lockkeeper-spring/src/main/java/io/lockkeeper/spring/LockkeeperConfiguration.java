package io.lockkeeper.spring;

import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;

/** The beans that {@link EnableLockkeeper} switches on. */
@Configuration(proxyBeanMethods = false)
public class LockkeeperConfiguration {

    /** The default of {@link EnableLockkeeper#order}: outside transactions. */
    static final int ORDER = Ordered.LOWEST_PRECEDENCE - 100;

    private int order = ORDER;

    /** Set by {@link EnableLockkeeper#order}. */
    public void setOrder(int order) {
        this.order = order;
    }

    int order() {
        return order;
    }
}
