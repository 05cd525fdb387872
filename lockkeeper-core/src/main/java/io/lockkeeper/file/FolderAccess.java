package io.lockkeeper.file;

/**
 * A store's way into its folder: the folder as it was found, and the session that stands for the store in it.
 *
 * @param ceiling what was forced to this folder
 */
record FolderAccess(Folder folder, Session session, TokenCeiling ceiling) {

    /** Begins a session. */
    static FolderAccess enter(Folder folder) {
        return new FolderAccess(folder, Session.begin(folder), new TokenCeiling());
    }

    /** Whether a session lives that was found in a ledger. */
    boolean isAlive(String other, Deadline deadline) {
        return other.equals(session.id()) || Session.isAlive(folder, other, deadline);
    }

    /** Whether a grant is this session's. */
    boolean owns(Ledger.Held grant) {
        return grant.session().equals(session.id());
    }
}
