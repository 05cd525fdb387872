package io.lockkeeper.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DecidedByKeeperTest {

    private static Stream<Method> marked() {
        return Contracts.all().stream()
                .flatMap(DecidedByKeeperTest::casesOf)
                .filter(method -> method.isAnnotationPresent(DecidedByKeeper.class));
    }

    private static Stream<Method> casesOf(String contract) {
        try {
            return Arrays.stream(Class.forName(Contracts.class.getPackageName() + "." + contract)
                    .getDeclaredMethods());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Elsewhere the mark would do nothing, and a reader would believe that it does. */
    @Test
    void onlyCasesAboutTimeHaveTheMark() {
        assertThat(marked()).hasSizeGreaterThan(40).allMatch(method -> method.isAnnotationPresent(AboutTime.class));
    }

    /** In these the store counts the time or is asked by several processes, so every store runs them in every build. */
    @Test
    void noCaseOfTheStoresOwnContractsHasTheMark() {
        List<String> ofStores = List.of(
                "StoreContract",
                "StoreModesContract",
                "ServerFaultContract",
                "TokenContract",
                "FencingContract",
                "FairContract");
        assertThat(Contracts.all()).containsAll(ofStores);
        assertThat(marked())
                .noneMatch(
                        method -> ofStores.contains(method.getDeclaringClass().getSimpleName()));
    }
}
