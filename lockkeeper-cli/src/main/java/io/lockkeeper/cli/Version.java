package io.lockkeeper.cli;

import picocli.CommandLine.IVersionProvider;

/** What the jar says of itself. */
final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() {
        String version = Version.class.getPackage().getImplementationVersion();
        return new String[] {
            "lockkeeper " + (version == null ? "(built from sources)" : version) + ", Java "
                    + System.getProperty("java.version")
        };
    }
}
