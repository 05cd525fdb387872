package io.lockkeeper.etcd.client;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a transaction did.
 *
 * @param succeeded whether all comparisons held
 * @param revision the revision of the store afterwards: that of the transaction itself if it wrote anything
 * @param answers to the requests, in their order
 */
public record TxnReply(boolean succeeded, long revision, List<Answer> answers) {

    /**
     * What one request found.
     *
     * @param keys what a reading found
     * @param count how many keys there are that match a reading
     * @param deleted how many keys a deletion deleted
     */
    public record Answer(List<KeyValue> keys, long count, long deleted) {

        /** The only key of a reading, or the first one; null if there was none. */
        public @Nullable KeyValue first() {
            return keys.isEmpty() ? null : keys.get(0);
        }
    }

    static TxnReply of(Json json, Txn sent) {
        List<Answer> answers = new ArrayList<>();
        boolean succeeded = json.at("succeeded").isTrue();
        for (Json response : json.at("responses").elements()) {
            List<KeyValue> keys = new ArrayList<>();
            Json range = response.at("response_range");
            for (Json key : range.at("kvs").elements()) {
                keys.add(KeyValue.of(key));
            }
            answers.add(new Answer(
                    keys,
                    range.at("count").number(),
                    response.at("response_delete_range").at("deleted").number()));
        }
        long revision = json.at("header").at("revision").number();
        int expected = (succeeded ? sent.then() : sent.orElse()).size();
        if (revision <= 0 || answers.size() != expected) {
            throw new Json.MalformedException("A transaction of " + expected + " requests was answered by "
                    + answers.size() + " answers at revision " + revision);
        }
        return new TxnReply(succeeded, revision, List.copyOf(answers));
    }

    public Answer at(int index) {
        return answers.get(index);
    }
}
