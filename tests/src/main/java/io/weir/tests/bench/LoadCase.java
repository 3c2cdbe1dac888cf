package io.weir.tests.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.tests.bench.KeepAliveConnection.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One kind of request, with the check that its answer is the right one.
 *
 * @param status of a right answer
 */
record LoadCase(String name, int status, Preparation preparation) {
    static final String MANY = "many";
    static final String LOADED = "loaded";
    static final String MADE = "made";
    static final String ONE = "one";
    static final String HUNDRED = "hundred";
    static final int SNAPSHOTS = 100;
    private static final int PAGE = 100;

    /** Checks the answer of a catalog and gives the requests to measure it by. */
    interface Preparation {
        /** Throws NotComparableException where the catalog does something else. */
        LoadBurst.Requests of(LoadTarget target);
    }

    /** What a catalog answers is not what the case is about. */
    static final class NotComparableException extends RuntimeException {
        NotComparableException(String message) {
            super(message);
        }
    }

    static List<LoadCase> all(int tables) {
        return List.of(
                new LoadCase("loadTable all, 1 snapshot", 200, target -> load(target, ONE, "all", 1)),
                new LoadCase("loadTable refs, 1 snapshot", 200, target -> load(target, ONE, "refs", 1)),
                new LoadCase("loadTable all, 100 snapshots", 200, target -> load(target, HUNDRED, "all", SNAPSHOTS)),
                new LoadCase("loadTable refs, 100 snapshots", 200, target -> load(target, HUNDRED, "refs", 1)),
                new LoadCase("loadTable, 304", 304, LoadCase::notModified),
                new LoadCase("listTables, all " + tables, 200, target -> list(target, tables)),
                new LoadCase("listTables, pages of " + PAGE, 200, target -> pages(target, tables)),
                new LoadCase("createTable", 200, LoadCase::create));
    }

    private static String path(String table, String mode) {
        return "/namespaces/" + LOADED + "/tables/" + table + "?snapshots=" + mode;
    }

    private static LoadBurst.Requests load(LoadTarget target, String table, String mode, int snapshots) {
        JsonNode metadata = target.json("GET", path(table, mode), "").path("metadata");
        int shown = metadata.path("snapshots").size();
        long sequence = metadata.path("last-sequence-number").asLong();
        if (!metadata.path("location").asText().contains(table)) {
            throw new IllegalStateException(target.name() + " answered with another table than " + table);
        }
        if (shown != snapshots) {
            throw new NotComparableException("shows " + shown + " snapshots instead of " + snapshots);
        }
        if (table.equals(HUNDRED) && sequence != SNAPSHOTS) {
            throw new NotComparableException("is at sequence number " + sequence);
        }
        byte[] request = target.get(path(table, mode));
        return () -> request;
    }

    private static LoadBurst.Requests notModified(LoadTarget target) {
        String path = path(ONE, "all");
        String tag = target.send(target.get(path))
                .header("ETag")
                .orElseThrow(() -> new NotComparableException("gives no ETag"));
        byte[] request = target.request("GET", path, "If-None-Match: " + tag + "\r\n", "");
        int status = target.send(request).status();
        if (status != 304) {
            throw new NotComparableException("answers " + status + " to the ETag it gave");
        }
        return () -> request;
    }

    private static LoadBurst.Requests list(LoadTarget target, int tables) {
        String path = "/namespaces/" + MANY + "/tables";
        JsonNode answer = target.json("GET", path, "");
        requireAll(target, names(answer), tables);
        byte[] request = target.get(path);
        return () -> request;
    }

    private static LoadBurst.Requests pages(LoadTarget target, int tables) {
        List<byte[]> requests = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (String token = ""; token != null; ) {
            byte[] request = target.get("/namespaces/" + MANY + "/tables?pageSize=" + PAGE + "&pageToken=" + token);
            Response response = target.send(request);
            if (response.status() != 200) {
                throw new NotComparableException("answers " + response.status() + " to a page");
            }
            JsonNode answer = LoadTarget.json(response);
            if (names(answer).size() > PAGE) {
                throw new NotComparableException("gives no pages");
            }
            names.addAll(names(answer));
            requests.add(request);
            token = answer.path("next-page-token").asText(null);
        }
        requireAll(target, names, tables);
        AtomicInteger next = new AtomicInteger();
        return () -> requests.get(Math.floorMod(next.getAndIncrement(), requests.size()));
    }

    private static List<String> names(JsonNode answer) {
        List<String> names = new ArrayList<>();
        answer.path("identifiers").forEach(table -> names.add(table.path("name").asText()));
        return names;
    }

    private static void requireAll(LoadTarget target, List<String> names, int tables) {
        Set<String> distinct = new TreeSet<>(names);
        if (names.size() != tables || distinct.size() != tables) {
            throw new IllegalStateException(target.name() + " lists " + names.size() + " tables instead of " + tables);
        }
    }

    private static LoadBurst.Requests create(LoadTarget target) {
        String first = "t" + System.nanoTime();
        JsonNode made = LoadTarget.json(target.send(target.createTable(MADE, first)));
        String id = made.path("metadata").path("table-uuid").asText("none");
        JsonNode loaded = target.json("GET", "/namespaces/" + MADE + "/tables/" + first, "");
        if (!loaded.path("metadata").path("table-uuid").asText().equals(id)) {
            throw new IllegalStateException(target.name() + " does not load the table it made");
        }
        AtomicInteger number = new AtomicInteger();
        return () -> target.createTable(MADE, first + "_" + number.incrementAndGet());
    }
}
