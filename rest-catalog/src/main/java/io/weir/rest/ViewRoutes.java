package io.weir.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.coordinator.Action;
import io.weir.coordinator.CatalogState;
import io.weir.coordinator.LogicalView;
import io.weir.coordinator.MarkedVersions;
import io.weir.coordinator.UpdateFields;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.MetadataUpdate;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.rest.Endpoint;
import org.apache.iceberg.rest.RESTUtil;
import org.apache.iceberg.rest.requests.CreateViewRequest;
import org.apache.iceberg.rest.requests.RegisterViewRequest;
import org.apache.iceberg.rest.requests.RenameTableRequest;
import org.apache.iceberg.rest.responses.ImmutableLoadViewResponse;
import org.apache.iceberg.rest.responses.ListTablesResponse;
import org.apache.iceberg.rest.responses.LoadViewResponse;
import org.apache.iceberg.view.ViewMetadata;
import org.apache.iceberg.view.ViewProperties;
import org.apache.iceberg.view.ViewVersion;

/** Views of the Iceberg view specification. Materialized views are tables to engines and are not among them. */
final class ViewRoutes {
    private final RestOptions options;

    ViewRoutes(RestOptions options) {
        this.options = options;
    }

    List<Route> all() {
        return List.of(
                new Route(Endpoint.V1_LIST_VIEWS, ViewRoutes::list),
                new Route(Endpoint.V1_CREATE_VIEW, this::create),
                new Route(Endpoint.V1_LOAD_VIEW, this::load),
                new Route(Endpoint.V1_VIEW_EXISTS, ViewRoutes::exists),
                new Route(Endpoint.V1_UPDATE_VIEW, this::update),
                new Route(Endpoint.V1_DELETE_VIEW, ViewRoutes::drop),
                new Route(Endpoint.V1_RENAME_VIEW, ViewRoutes::rename),
                new Route(Endpoint.V1_REGISTER_VIEW, this::register));
    }

    private static Answer list(Call call) {
        Namespace namespace = call.namespace();
        NamespaceRoutes.properties(call.state(), namespace);
        Page page = Page.of(call.state().viewNames(namespace), call);
        return Answer.ok(ListTablesResponse.builder()
                .addAll(page.items().stream()
                        .map(name -> TableIdentifier.of(namespace, name))
                        .toList())
                .nextPageToken(page.next())
                .build());
    }

    private Answer create(Call call) {
        CreateViewRequest request = call.body(CreateViewRequest.class);
        JsonNode body = call.body();
        NewTable.requireKnownFields(body);
        Optional<ObjectNode> unknown = UpdateFields.ofVersion(body.path("view-version"));
        ViewVersion version = unknown.map(
                        fields -> MarkedVersions.marked(request.viewVersion(), MarkedVersions.mark(fields)))
                .orElse(request.viewVersion());
        TableIdentifier name = Names.table(call.namespace(), request.name());
        if (request.location() != null) {
            StoreOf.require(call.lake(), request.location());
        }
        ViewMetadata metadata;
        try {
            metadata = ViewMetadata.builder()
                    .setProperties(Properties.require(request.properties()))
                    .setLocation(
                            request.location() == null
                                    ? call.lake().newLocation(name)
                                    : RESTUtil.stripTrailingSlash(request.location()))
                    .setCurrentVersion(version, request.schema())
                    .build();
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new HttpProblem(400, "IllegalArgumentException", e.getMessage());
        }
        requireOnStore(call, metadata.properties());
        MarkedVersions besides = unknown.map(fields -> new MarkedVersions(Map.of(MarkedVersions.mark(fields), fields)))
                .orElse(MarkedVersions.NONE);
        return loaded(call, call.commit(new Action.CreateView(name, metadata, besides)), name);
    }

    private Answer load(Call call) {
        call.noteReferences();
        return loaded(call, call.state(), call.view());
    }

    private static Answer exists(Call call) {
        existing(call.state(), call.view());
        return Answer.noContent();
    }

    private Answer update(Call call) {
        TableIdentifier name = call.view();
        TableChange change = call.change(call.body(), "");
        change.identifier().filter(other -> !other.equals(name)).ifPresent(other -> {
            throw HttpProblem.badRequest("The request is to view %s, its body names view %s", name, other);
        });
        change.updates().forEach(update -> {
            if (update instanceof MetadataUpdate.SetProperties set) {
                requireOnStore(call, set.updated());
            }
        });
        return loaded(call, call.commit(List.of(change.ofView(name)), Optional.empty()), name);
    }

    private static Answer drop(Call call) {
        call.commit(new Action.DropView(call.view()));
        return Answer.noContent();
    }

    private static Answer rename(Call call) {
        RenameTableRequest request = call.body(RenameTableRequest.class);
        call.commit(new Action.RenameView(Names.require(request.source()), Names.require(request.destination())));
        return Answer.noContent();
    }

    private Answer register(Call call) {
        RegisterViewRequest request = call.body(RegisterViewRequest.class);
        TableIdentifier name = Names.table(call.namespace(), request.name());
        StoreOf.require(call.lake(), request.metadataLocation());
        return loaded(call, call.commit(new Action.RegisterView(name, request.metadataLocation())), name);
    }

    /** Elsewhere the lake could not write the view's metadata. */
    private static void requireOnStore(Call call, Map<String, String> properties) {
        String folder = properties.get(ViewProperties.WRITE_METADATA_LOCATION);
        if (folder != null) {
            StoreOf.require(call.lake(), folder);
        }
    }

    private static LogicalView existing(CatalogState state, TableIdentifier name) {
        return state.logicalView(name)
                .orElseThrow(() -> new HttpProblem(404, "NoSuchViewException", "View does not exist: " + name));
    }

    private Answer loaded(Call call, CatalogState state, TableIdentifier name) {
        LogicalView view = existing(state, name);
        LoadViewResponse response = ImmutableLoadViewResponse.builder()
                .metadata(call.lake().metadata(view))
                .metadataLocation(view.metadataLocation())
                .labels(CatalogLabels.of(
                        options.labels().apply(call.lake()),
                        state,
                        name.namespace(),
                        call.lake().metadata(view).properties()))
                .build();
        return Answer.json(200, Json.write(response, call.lake().unknownFields(view)));
    }
}
