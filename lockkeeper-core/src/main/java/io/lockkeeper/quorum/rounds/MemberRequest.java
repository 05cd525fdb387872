package io.lockkeeper.quorum.rounds;

/**
 * A question to one member.
 *
 * @param member the member's number, from 0
 * @param ask what it is asked
 */
public record MemberRequest(int member, MemberCommand ask) {}
