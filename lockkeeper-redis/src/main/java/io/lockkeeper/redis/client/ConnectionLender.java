package io.lockkeeper.redis.client;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lends the connections of a client that the application made and will close. */
public interface ConnectionLender {

    /** Names the client in messages, after "The Redis server", such as "of the given Jedis client". */
    String name();

    /**
     * Borrows a connection to the server.
     *
     * @throws io.lockkeeper.StoreUnavailableException if there is none; nothing was sent then
     */
    BorrowedConnection borrow(Deadline until);

    /** See {@link Redis#subscribe}; a refusal is passed to the listener as the exception of this package. */
    Redis.Subscription subscribe(byte[] channel, Redis.Listener listener);

    /** The connections of a client of a cluster. {@link #borrow(Deadline)} leads to any of its nodes. */
    interface OfCluster extends ConnectionLender {

        /**
         * Borrows a connection to the node that the client believes to have a slot.
         *
         * @throws io.lockkeeper.StoreUnavailableException if there is none; nothing was sent then
         */
        BorrowedConnection borrow(int slot, Deadline until);

        /**
         * Borrows a connection to a node.
         *
         * @throws io.lockkeeper.StoreUnavailableException if there is none; nothing was sent then
         */
        BorrowedConnection borrow(Address node, Deadline until);

        /** The node that the client believes to have a slot; null if it does not know. */
        @Nullable
        Address owner(int slot);

        /** All nodes that the client knows, perhaps replicas too. */
        List<Address> nodes();

        /** Makes the client read its table of slots again. Does nothing if that fails. */
        void refreshSlots();
    }
}
