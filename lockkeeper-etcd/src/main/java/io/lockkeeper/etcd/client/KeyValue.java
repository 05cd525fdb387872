package io.lockkeeper.etcd.client;

import java.nio.charset.StandardCharsets;

/**
 * A key as etcd has it.
 *
 * @param key the key
 * @param value its value; empty where only keys were asked for
 * @param createRevision the revision in which it was created; another one if it was deleted in between
 * @param modRevision the revision in which it was last written
 * @param lease the lease that it is attached to; 0 for none
 */
public record KeyValue(String key, String value, long createRevision, long modRevision, long lease) {

    static KeyValue of(Json json) {
        return new KeyValue(
                new String(json.at("key").bytes(), StandardCharsets.UTF_8),
                new String(json.at("value").bytes(), StandardCharsets.UTF_8),
                json.at("create_revision").number(),
                json.at("mod_revision").number(),
                json.at("lease").number());
    }
}
