package io.lockkeeper.testkit.contract;

import io.lockkeeper.Lockkeeper;

/** What contracts about several locks at once have in common. */
abstract class MultiLockCases extends PrimitiveContract {

    @Override
    protected Object make(Lockkeeper keeper, String name) {
        return keeper.multiLock(name);
    }

    protected static String[] names(int count) {
        String name = freshName();
        String[] names = new String[count];
        for (int i = 0; i < count; i++) {
            names[i] = name + "/" + (char) ('a' + i);
        }
        return names;
    }

    protected final void allFree(String... names) {
        for (String name : names) {
            soonFree(otherKeeper().lock(name));
        }
    }
}
