package io.lockkeeper.testkit;

/** A child that says back what it is told; and one that starts another, stops it and waits to be killed. */
final class Echo {
    private Echo() {}

    public static void main(String[] args) throws InterruptedException {
        ChildConsole console = ChildConsole.open();
        while (true) {
            String line = console.receive();
            if (line.equals("end")) {
                System.exit(7);
            }
            if (line.startsWith("warn ")) {
                System.err.println(line);
            }
            console.send("you said " + line);
        }
    }

    /** A parent with a stopped child, whose pid it tells. */
    static final class Parent {
        private Parent() {}

        public static void main(String[] args) throws InterruptedException {
            ChildConsole console = ChildConsole.open();
            ChildJvm child = ChildJvm.start(Echo.class);
            child.ask("something");
            child.pause();
            console.send(Long.toString(child.pid()));
            console.receive();
        }
    }
}
