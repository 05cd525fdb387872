package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What must hold on Redis, and the tests that keep it: the sentences of the design that each close a hole, and the defects
 * D1 to D24 that were reproduced with another library's locks on Redis. Those of the contract suite run on Redis too. A
 * test that is renamed or removed is missed here.
 */
class RedisDesignTest {

    private static final String HERE = "src/test/java/io/lockkeeper/redis/";
    private static final String CONTRACT = "../lockkeeper-testkit/src/main/java/io/lockkeeper/testkit/contract/";

    private static Arguments here(String sentence, String file, String... tests) {
        return Arguments.of(sentence, HERE + file + ".java", tests);
    }

    private static Arguments contract(String sentence, String file, String... tests) {
        return Arguments.of(sentence, CONTRACT + file + ".java", tests);
    }

    static Stream<Arguments> sentences() {
        return Stream.of(
                here(
                        "a SET NX PX client on the same key and keepers exclude each other",
                        "SetNxInteropTest",
                        "eachKeepsTheOtherOut",
                        "ownClientsAndKeepersCountTogetherWithoutMissingOne"),
                here(
                        "scripts read and check types first and write last",
                        "WrongTypesTest",
                        "scriptsWriteNothingWhenAKeyHasAnotherType",
                        "latchesWriteNothingWhenAKeyHasAnotherType",
                        "aGuardWritesNothingWhenAKeyHasAnotherType"),
                here(
                        "tokens grow even if a failover, flush or eviction lost the counter",
                        "TokensTest",
                        "tokensGrowThroughFlushAndRestart",
                        "tokensGrowWhenTheClockIsSetBack",
                        "tokensGrowAfterALostHolder"),
                here(
                        "a block of tokens is bounded so that the counter never runs ahead of the clock",
                        "TokensTest",
                        "theCounterNeverRunsAheadOfTheClock",
                        "aBlockIsNoLongerThanTheTimeSinceTheLastToken",
                        "aBlockOfTokensIsTheClaimsAlone"),
                here(
                        "numbers are formatted whole",
                        "TokensTest",
                        "numbersBeyond2To31AreNotRoundedOrWrittenAsExponents",
                        "leasesBeyond2To31MillisecondsAreKeptAsTheyAre"),
                here(
                        "a claim queues only while its keeper is heard",
                        "LostMessagesTest",
                        "aKeeperQueuesOnlyWhileItIsHeard"),
                here(
                        "nobody waiting, nobody published to; one message to one keeper",
                        "CommandCountTest",
                        "anUncontendedPairIsTwoCommandsAndNothingIsPublished",
                        "aHandOverIsThreeCommands",
                        "oneReleaseTellsOneOfManyKeepers"),
                here(
                        "confirmation is an attempt with the same id; the claim stays at the head until then",
                        "QueueTest",
                        "confirmationCountsFromItsOwnSending",
                        "claimStaysAtTheHeadUntilItConfirms"),
                here(
                        "who was not stamped for 3 s is passed over, all in one bounded pass",
                        "QueueTest",
                        "silentClaimsArePassedOverInOneGo",
                        "aClaimThatIsAskedForAgainIsHeardAgain",
                        "aPollStampsTheKeepersClaimsBehindIt",
                        "aFairClaimOfASilentKeeperIsPassedOver"),
                here(
                        "PUBLISH that reaches nobody passes a claim over for this turn, never deletes it; fair ones wait",
                        "QueueTest",
                        "anUnsubscribedKeeperIsPassedAndKeepsItsPlace",
                        "aFairClaimIsNotPassedOver"),
                here(
                        "a free resource with a queue goes to its head, whichever script notices",
                        "QueueTest",
                        "aFreeResourceGoesToTheHeadOfItsQueue",
                        "renewingAnotherGrantOfTheResourceTellsTheHeadToo"),
                here(
                        "a release with an unanswered request leaves a tombstone",
                        "QueueTest",
                        "aLateRequestOfAReleasedClaimGrantsNothing",
                        "aLateRequestOfAClaimThatWaitedIsNotQueuedAgain",
                        "aTombstoneStandsAsLongAsTheLease",
                        "noTombstoneStandsWhereNothingIsUnanswered"),
                here(
                        "minReplicas: also after a confirmation, never for renewals; fewer: undone and refused",
                        "MinReplicasTest",
                        "aGrantIsOnTheReplicasWhenItIsGivenOut",
                        "tooFewReplicasAreRefusedAndNothingIsLeft",
                        "aHungReplicaIsNotCountedAndWhatItMissesIsUndone",
                        "aConfirmationWaitsForReplicasToo",
                        "heldLocksSurviveAHungReplica"),
                here(
                        "a newer format is refused with a sentence",
                        "StoredFormatTest",
                        "aNewerFormatIsRefusedWithASentence",
                        "nothingOfANewerFormatIsWrittenOver"),
                here(
                        "a name can leave neither its prefix nor choose its slot",
                        "KeysTest",
                        "aNameCannotChooseItsSlot",
                        "noTwoNamesFamiliesOrPrefixesShareAKey",
                        "twoPrefixesCannotTouchEachOther"),
                here(
                        "a server that does not know the scripts gets them",
                        "ScriptFlushTest",
                        "everythingGoesOnAfterScriptFlush",
                        "everythingGoesOnAfterARestart",
                        "aReplicatedGrantIsGivenOnceAfterScriptFlush"));
    }

    static Stream<Arguments> defects() {
        return Stream.of(
                here("D1 a hung shard", "PartialFailureTest", "aHungShardLosesNoLockElsewhere"),
                here(
                        "D2 a hung replica",
                        "MinReplicasTest",
                        "heldLocksSurviveAHungReplica",
                        "sixThousandHeldLocksSurviveAMinuteOfAHungReplica"),
                here("D3 an overwritten key", "PartialFailureTest", "anOverwrittenKeyHurtsOnlyItsOwnLock"),
                here(
                        "D4 a stall gives a hold count of two",
                        "LostRepliesTest",
                        "aReplyLostByAStallIsOneHold",
                        "aConnectionCutBeforeTheReplyIsOneHold",
                        "aPermitWhoseReplyWasLostIsCountedOnce"),
                here(
                        "D5 a stall leaves an orphan",
                        "LostRepliesTest",
                        "aCallerThatGaveUpLeavesNothing",
                        "anOrphanOfAProcessThatDiedEndsWithItsLease"),
                contract("D6 nobody tells of a loss", "LossContract", "aHolderLearnsThatItsGrantIsGone"),
                here(
                        "D7 a lost message and a lock",
                        "LostMessagesTest",
                        "aWaiterWithoutItsSubscriptionIsServed",
                        "aWaiterWhoseMessageIsLostOnItsWayIsServed",
                        "aFairWaiterWhoseMessageIsLostIsServed"),
                here(
                        "D8 a lost message and a permit",
                        "LostMessagesTest",
                        "aPermitThatComesBackWhileNothingIsHeardIsGivenOut"),
                here("D9 a lost message and a latch", "LostMessagesTest", "aLatchThatOpensWhileNothingIsHeardLetsGo"),
                here("D10 an expired lease leaks", "KeyExpiryTest", "anExpiredLeaseDoesNotLeakIntoTheNextAcquisition"),
                here("D11 a nested lease", "KeyExpiryTest", "aNestedLeaseDoesNotShortenTheOuterOne"),
                here(
                        "D12 the lease of a contended multi-lock",
                        "KeyExpiryTest",
                        "aContendedMultiLockHasTheLeaseItAskedFor"),
                contract(
                        "D13 a multi-lock deaf to interrupts",
                        "MutexContract",
                        "anInterruptEndsTheWaitAndLeavesNoTrace"),
                contract("D14 trying blocks", "AcquireContract", "tryingAHeldLockSaysNoAtOnce"),
                here("D15 a lease is ignored", "KeyExpiryTest", "everyFormHonoursItsLease"),
                here("D16 tokens begin again", "TokensTest", "tokensGrowThroughFlushAndRestart"),
                contract(
                        "D17 two tasks of one thread both hold",
                        "OwnershipContract",
                        "twoAsynchronousTasksOnOneThreadDoNotBothHold"),
                here(
                        "D18 a dead head of the queue",
                        "DeadWaitersTest",
                        "aKilledHeadDelaysTheNextByThreeSecondsAtMost",
                        "aKilledFairHeadDelaysTheNextByThreeSecondsAtMost",
                        "aPausedHeadDelaysTheNextByThreeSecondsAtMost",
                        "tenDeadWaitersDelayTheNextByThreeSeconds"),
                contract(
                        "D19 the order of fair waiters",
                        "FairContract",
                        "keepersAreServedInOrderOfArrival",
                        "thoseWhoLeaveDoNotDisturbTheOrder"),
                contract("D20 unlocking what one never held", "ReleaseContract", "unlockingWhatOneNeverHeldFails"),
                contract("D21 readers after a downgrade", "DowngradeContract", "readersWhoWaitedComeInAtOnce"),
                contract(
                        "D22 five permits, five waiters",
                        "SemaphoreWaitingContract",
                        "givingBackFiveWakesFiveAsynchronousWaiters"),
                here("D23 many contended names", "ManyWaitersTest", "twoThousandContendedNamesInOneKeeperAreAllServed"),
                contract("D24 a deleted latch", "LatchContract", "deletingItFreesThoseWhoWait"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"sentences", "defects"})
    void eachIsKeptByNamedTests(String what, String file, String[] tests) throws IOException {
        String source = Files.readString(Path.of(file));

        for (String test : tests) {
            assertThat(source).as(what).contains("void " + test + "(");
        }
    }
}
