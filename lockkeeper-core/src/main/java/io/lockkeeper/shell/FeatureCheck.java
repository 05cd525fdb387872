package io.lockkeeper.shell;

import io.lockkeeper.UnsupportedFeatureException;
import io.lockkeeper.spi.Backend;
import io.lockkeeper.spi.Capability;

/** A check that a store can do what is asked for, before anything is sent. */
final class FeatureCheck {

    private FeatureCheck() {}

    static void require(Backend backend, Capability capability) {
        if (!backend.capabilities().contains(capability)) {
            throw new UnsupportedFeatureException(
                    backend.describe() + " has no " + capability.what() + "; use one of " + capability.offeredBy());
        }
    }
}
