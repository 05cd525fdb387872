package io.lockkeeper.spring.boot;

import io.lockkeeper.spi.Backend;
import io.lockkeeper.spring.boot.KeeperProperties.StoreChoice;

/** A store that the application has for other purposes, and in which it may keep locks too. */
interface ApplicationStore {

    /** How it is chosen. */
    StoreChoice choice();

    /** What it is, for people. */
    String description();

    /** Makes the backend of one keeper. */
    Backend backend(KeeperProperties settings);
}
