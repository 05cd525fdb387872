package io.lockkeeper.spring.boot;

import io.lockkeeper.jdbc.JdbcBackend;
import io.lockkeeper.spi.Backend;
import io.lockkeeper.spring.boot.KeeperProperties.StoreChoice;
import java.util.Arrays;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;

/** A data source of the application. */
final class DataSourceStore implements ApplicationStore {

    private final ListableBeanFactory beans;

    DataSourceStore(ListableBeanFactory beans) {
        this.beans = beans;
    }

    @Override
    public StoreChoice choice() {
        return StoreChoice.DATA_SOURCE;
    }

    @Override
    public String description() {
        return "the DataSource '" + String.join("', '", names()) + "'";
    }

    private String[] names() {
        return beans.getBeanNamesForType(DataSource.class);
    }

    @Override
    public Backend backend(KeeperProperties settings) {
        return JdbcBackend.builder()
                .dataSource(dataSource(settings.dataSource()))
                .createTables(Boolean.TRUE.equals(settings.createTables()))
                .build();
    }

    private DataSource dataSource(@Nullable String name) {
        if (name != null) {
            if (Arrays.asList(names()).contains(name)) {
                return beans.getBean(name, DataSource.class);
            }
            throw new KeeperStartException(
                    "There is no DataSource bean '" + name + "', which lockkeeper.data-source names",
                    "Name one of these beans: " + String.join(", ", names()) + ".");
        }
        try {
            return beans.getBean(DataSource.class);
        } catch (NoUniqueBeanDefinitionException several) {
            throw new KeeperStartException(
                    "The application has several DataSource beans, and none of them is primary: "
                            + String.join(", ", names()),
                    "Choose one with lockkeeper.data-source, for example lockkeeper.data-source=" + names()[0] + ".");
        }
    }
}
