package io.lockkeeper.redis;

import io.lockkeeper.Resource;

/** The version of the stored format, so that an older keeper does not misread what a newer one wrote. */
final class StoredFormat {

    /** The format that this version reads and writes; the scripts have it too. */
    static final String KNOWN = "1";

    private StoredFormat() {}

    static String newer(Resource resource, String found) {
        return newer("The " + resource + " is", found);
    }

    static String newer(String whatIs, String found) {
        return whatIs + " stored in format " + found + ", and this version knows " + KNOWN
                + " only; use the newer version of lockkeeper-redis in all processes";
    }
}
