package io.lockkeeper.flashsale;

import io.lockkeeper.jdbc.RowChange;
import io.lockkeeper.jdbc.VersionConflictException;
import io.lockkeeper.jdbc.VersionedUpdate;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Reads, thinks, and writes if the version is still the same; otherwise all of it again. Nothing is locked while thinking. */
final class VersionCheckout implements Checkout {

    private final VersionedUpdate goods =
            VersionedUpdate.of("seckill_good").key("id").version("version").within(Load.PATIENCE);
    private final DataSource source;

    VersionCheckout(DataSource source) {
        this.source = source;
    }

    @Override
    public Outcome serve(Desk desk) throws SQLException {
        try {
            VersionedUpdate.Result result = goods.update(
                    source,
                    Desk.GOOD,
                    row -> {
                        desk.attempt();
                        int stock = row.getInt("stock");
                        if (stock <= 0) {
                            return RowChange.none();
                        }
                        desk.think();
                        desk.beforeWrite();
                        return RowChange.set("stock", stock - 1);
                    },
                    connection -> desk.order(Desk.GOOD));
            return result.updated() ? Outcome.SOLD : Outcome.SOLD_OUT;
        } catch (VersionConflictException e) {
            return Outcome.FAILED;
        }
    }
}
