package io.lockkeeper.spring.boot;

import io.lockkeeper.LockkeeperBuilder;

/**
 * Changes the settings of a keeper before it is opened. Every bean of this type is called for every keeper, in order. Listeners
 * are no settings here: each {@link io.lockkeeper.KeeperListener} bean is a listener of every keeper.
 */
@FunctionalInterface
public interface LockkeeperBuilderCustomizer {

    /**
     * Changes settings.
     *
     * @param keeper the bean name of the keeper
     */
    void customize(String keeper, LockkeeperBuilder builder);
}
