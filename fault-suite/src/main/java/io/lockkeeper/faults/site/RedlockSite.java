package io.lockkeeper.faults.site;

import io.lockkeeper.faults.drive.Fault;
import io.lockkeeper.faults.drive.Pauses;
import io.lockkeeper.faults.drive.Scene;
import io.lockkeeper.faults.drive.ScriptedFault;
import io.lockkeeper.faults.drive.Site;
import io.lockkeeper.testkit.FaultProxy;
import io.lockkeeper.testkit.FaultProxy.Rule;
import io.lockkeeper.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Five Redis servers that know nothing of each other and keep nothing on disk; a proxy between each client and each of them. Never
 * are more than two of them unwell, so none of the faults excuses anything. A restarted one has no vote until the longest
 * lease has passed, so it counts as unwell for as long.
 */
final class RedlockSite implements Site {

    private static final int MEMBERS = 5;

    private final List<RedisServer> members;
    private final List<Links> links;
    private final Duration lease;

    RedlockSite(int clients, Duration lease) {
        this.lease = lease;
        members = IntStream.range(0, MEMBERS).mapToObj(i -> RedisServer.start()).toList();
        links = members.stream()
                .map(member -> new Links(clients, member.port()))
                .toList();
        awaitVotes();
    }

    @Override
    public String url(int client) {
        return url(links.stream().map(link -> link.port(client)).toList());
    }

    @Override
    public String url() {
        return url(members.stream().map(RedisServer::port).toList());
    }

    private String url(List<Integer> ports) {
        return "redlock://" + ports.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","))
                + "?longestLease=" + lease.toMillis() + "ms";
    }

    @Override
    public List<Fault> faults() {
        return List.of(
                new ScriptedFault("two members stopped", false, true, this::stopTwo),
                new ScriptedFault("member restarted empty", false, true, this::restartOne),
                new ScriptedFault("two members down, restarted empty", false, true, this::downTwo),
                new ScriptedFault(
                        "client cut off from two members", false, true, (scene, random) -> cutOff(2, scene, random)),
                new ScriptedFault(
                        "client cut off from three members", false, true, (scene, random) -> cutOff(3, scene, random)),
                new ScriptedFault("replies of two members held back", false, true, this::holdReplies),
                new ScriptedFault("replies of a member cut", false, true, this::cutReplies));
    }

    private String stopTwo(Scene scene, SplittableRandom random) {
        List<RedisServer> two = some(2, random).stream().map(members::get).toList();
        two.forEach(RedisServer::pause);
        Pauses.forTime(Pauses.times(scene.lease(), 0.5, 2, random));
        two.forEach(RedisServer::resume);
        return two.toString();
    }

    private String restartOne(Scene scene, SplittableRandom random) {
        RedisServer member = members.get(random.nextInt(MEMBERS));
        member.restart();
        awaitVotes();
        return member.toString();
    }

    private String downTwo(Scene scene, SplittableRandom random) {
        List<RedisServer> two = some(2, random).stream().map(members::get).toList();
        two.forEach(RedisServer::kill);
        Pauses.forTime(Pauses.times(scene.lease(), 0.2, 1.5, random));
        two.forEach(RedisServer::restart);
        awaitVotes();
        return two.toString();
    }

    private String cutOff(int from, Scene scene, SplittableRandom random) {
        int victim = scene.anyClient(random);
        List<FaultProxy> proxies = some(from, random).stream()
                .map(member -> links.get(member).of(victim))
                .toList();
        Links.swallow(proxies, Pauses.times(scene.lease(), 1.1, 2, random));
        return "client " + victim;
    }

    private String holdReplies(Scene scene, SplittableRandom random) {
        List<Integer> two = some(2, random);
        two.forEach(member -> links.get(member).all().forEach(proxy -> proxy.toClient(Rule.hold())));
        Pauses.forTime(Pauses.times(scene.lease(), 0.5, 1.5, random));
        two.forEach(member -> links.get(member).all().forEach(FaultProxy::heal));
        return "members " + two;
    }

    private String cutReplies(Scene scene, SplittableRandom random) {
        int member = random.nextInt(MEMBERS);
        for (int i = 0; i < 5; i++) {
            links.get(member).all().forEach(proxy -> proxy.toClient(Rule.cutAfter(random.nextInt(60))));
            Pauses.forTime(Pauses.times(Duration.ofMillis(100), 0.2, 1, random));
            links.get(member).all().forEach(FaultProxy::heal);
            Pauses.forTime(Pauses.times(Duration.ofMillis(200), 0.2, 1, random));
        }
        return "member " + member;
    }

    private static List<Integer> some(int count, SplittableRandom random) {
        List<Integer> all = new ArrayList<>(IntStream.range(0, MEMBERS).boxed().toList());
        for (int i = MEMBERS - 1; i > 0; i--) {
            Collections.swap(all, i, random.nextInt(i + 1));
        }
        return List.copyOf(all.subList(0, count));
    }

    /** Redis tells its age in whole seconds. */
    private void awaitVotes() {
        Pauses.until(
                () -> members.stream().allMatch(member -> age(member).compareTo(lease.plusSeconds(2)) >= 0),
                Duration.ofMinutes(2));
    }

    private static Duration age(RedisServer member) {
        return Duration.ofSeconds(Long.parseLong(member.info("server").getOrDefault("uptime_in_seconds", "0")));
    }

    @Override
    public void close() {
        links.forEach(Links::close);
        members.forEach(RedisServer::close);
    }
}
