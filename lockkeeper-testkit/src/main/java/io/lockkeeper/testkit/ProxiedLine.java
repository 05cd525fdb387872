package io.lockkeeper.testkit;

import io.lockkeeper.spi.Backend;

/** A line through a proxy. */
record ProxiedLine(FaultProxy proxy, Backend backend) implements Line {

    @Override
    public void cut() {
        proxy.refuse();
        proxy.resetAll();
    }

    @Override
    public void hang() {
        proxy.both(FaultProxy.Rule.hold());
    }

    @Override
    public void heal() {
        proxy.heal();
    }

    @Override
    public void close() {
        backend.close();
        proxy.close();
    }
}
