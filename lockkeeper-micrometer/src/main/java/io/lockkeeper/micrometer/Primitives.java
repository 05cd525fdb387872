package io.lockkeeper.micrometer;

import io.lockkeeper.KeeperEvent;

/** The word for the kind of a resource in meters and observations. */
final class Primitives {

    private Primitives() {}

    static String of(KeeperEvent.OfAcquisition event) {
        String family = event.resource().family().key();
        int dot = family.indexOf('.');
        String primitive = dot < 0 ? family : family.substring(0, dot);
        return event.shared() && primitive.equals("lock") ? "read-lock" : primitive;
    }
}
