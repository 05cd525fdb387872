package io.lockkeeper.shell;

import io.lockkeeper.UnsupportedFeatureException;
import io.lockkeeper.spi.Backend;
import io.lockkeeper.spi.Capability;

/** Refuses at once what a store can not do. */
final class FeatureCheck {

    private FeatureCheck() {}

    static void require(Backend backend, Capability capability) {
        if (!backend.capabilities().contains(capability)) {
            throw new UnsupportedFeatureException(
                    backend.describe() + " has no " + capability.what() + "; use one of " + capability.offeredBy());
        }
    }
}
