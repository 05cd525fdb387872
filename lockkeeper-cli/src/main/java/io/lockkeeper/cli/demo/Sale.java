package io.lockkeeper.cli.demo;

/**
 * One item sold, as told to the till.
 *
 * @param part the part of the stock it is from
 * @param left what the seller believes is left
 * @param token the fencing token it was sold under; 0 if there is none
 * @param holdId the hold it was sold under; "-" if there is none
 * @param fenced whether the till is to check the token
 * @param heldUp whether the network keeps it for a while
 */
record Sale(int part, int left, long token, String holdId, boolean fenced, boolean heldUp) {

    static Sale unguarded(int part, int left) {
        return new Sale(part, left, 0, "-", false, false);
    }

    static Sale parse(String[] words) {
        return new Sale(
                Integer.parseInt(words[1]),
                Integer.parseInt(words[2]),
                Long.parseLong(words[3]),
                words[4],
                Boolean.parseBoolean(words[5]),
                Boolean.parseBoolean(words[6]));
    }

    String line() {
        return "sell " + part + " " + left + " " + token + " " + holdId + " " + fenced + " " + heldUp;
    }
}
