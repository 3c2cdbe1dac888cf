package io.weir.tests.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Which way the modules look (ARCHITECTURE.md). */
class DependencyTest {
    private static final String STORE = "io.weir.store..";
    private static final String COORDINATOR = "io.weir.coordinator..";
    private static final String INCREMENTAL = "io.weir.incremental..";
    private static final String REST = "io.weir.rest..";
    private static final String SERVICE = "io.weir.service..";

    private static JavaClasses classes;

    @BeforeAll
    static void load() {
        classes = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("io.weir");
    }

    @Test
    void theCoordinatorKnowsNoHttpNoSqlAndNoneOfTheOthers() {
        noClasses()
                .that()
                .resideInAPackage(COORDINATOR)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        INCREMENTAL, REST, SERVICE, "io.javalin..", "jakarta.servlet..", "org.duckdb..", "java.sql..")
                .check(classes);
    }

    @Test
    void theStoreKnowsNothingOfWhatItStores() {
        noClasses()
                .that()
                .resideInAPackage(STORE)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(COORDINATOR, INCREMENTAL, REST, SERVICE)
                .check(classes);
    }

    @Test
    void theIncrementalEngineLooksAtNoneOfTheOthers() {
        noClasses()
                .that()
                .resideInAPackage(INCREMENTAL)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(STORE, COORDINATOR, REST, SERVICE, "io.javalin..", "software.amazon..")
                .check(classes);
    }

    @Test
    void theRestCatalogKnowsTheCoordinatorAlone() {
        noClasses()
                .that()
                .resideInAPackage(REST)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(INCREMENTAL, SERVICE, "org.duckdb..", "java.sql..")
                .check(classes);
    }

    @Test
    void duckDbStaysBehindTheEngine() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.weir.incremental.engine..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.duckdb..")
                .check(classes);
    }

    @Test
    void modulesFormNoCycle() {
        slices().matching("io.weir.(*)..").should().beFreeOfCycles().check(classes);
    }
}
