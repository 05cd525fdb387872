package io.lockkeeper.etcd;

import io.lockkeeper.etcd.client.KeyValue;
import io.lockkeeper.spi.SemaphoreSize;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The size of a semaphore as it is in its key: {@code permits set|used operation …}.
 *
 * @param size the size
 * @param writtenAt the revision of its key; 0 if there is none
 */
record StoredSize(SemaphoreSize size, long writtenAt) {

    static StoredSize of(@Nullable KeyValue key) {
        if (key == null) {
            return new StoredSize(SemaphoreSize.NONE, 0);
        }
        String[] words = key.value().split(" ");
        try {
            List<String> operations = Arrays.asList(words).subList(2, words.length);
            return new StoredSize(
                    new SemaphoreSize(Integer.parseInt(words[0]), words[1].equals("set"), operations),
                    key.modRevision());
        } catch (IndexOutOfBoundsException | IllegalArgumentException notOurs) {
            return new StoredSize(SemaphoreSize.NONE, key.modRevision());
        }
    }

    static String text(SemaphoreSize size) {
        String operations = String.join(" ", size.operations());
        return size.permits() + (size.set() ? " set" : " used") + (operations.isEmpty() ? "" : " " + operations);
    }
}
