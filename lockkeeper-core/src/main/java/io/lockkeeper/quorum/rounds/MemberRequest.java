package io.lockkeeper.quorum.rounds;

/**
 * A request to one member.
 *
 * @param member the member's number, from 0
 * @param command what it is to do
 */
public record MemberRequest(int member, MemberCommand command) {}
