package io.lockkeeper.spi;

import io.lockkeeper.Resource;

/**
 * A store that can take grants away from keepers that live.
 *
 * @see Capability#FORCE_RELEASE
 */
public non-sealed interface ForceReleaseStore extends StoreAbility {

    /**
     * Ends all grants of a resource, and signals their keepers and the next waiter. Places in the queue stay.
     *
     * <p>It blocks, for at most {@link Keeper#commandTimeout}, on the thread of the application. It may overlap any call about a
     * claim of the resource, which then is answered as if it came before or after. A repeat ends what was granted meanwhile.
     *
     * @return whether there was a grant
     */
    boolean forceRelease(Resource resource);
}
