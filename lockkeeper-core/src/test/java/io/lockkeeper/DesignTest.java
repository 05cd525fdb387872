package io.lockkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The sentences of the design that each close a hole, and the tests that keep them closed. A test that is renamed or
 * removed is missed here.
 */
class DesignTest {

    private static final String ENGINE = "src/test/java/io/lockkeeper/engine/";
    private static final String SHELL = "src/test/java/io/lockkeeper/shell/";
    private static final String HOUSE = "src/test/java/io/lockkeeper/";
    private static final String CONTRACT = "../lockkeeper-testkit/src/main/java/io/lockkeeper/testkit/contract/";

    private static Arguments kept(String sentence, String folder, String file, String... tests) {
        return Arguments.of(sentence, folder + file + ".java", tests);
    }

    static Stream<Arguments> sentences() {
        return Stream.of(
                kept(
                        "acquire* own by handle and never nest; where the thread has it by lock() they fail at once",
                        CONTRACT,
                        "OwnershipContract",
                        "handlesNeverNest",
                        "aThreadThatAcquiresTwiceWaitsForItself",
                        "acquiringWhatTheThreadHasByLockFailsAtOnce",
                        "twoAsynchronousTasksOnOneThreadDoNotBothHold"),
                kept(
                        "an ordinary hold's id can be released by its own keeper only",
                        CONTRACT,
                        "ReleaseContract",
                        "anOrdinaryHoldIsReleasedByItsOwnKeeperOnly",
                        "aPortableHoldIsReleasedByAnyProcessThatKnowsItsId"),
                kept(
                        "portable holds are never handed on or shared",
                        ENGINE,
                        "HandOffTest",
                        "portableAndFixedHoldsAreNotHandedOn",
                        "aPortableHoldHasTheIdOfItsClaim"),
                kept(
                        "portable holds are never handed on or shared",
                        ENGINE,
                        "SharingTest",
                        "portableReadersDoNotShare"),
                kept(
                        "multi-locks in canonical order by name, family and a store id",
                        SHELL,
                        "TroubleTest",
                        "multiLocksAreTakenByNameFamilyAndTheStoresOwnId"),
                kept(
                        "a guard checks the pair of token and hold id",
                        CONTRACT,
                        "FencingContract",
                        "anEqualTokenOfAnotherHoldIsRefused",
                        "aStaleHolderIsRefusedOnceItsSuccessorWrote"),
                kept(
                        "guards take exclusive holds only, by type",
                        HOUSE,
                        "HouseTest",
                        "guardsTakeExclusiveHoldsOnlyByType"),
                kept(
                        "a store claim belongs to the local queue; the next of the same mode, count and lease takes it over",
                        ENGINE,
                        "PendingClaimsTest",
                        "theNextWaiterInheritsTheClaimWhenTheHeadLeaves",
                        "aClaimIsInheritedWhileItsRequestIsUnderWay",
                        "aClaimIsNotInheritedByAnotherMode",
                        "aClaimIsNotInheritedByAnotherCount",
                        "aClaimIsNotInheritedByAnotherLease",
                        "theClaimIsWithdrawnWhenNobodyIsLeft"),
                kept(
                        "a store claim that no waiter is left for serves nobody else",
                        ENGINE,
                        "SharingTest",
                        "aReadersOwnClaimIsNeverGivenToAWriterAfterItJoined",
                        "aPlaceInTheStoreIsGivenUpWhenItsReaderJoinedAnotherGrant"),
                kept(
                        "fair waiters each have their own place, in the order of arrival, and share one poll",
                        ENGINE,
                        "FairTest",
                        "eachFairWaiterHasItsOwnClaim",
                        "aFairClaimIsSentWhenTheOneBeforeItHasItsPlace",
                        "theFirstFairWaiterPollsForAll",
                        "aLostReplyKeepsTheOrderOfArrival",
                        "aFairWaiterWhoseGrantCameTooLateIsLast",
                        "aFairWaiterThatWakesTooLateIsLast"),
                kept(
                        "handed on only while HELD with a third of the lease left, to an equal request; checked again on waking",
                        ENGINE,
                        "HandOffTest",
                        "handedOnOnlyWithAThirdOfTheLeaseLeft",
                        "notHandedOnWhileUncertain",
                        "notHandedOnToAnotherMode",
                        "notHandedOnToAnotherCount",
                        "notHandedOnToAnotherLease",
                        "aWaiterThatWakesAfterTheDeadlineGoesToTheStore",
                        "unspentTokensDieWithTheGrant"),
                kept(
                        "a release or withdrawal says whether a request is unanswered; an id is never used again",
                        ENGINE,
                        "UnansweredTest",
                        "aReleaseSaysThatARequestWasNeverAnswered",
                        "aWithdrawalSaysThatARequestWasNeverAnswered",
                        "anAnsweredClaimIsReleasedWithoutATombstone",
                        "aGrantThatTheStoreTookAwayStillGetsItsTombstone",
                        "anIdIsNeverRequestedAgainAfterItsReleaseWasSent"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("sentences")
    void eachSentenceIsKeptByNamedTests(String sentence, String file, String[] tests) throws IOException {
        String source = Files.readString(Path.of(file));

        for (String test : tests) {
            assertThat(source).as(sentence).contains("void " + test + "(");
        }
    }
}
