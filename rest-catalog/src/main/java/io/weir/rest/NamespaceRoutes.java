package io.weir.rest;

import io.weir.coordinator.Action;
import io.weir.coordinator.CatalogState;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.rest.Endpoint;
import org.apache.iceberg.rest.requests.CreateNamespaceRequest;
import org.apache.iceberg.rest.requests.UpdateNamespacePropertiesRequest;
import org.apache.iceberg.rest.responses.CreateNamespaceResponse;
import org.apache.iceberg.rest.responses.GetNamespaceResponse;
import org.apache.iceberg.rest.responses.ListNamespacesResponse;
import org.apache.iceberg.rest.responses.UpdateNamespacePropertiesResponse;

/** Namespaces, nested ones too. */
final class NamespaceRoutes {
    private NamespaceRoutes() {}

    static List<Route> all() {
        return List.of(
                new Route(Endpoint.V1_LIST_NAMESPACES, NamespaceRoutes::list),
                new Route(Endpoint.V1_CREATE_NAMESPACE, NamespaceRoutes::create),
                new Route(Endpoint.V1_LOAD_NAMESPACE, NamespaceRoutes::load),
                new Route(Endpoint.V1_NAMESPACE_EXISTS, NamespaceRoutes::exists),
                new Route(Endpoint.V1_DELETE_NAMESPACE, NamespaceRoutes::drop),
                new Route(Endpoint.V1_UPDATE_NAMESPACE, NamespaceRoutes::update));
    }

    /** The namespace's properties, or 404. */
    static Map<String, String> properties(CatalogState state, Namespace namespace) {
        Map<String, String> properties = state.namespaces().get(namespace);
        if (properties == null) {
            throw new HttpProblem(404, "NoSuchNamespaceException", "Namespace does not exist: " + namespace);
        }
        return properties;
    }

    private static Answer list(Call call) {
        Namespace parent = call.query("parent")
                .filter(text -> !text.isEmpty())
                .map(call::namespace)
                .orElse(Namespace.empty());
        if (!parent.isEmpty()) {
            properties(call.state(), parent);
        }
        Page page = Page.of(call.state().childNames(parent), call);
        return Answer.ok(ListNamespacesResponse.builder()
                .addAll(page.items().stream()
                        .map(name -> CatalogState.child(parent, name))
                        .toList())
                .nextPageToken(page.next())
                .build());
    }

    private static Answer create(Call call) {
        CreateNamespaceRequest request = call.body(CreateNamespaceRequest.class);
        Namespace namespace = call.requireNew(request.namespace());
        call.commit(new Action.CreateNamespace(namespace, Properties.require(request.properties())));
        return Answer.ok(CreateNamespaceResponse.builder()
                .withNamespace(namespace)
                .setProperties(request.properties())
                .build());
    }

    private static Answer load(Call call) {
        Namespace namespace = call.namespace();
        return Answer.ok(GetNamespaceResponse.builder()
                .withNamespace(namespace)
                .setProperties(Properties.forResponse(properties(call.state(), namespace)))
                .build());
    }

    private static Answer exists(Call call) {
        properties(call.state(), call.namespace());
        return Answer.noContent();
    }

    private static Answer drop(Call call) {
        call.commit(new Action.DropNamespace(call.namespace()));
        return Answer.noContent();
    }

    private static Answer update(Call call) {
        Namespace namespace = call.namespace();
        UpdateNamespacePropertiesRequest request = call.body(UpdateNamespacePropertiesRequest.class);
        Map<String, String> updates = Properties.require(request.updates());
        Set<String> removals = new HashSet<>(request.removals());
        if (removals.contains(null)) {
            throw HttpProblem.badRequest("A name in removals is null");
        }
        Map<String, String> before = properties(call.state(), namespace);
        if (!removals.isEmpty() || !updates.isEmpty()) {
            call.commit(new Action.UpdateNamespace(namespace, updates, removals));
        }
        return Answer.ok(UpdateNamespacePropertiesResponse.builder()
                .addUpdated(updates.keySet())
                .addRemoved(removals.stream().filter(before::containsKey).toList())
                .addMissing(removals.stream()
                        .filter(key -> !before.containsKey(key))
                        .toList())
                .build());
    }
}
