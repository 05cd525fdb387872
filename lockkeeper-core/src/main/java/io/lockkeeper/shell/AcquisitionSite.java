package io.lockkeeper.shell;

/** Remembers the place that acquired a hold, for reports. Its trace is taken cheaply and read only if needed. */
final class AcquisitionSite extends Throwable {
    private static final long serialVersionUID = 1;

    private final String thread = Thread.currentThread().getName();

    AcquisitionSite() {
        super(null, null, false, true);
    }

    @Override
    public String getMessage() {
        return "acquired here, by thread '" + thread + "'";
    }
}
