package io.lockkeeper.etcd.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** JSON as etcd writes it, and as nobody should. */
class JsonTest {

    private static Json read(String text) {
        return Json.read(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void numbersAreTextsOrNumbersAndNamesHaveTwoSpellings() {
        Json json = read(" {\"create_revision\":\"12\",\"modRevision\":13,\"ok\":true,\"none\":null,\"a\":[1,{}]} ");
        assertThat(json.at("create_revision").number()).isEqualTo(12);
        assertThat(json.at("mod_revision").number()).isEqualTo(13);
        assertThat(json.at("ok").isTrue()).isTrue();
        assertThat(json.at("none").number()).isZero();
        assertThat(json.at("missing").at("deeper").text()).isEmpty();
        assertThat(json.at("a").elements()).hasSize(2);
    }

    @Test
    void whatIsWrittenIsReadAgain() {
        String odd = "a\"\\\n\u0001ü日\ud83d\udd12";
        assertThat(read("{\"t\":" + Json.quoted(odd) + "}").at("t").text()).isEqualTo(odd);
        assertThat(new String(read(Json.base64(odd)).bytes(), StandardCharsets.UTF_8))
                .isEqualTo(odd);
        assertThat(read("\"\\u00fc\\/\\b\\f\\n\\r\\t\"").text()).isEqualTo("ü/\b\f\n\r\t");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "[",
                "{\"a\"",
                "{\"a\":}",
                "{\"a\":1,}",
                "[1,]",
                "{a:1}",
                "\"",
                "\"\\",
                "\"\\x\"",
                "\"\\u12",
                "\"\\u12g4\"",
                "{} {}",
                "}",
                ",",
                "[1 2]",
                "{\"a\" 1}",
                "@"
            })
    void whatIsNoJsonIsAnError(String text) {
        assertThatThrownBy(() -> read(text)).isInstanceOf(Json.MalformedException.class);
    }

    @Test
    void depthIsBounded() {
        assertThatThrownBy(() -> read("[".repeat(100_000))).isInstanceOf(Json.MalformedException.class);
        assertThatThrownBy(() -> read("{\"a\":".repeat(100_000))).isInstanceOf(Json.MalformedException.class);
        int deepest = Json.DEEPEST;
        assertThat(read("[".repeat(deepest) + "]".repeat(deepest)).elements()).hasSize(1);
    }

    @Test
    void whatIsNotWhatWasExpectedIsAnErrorToo() {
        assertThatThrownBy(() -> read("{\"n\":\"x\"}").at("n").number()).isInstanceOf(Json.MalformedException.class);
        assertThatThrownBy(
                        () -> read("{\"n\":\"99999999999999999999\"}").at("n").number())
                .isInstanceOf(Json.MalformedException.class);
        assertThatThrownBy(() -> read("\"a?\"").bytes()).isInstanceOf(Json.MalformedException.class);
        Txn two = new Txn();
        two.then().get("a").get("b");
        assertThatThrownBy(() -> TxnReply.of(
                        read("{\"header\":{\"revision\":\"5\"},\"succeeded\":true,\"responses\":[{}]}"), two))
                .isInstanceOf(Json.MalformedException.class);
    }
}
