package io.lockkeeper.faults.work;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lockkeeper.faults.history.AccessReader;
import io.lockkeeper.faults.history.Journal;
import io.lockkeeper.testkit.ChildConsole;
import io.lockkeeper.testkit.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;

/** The registers in a process of their own, which no fault is done to. It says its port first. Argument: its journal. */
public final class RegisterProgram {

    private RegisterProgram() {}

    public static ChildJvm start(Path journal) {
        return ChildJvm.start(RegisterProgram.class, journal.toString());
    }

    public static void main(String[] arguments) throws IOException {
        ChildConsole console = ChildConsole.open();
        Journal journal = new Journal(Path.of(arguments[0]));
        Registers registers = new Registers(access -> journal.note(AccessReader.line(access)), System::nanoTime);
        try (ServerSocket server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress())) {
            console.send(Integer.toString(server.getLocalPort()));
            while (true) {
                Socket socket = server.accept();
                Thread thread = new Thread(() -> serve(socket, registers), "a client's line");
                thread.setDaemon(true);
                thread.start();
            }
        }
    }

    private static void serve(Socket socket, Registers registers) {
        try (socket;
                BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8))) {
            socket.setTcpNoDelay(true);
            String client = in.readLine();
            for (String line = in.readLine(); client != null && line != null; line = in.readLine()) {
                String answer = registers.answer(client, line.split(" "));
                socket.getOutputStream().write((answer + "\n").getBytes(UTF_8));
            }
        } catch (IOException e) {
            // The client is gone, perhaps killed.
        }
    }
}
