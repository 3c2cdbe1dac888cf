package io.weir.rest;

import java.nio.file.Path;
import org.apache.iceberg.rest.RESTCatalog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Tests each of which has an empty lake, served, and Iceberg's client of it. */
abstract class OnServedLake {
    @TempDir
    Path folder;

    ServedLake served;
    RESTCatalog catalog;

    @BeforeEach
    final void serveTheLake() {
        served = ServedLake.in(folder);
        catalog = served.catalog();
    }

    @AfterEach
    final void stopServing() throws Exception {
        catalog.close();
        served.close();
    }
}
