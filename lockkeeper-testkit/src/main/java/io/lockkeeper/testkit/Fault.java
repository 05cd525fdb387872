package io.lockkeeper.testkit;

/**
 * What a fixture can do to its server. (What can go wrong between a keeper and any server is done by {@link
 * FaultyBackend} and needs no help from the fixture.)
 */
public enum Fault {
    /** {@link BackendFixture#loseGrants}. */
    LOSE_GRANTS,
    /** {@link BackendFixture#pauseServer} and {@link BackendFixture#resumeServer}. */
    PAUSE,
    /** {@link BackendFixture#killServer} and {@link BackendFixture#restartServer}. */
    KILL,
    /** {@link BackendFixture#endSession}. */
    END_SESSION,
    /** {@link BackendFixture#losePlaces}. */
    LOSE_PLACES
}
