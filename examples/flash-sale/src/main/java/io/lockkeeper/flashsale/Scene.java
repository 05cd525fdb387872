package io.lockkeeper.flashsale;

/** What happens while the stock is sold. */
enum Scene {
    SALE("everybody sells"),
    KILL("a seller is killed (kill -9) just before it writes"),
    PAUSE("a seller is stopped (SIGSTOP) just before it writes, for longer than its lease, and goes on");

    private final String title;

    Scene(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }
}
