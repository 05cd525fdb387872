package io.lockkeeper.etcd.client;

import com.code_intelligence.jazzer.junit.FuzzTest;

/** Whatever a server sends as JSON is a value or is refused, and can be asked for everything. */
class JsonFuzzTest {

    @FuzzTest(maxDuration = "5m")
    void anyBytesAreAValueOrRefused(byte[] bytes) {
        try {
            walk(Json.read(bytes), 0);
        } catch (Json.MalformedException e) {
            if (String.valueOf(e.getMessage()).isBlank()
                    || String.valueOf(e.getMessage()).length() > 200) {
                throw new AssertionError("Refused without a reason, or at length", e);
            }
        }
    }

    private static void walk(Json value, int depth) {
        if (depth > Json.DEEPEST + 1) {
            throw new AssertionError("Deeper than is allowed");
        }
        for (Json element : value.elements()) {
            walk(element, depth + 1);
        }
        for (String field : new String[] {"result", "header", "kvs", "responses", "response_range", "key", "error"}) {
            if (value.has(field)) {
                walk(value.at(field), depth + 1);
            }
        }
        value.text();
        value.isTrue();
        try {
            value.number();
        } catch (Json.MalformedException notOne) {
            // As it should be.
        }
        try {
            value.bytes();
        } catch (Json.MalformedException notThese) {
            // As it should be.
        }
    }
}
