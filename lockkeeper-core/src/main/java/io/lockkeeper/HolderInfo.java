package io.lockkeeper;

/**
 * Who holds or waits, as told to the others.
 *
 * @param keeper the random id of the keeper
 * @param host the name of its machine
 * @param pid its process
 * @param note what the application said about itself, often empty
 */
public record HolderInfo(String keeper, String host, long pid, String note) {

    @Override
    public String toString() {
        return (note.isEmpty() ? "" : note + " ") + "pid " + pid + " on " + host;
    }
}
