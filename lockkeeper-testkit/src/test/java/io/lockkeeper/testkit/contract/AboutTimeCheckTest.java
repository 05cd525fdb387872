package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.memory.MemoryBackend;
import io.lockkeeper.spi.Backend;
import io.lockkeeper.testkit.BackendFixture;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AboutTimeCheckTest {

    private final Cases cases = new Cases();

    @AfterEach
    void close() throws Exception {
        cases.closeAll();
    }

    @Test
    void aShortLeaseInACaseWithoutTheMarkFails() {
        assertThatThrownBy(cases::unmarked)
                .isInstanceOf(AssertionError.class)
                .hasMessage("Cases.unmarked uses a short lease, so it is about time: mark it with @AboutTime");
        assertThatThrownBy(cases::unmarkedByALambda).isInstanceOf(AssertionError.class);
    }

    @Test
    void aShortLeaseInACaseWithTheMarkIsFine() {
        assertThatCode(cases::marked).doesNotThrowAnyException();
    }

    /** Not run by itself. */
    private static final class Cases extends ContractTest {

        Cases() {
            try {
                openFixture();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public BackendFixture newFixture() {
            MemoryBackend memory = MemoryBackend.create();
            return new BackendFixture() {
                @Override
                public Backend backend() {
                    return memory;
                }

                @Override
                public void close() {
                    memory.close();
                }
            };
        }

        @Test
        void unmarked() {
            brief();
        }

        @Test
        void unmarkedByALambda() {
            Supplier<?> later = this::lease;
            assertThat(later.get()).isNotNull();
        }

        @Test
        @AboutTime
        void marked() {
            lease();
        }
    }
}
