package io.lockkeeper.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.etcd.client.Address;
import io.lockkeeper.etcd.client.Credentials;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** URLs and settings: what they mean, and one sentence for what they cannot mean. */
class EtcdUrlTest {

    @Test
    void allPartsAreRead() {
        EtcdUrl url = EtcdUrl.parse("etcds://root:p%40ss+%3a@one:1,[::1]:2,three/shop/locks");
        assertThat(url.servers())
                .containsExactly(new Address("one", 1), new Address("::1", 2), new Address("three", 2379));
        assertThat(url.tls()).isTrue();
        assertThat(url.prefix()).isEqualTo("shop/locks");
        assertThat(url.credentials()).isEqualTo(new Credentials("root", "p@ss+:"));
    }

    @Test
    void whatIsNotNamedHasADefault() {
        assertThat(EtcdBackend.of("etcd://host").describe()).isEqualTo("etcd://host:2379/lockkeeper");
        assertThat(EtcdBackend.builder()
                        .endpoints("a:1", "b")
                        .prefix("p")
                        .build()
                        .describe())
                .isEqualTo("etcd://a:1,b:2379/p");
    }

    @Test
    void thePasswordIsNeverShown() {
        String url = "etcd://user:secret@host:1/p";
        assertThat(EtcdBackend.of(url).describe()).doesNotContain("secret").doesNotContain("user");
        assertThat(EtcdUrl.parse(url).toString()).doesNotContain("secret");
        assertThat(EtcdCredentials.of("user", "secret").toString()).doesNotContain("secret");
        assertThatThrownBy(() -> EtcdBackend.of("etcd://user:secret@host:99999"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("secret");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "etcd://user:secret\n@host",
                "etcd:/user:secret@host",
                "etcd:user:secret@host",
                "user:secret@host",
                "http://user:secret@host",
                "etcd://user:secret@x@host:0",
                "etcd://user:%zzsecret@host/p\n",
                "etcd://user:secret@host/a b"
            })
    void thePasswordOfAMalformedUrlIsNeverShown(String url) {
        assertThatThrownBy(() -> EtcdBackend.of(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("secret")
                .hasMessageNotContaining("user:");
        assertThatThrownBy(() -> EtcdBackend.builder().endpoints(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("secret");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "etcd:/host",
                "http://host",
                "etcd://",
                "etcd://a,,b",
                "etcd://host:0",
                "etcd://host:65536",
                "etcd://ho st",
                "etcd://user@host",
                "etcd://:x@host",
                "etcd://u:%zz@host",
                "etcd://host/a b",
                "etcd://host//x"
            })
    void aMalformedUrlIsRefusedWithAnExample(String url) {
        assertThatThrownBy(() -> EtcdBackend.of(url)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void settingsThatCannotBeAreRefused() {
        assertThatThrownBy(() -> EtcdBackend.builder().build()).hasMessageContaining("etcd://localhost:2379");
        assertThatThrownBy(() -> EtcdBackend.builder().endpoints()).hasMessageContaining("localhost:2379");
        assertThatThrownBy(() -> EtcdBackend.builder().sessionTimeout(Duration.ofSeconds(1)))
                .hasMessageContaining("2s to 1d");
    }
}
