package io.lockkeeper.cli.leased;

import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Backend;
import io.lockkeeper.spi.BackendProvider;
import io.lockkeeper.spi.Capability;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Keeper;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Renewal;
import io.lockkeeper.spi.Store;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/** Reaches a {@link LeasedServer} by its URL. */
public final class LeasedProvider implements BackendProvider {

    @Override
    public Set<String> schemes() {
        return Set.of("leased");
    }

    @Override
    public Backend create(String url) {
        return new Remote(url);
    }

    private record Remote(String describe) implements Backend {

        @Override
        public Set<Capability> capabilities() {
            return Set.of(Capability.EXPIRES, Capability.HAND_OFF);
        }

        @Override
        public Store open(Keeper keeper) {
            try {
                Socket socket = new Socket("localhost", URI.create(describe).getPort());
                socket.setTcpNoDelay(true);
                socket.setSoTimeout((int) keeper.commandLimit().toMillis());
                return new RemoteStore(keeper.id(), socket);
            } catch (IOException e) {
                throw new StoreUnavailableException("The test's store is not there", e);
            }
        }

        @Override
        public void close() {}
    }

    private static final class RemoteStore implements Store {

        private final String keeper;
        private final Socket socket;
        private final BufferedReader answers;
        private final ReentrantLock turn = new ReentrantLock();

        RemoteStore(String keeper, Socket socket) throws IOException {
            this.keeper = keeper;
            this.socket = socket;
            answers = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        }

        private String[] ask(String what, String words) {
            turn.lock();
            try {
                socket.getOutputStream()
                        .write((what + " " + keeper + " " + words + "\n").getBytes(StandardCharsets.UTF_8));
                String answer = answers.readLine();
                if (answer == null) {
                    throw new IOException("closed");
                }
                return answer.split(" ");
            } catch (IOException e) {
                throw new StoreUnavailableException("The test's store does not answer", e);
            } finally {
                turn.unlock();
            }
        }

        @Override
        public Answer attempt(Claim claim) {
            return Wire.answer(ask("attempt", Wire.write(claim)));
        }

        @Override
        public Release.Outcome release(Release release) {
            return Release.Outcome.valueOf(ask("release", Wire.write(release))[0]);
        }

        @Override
        public List<Renewal> renew(List<Claim> held, Duration limit) {
            return held.stream()
                    .map(claim -> Wire.renewal(ask("renew", Wire.write(claim))))
                    .toList();
        }

        @Override
        public boolean narrow(Claim held, Mode to) {
            return false;
        }

        @Override
        public Optional<ResourceState> inspect(Resource resource) {
            return Optional.empty();
        }

        @Override
        public List<ResourceState> list(String prefix) {
            return List.of();
        }

        @Override
        public boolean forceRelease(Resource resource) {
            return false;
        }

        @Override
        public void resize(Resource semaphore, int permits) {}

        @Override
        public String storeId() {
            return "test";
        }

        @Override
        public void close() {
            try {
                socket.close();
            } catch (IOException e) {
                // It ends with the process.
            }
        }
    }
}
