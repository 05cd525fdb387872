package io.lockkeeper.faults.drive;

import io.lockkeeper.faults.history.Life;
import io.lockkeeper.faults.work.ClientProgram;
import io.lockkeeper.faults.work.RegisterLine;
import io.lockkeeper.faults.work.RegisterProgram;
import io.lockkeeper.testkit.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** The processes of a run: the clients that live, those that lived, and the registers. */
public final class Scene implements AutoCloseable {

    private final Site site;
    private final Plan plan;
    private final Path folder;
    private final List<String> names;
    private final SplittableRandom seeds;
    private final ChildJvm registers;
    private final int registersPort;
    private final RegisterLine line;
    private final List<Client> living = new ArrayList<>();
    private final List<Client> all = new ArrayList<>();

    Scene(Site site, Plan plan, Path folder) throws IOException {
        this.site = site;
        this.plan = plan;
        this.folder = folder;
        names = IntStream.rangeClosed(1, plan.names())
                .mapToObj(n -> "lock-" + n)
                .toList();
        seeds = new SplittableRandom(plan.seed());
        registers = RegisterProgram.start(registersJournal());
        registersPort = Integer.parseInt(registers.receive(Duration.ofSeconds(60)));
        line = new RegisterLine(registersPort, "driver");
        for (int number = 1; number <= plan.clients(); number++) {
            living.add(begin(number, 0));
        }
        living.forEach(Client::awaitReady);
    }

    private Client begin(int number, int life) {
        Client client = new Client(new ClientProgram.Order(
                number + "." + life,
                site.url(number),
                registersPort,
                folder,
                plan.lease(),
                names,
                plan.threads(),
                seeds.nextLong()));
        all.add(client);
        return client;
    }

    public Duration lease() {
        return plan.lease();
    }

    public Site site() {
        return site;
    }

    public List<String> names() {
        return names;
    }

    /** How many clients there are; they are numbered from 1. */
    public int clients() {
        return living.size();
    }

    Client client(int number) {
        return living.get(number - 1);
    }

    /** A client by chance; mostly one that has just used a lock, since it probably waits for the next or holds one. */
    public int anyClient(SplittableRandom random) {
        String touchedBy = line.touched(names.get(random.nextInt(names.size()))).client();
        boolean active = random.nextInt(4) > 0;
        int other = random.nextInt(living.size()) + 1;
        return active && touchedBy.contains(".") ? Integer.parseInt(touchedBy.split("\\.")[0]) : other;
    }

    /** A new process in the place of one that was killed. */
    void replace(int number) {
        int life = Integer.parseInt(client(number).name().split("\\.")[1]) + 1;
        living.set(number - 1, begin(number, life));
        client(number).awaitReady();
    }

    /** Whether every name was used by a new holder after that moment. */
    public boolean allUsedSince(long moment) {
        return names.stream().allMatch(name -> line.touched(name).at() - moment > 0);
    }

    /** Ends the clients. */
    void end(Duration patience) {
        living.forEach(client -> client.tellToEnd(patience));
        living.forEach(client -> client.awaitEnd(patience.plusSeconds(20)));
    }

    List<Client> everyClient() {
        return all;
    }

    List<Life> lives() {
        return all.stream().map(Client::life).toList();
    }

    Path registersJournal() {
        return folder.resolve("registers.journal");
    }

    @Override
    public void close() {
        all.forEach(Client::close);
        line.close();
        registers.close();
    }
}
