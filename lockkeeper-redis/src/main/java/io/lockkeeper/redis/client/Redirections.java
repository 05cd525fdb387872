package io.lockkeeper.redis.client;

import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.redis.client.ErrorReplyException.Kind;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Sends a request to the node of a cluster that has its slot, and follows the cluster's redirections.
 *
 * <p>Invariant: a request is sent again only if its node said that it did not execute it, or if it was not sent at all, and
 * only until its deadline. A node that did not answer may have executed the request, so it is not sent again.
 */
final class Redirections {

    private static final long PAUSE = ClientPolicy.REDIRECTION_PAUSE.toNanos();

    /** Redirections that are followed at once; each further one is followed after a pause. */
    private static final int WITHOUT_PAUSE = 4;

    /** Knows which node has which slot. */
    interface Nodes {

        /**
         * The node that has a slot; null if it is not known and the request finds it by itself.
         *
         * @throws StoreUnavailableException if no node has it, or if that cannot be found out in time
         */
        @Nullable
        Address owner(int slot, Deadline until);

        /**
         * Notes that a node did not answer, or is not what it should be.
         *
         * @return whether a request that was not sent may find another node
         */
        boolean doubt(@Nullable Address node);

        /** Notes that a node said that another one has a slot. */
        void moved(int slot, @Nullable Address from, Address to);

        /** Names a node in messages, or the whole cluster for null. */
        Object name(@Nullable Address node);
    }

    /** A request to one node. */
    interface NodeRequest {

        /**
         * Sends it and waits for the reply.
         *
         * @param redirected whether another node named this one
         * @param asking whether the node is just getting the slot, so that ASKING goes before the request
         */
        @Nullable
        Object send(@Nullable Address node, boolean redirected, boolean asking);
    }

    private Redirections() {}

    static @Nullable Object follow(int slot, Deadline until, Nodes nodes, NodeRequest request) {
        Address target = null;
        RuntimeException trouble = null;
        int redirections = 0;
        while (true) {
            boolean redirected = target != null;
            Address node = redirected ? target : owner(slot, until, nodes, trouble);
            boolean asking = trouble instanceof ErrorReplyException said && said.is(Kind.ASK);
            target = null;
            try {
                return request.send(node, redirected, asking);
            } catch (StoreUnavailableException unsent) {
                if (!nodes.doubt(node)) {
                    throw unsent;
                }
                trouble = unsent;
            } catch (ErrorReplyException refused) {
                if (!isUnexecuted(refused)) {
                    throw RedisErrors.refused(nodes.name(node), refused);
                }
                trouble = refused;
                if (refused.isRedirection()) {
                    target = refused.target(node == null ? new Address("", 0) : node);
                    if (refused.is(Kind.MOVED)) {
                        nodes.moved(slot, node, target);
                    }
                } else {
                    nodes.doubt(node);
                }
            } catch (RequestException lost) {
                nodes.doubt(node);
                // What was said all the time tells more than that the last of many tries had no time left.
                throw RedisErrors.asking(nodes.name(node), until.hasPassed() && trouble != null ? trouble : lost);
            }
            if (until.left() <= PAUSE) {
                throw RedisErrors.asking(nodes.name(node), trouble);
            }
            // Two nodes may send each other's clients to and fro for a moment.
            if (target == null || ++redirections > WITHOUT_PAUSE) {
                LockSupport.parkNanos(PAUSE);
            }
        }
    }

    private static @Nullable Address owner(int slot, Deadline until, Nodes nodes, @Nullable RuntimeException trouble) {
        try {
            return nodes.owner(slot, until);
        } catch (StoreUnavailableException unknown) {
            if (trouble instanceof ErrorReplyException said && until.hasPassed()) {
                throw RedisErrors.refused(nodes.name(null), said);
            }
            throw unknown;
        }
    }

    /** Whether a request that failed so was surely not executed, and may be sent again: elsewhere, or here in a moment. */
    static boolean isUnexecuted(RequestException e) {
        return e instanceof ErrorReplyException refused
                && switch (refused.kind()) {
                    case MOVED, ASK, TRYAGAIN, CLUSTERDOWN, LOADING -> true;
                    default -> RedisErrors.isReadOnly(refused);
                };
    }
}
