package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.lockkeeper.Lockkeeper;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No message, cause or stack trace shows the password of a URL. */
final class PasswordTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:nosuchdatabase://localhost/app?user=app&password=s3cret",
                "jdbc:nosuchdatabase://app:s3cret@localhost/app",
                "jdbc:postgresql://localhost:1/app?user=app&password=s3cret",
                "jdbc:mariadb://localhost:1/app?user=app&password=s3cret",
                "jdbc:h2:file:relative/never;USER=app;PASSWORD=s3cret",
                "jdbc:sqlite:/no/such/folder/app.db?password=s3cret"
            })
    void aUrlThatCannotBeReachedKeepsItsPassword(String url) {
        Throwable failure = catchThrowable(() -> Lockkeeper.connect(url).close());
        assertThat(failure).isNotNull();
        StringWriter trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace));
        assertThat(trace.toString()).doesNotContain("s3cret");
    }

    @ParameterizedTest
    @ValueSource(strings = "jdbc:nosuchdatabase://localhost/app?user=app&password=s3cret")
    void aMissingDriverIsOneSentence(String url) {
        assertThat(catchThrowable(() -> Lockkeeper.connect(url).close()))
                .hasMessage(
                        "No driver for jdbc:nosuchdatabase://localhost/app is on the class path; add the JDBC driver of"
                                + " that database");
    }
}
