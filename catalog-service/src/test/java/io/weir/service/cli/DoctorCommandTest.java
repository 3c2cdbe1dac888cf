package io.weir.service.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.store.Fault;
import io.weir.store.FaultPlan;
import io.weir.store.FaultyStore;
import io.weir.store.ObjectStore;
import io.weir.store.ObjectStores;
import io.weir.store.ProofResult;
import io.weir.store.StoreProof;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

class DoctorCommandTest {
    @TempDir
    Path folder;

    private static String reported(ProofResult result, int status) {
        StringWriter out = new StringWriter();
        PrintWriter writer = new PrintWriter(out);
        assertThat(DoctorCommand.report(result, writer)).isEqualTo(status);
        writer.flush();
        return out.toString();
    }

    @Test
    void aSafeStoreIsProvenWithItsLatenciesAndItsClock() throws Exception {
        CommandSpec spec = CommandSpec.forAnnotatedObject(new DoctorCommand());
        SettingsOptions.addTo(spec);
        StringWriter out = new StringWriter();
        int status = new CommandLine(spec).setOut(new PrintWriter(out)).execute("--lake", "a=" + folder);
        assertThat(status).isZero();
        assertThat(out.toString())
                .contains("lake a at file://")
                .contains("safe: one winner in each of 20 rounds of 20 concurrent writers")
                .contains("clock of the store less this machine's:")
                .containsPattern("create +median .* ms, 99% .* ms")
                .containsPattern("read +median")
                .containsPattern("list +median");
        try (Stream<Path> left = Files.walk(folder)) {
            assertThat(left.filter(Files::isRegularFile)).isEmpty();
        }
    }

    @Test
    void aStoreThatLetsManyWritersInFailsWithTheReason() {
        ProofResult refuted = new ProofResult.Refuted(List.of(new ProofResult.Finding(
                "create-if-absent", "20 of 20 concurrent writers were each told that they created it")));
        assertThat(reported(refuted, 1))
                .contains("NOT SAFE: a lake on this store could lose commits")
                .contains("create-if-absent: 20 of 20 concurrent writers");
    }

    @Test
    void aStoreThatDoesNotAnswerIsNotSaidToBeSafe() {
        ObjectStore refusing = FaultyStore.wrap(ObjectStores.memory(), FaultPlan.always(Fault.REFUSED));
        assertThat(reported(StoreProof.thorough(refusing), 1))
                .contains("NOT KNOWN: ")
                .contains("was refused");
    }

    @Test
    void aClockThatIsFarOffIsPointedOut() {
        assertThat(reported(new ProofResult.Proven(1, 1, List.of(), Duration.ofMinutes(-3)), 0))
                .contains("PT-3M")
                .contains("set this machine's clock by NTP");
        assertThat(reported(new ProofResult.Proven(1, 1, List.of(), Duration.ofSeconds(1)), 0))
                .doesNotContain("NTP");
    }
}
