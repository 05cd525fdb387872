package io.lockkeeper.faults.site;

import io.lockkeeper.faults.drive.Fault;
import io.lockkeeper.faults.drive.Site;
import java.nio.file.Path;
import java.util.List;

/** A folder on this machine. It has no server that could fail, and no leases: who is stopped keeps what it holds. */
final class FileSite implements Site {

    private final Path folder;

    FileSite(Path folder) {
        this.folder = folder;
    }

    @Override
    public String url() {
        return "file:" + folder;
    }

    @Override
    public boolean leased() {
        return false;
    }

    @Override
    public List<Fault> faults() {
        return List.of();
    }

    @Override
    public void close() {}
}
