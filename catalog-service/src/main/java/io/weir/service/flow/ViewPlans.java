package io.weir.service.flow;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.weir.coordinator.Expectation;
import io.weir.coordinator.FlowEntry;
import io.weir.incremental.view.Constraint;
import io.weir.incremental.view.OnViolation;
import io.weir.incremental.view.ViewCompiler;
import io.weir.incremental.view.ViewDefinition;
import io.weir.incremental.view.ViewPlan;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SchemaParser;

/** Plans of views, compiled from their stored queries and kept while their sources' schemas stay. */
final class ViewPlans {
    private static final int PLANS_KEPT = 1_000;

    private final ViewCompiler compiler;
    private final Cache<Key, ViewPlan> plans =
            Caffeine.newBuilder().maximumSize(PLANS_KEPT).build();

    private record Key(String query, List<Constraint> constraints, Map<String, String> schemas) {}

    ViewPlans(ViewCompiler compiler) {
        this.compiler = compiler;
    }

    /** @throws io.weir.incremental.view.ViewException when the query no longer stands on these sources */
    ViewPlan plan(String name, FlowEntry flow, Map<String, Schema> sources) {
        List<Constraint> constraints =
                flow.expectations().stream().map(ViewPlans::constraint).toList();
        Map<String, String> schemas = new TreeMap<>();
        sources.forEach((source, schema) -> schemas.put(source, SchemaParser.toJson(schema)));
        return plans.get(
                new Key(flow.query(), constraints, schemas),
                _ -> compiler.compile(
                        new ViewDefinition(name, flow.query(), Optional.empty(), constraints, flow.options()),
                        sources));
    }

    private static Constraint constraint(Expectation expectation) {
        return new Constraint(
                expectation.name(),
                expectation.condition(),
                switch (expectation.onViolation()) {
                    case KEEP -> OnViolation.KEEP;
                    case DROP -> OnViolation.DROP;
                    case FAIL -> OnViolation.FAIL;
                });
    }
}
