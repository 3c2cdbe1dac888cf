package io.weir.rest;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.NavigableSet;

/**
 * A part of a listing. The token is the last name that was given, so that a listing that changes between two pages never
 * repeats or leaves out a name that was there all along. Without a page size the rest comes whole.
 *
 * @param next null on the last page
 */
record Page(List<String> items, String next) {

    /** Takes steps for the page alone, however many names there are. */
    static Page of(NavigableSet<String> names, Call call) {
        NavigableSet<String> rest = call.query("pageToken")
                .filter(t -> !t.isEmpty())
                .map(token -> names.tailSet(decode(token), false))
                .orElse(names);
        int size = call.query("pageSize").map(Page::size).orElse(Integer.MAX_VALUE);
        List<String> items = rest.stream().limit(size).toList();
        boolean last = items.isEmpty() || items.getLast().equals(rest.last());
        return new Page(items, last ? null : encode(items.getLast()));
    }

    /** Whether everything is asked for. */
    static boolean isWhole(Call call) {
        return call.query("pageToken").filter(t -> !t.isEmpty()).isEmpty()
                && call.query("pageSize").isEmpty();
    }

    private static int size(String text) {
        if (text.matches("[1-9][0-9]{0,8}")) {
            return Integer.parseInt(text);
        }
        throw HttpProblem.badRequest("pageSize must be a positive number, not \"%s\"", text);
    }

    private static String encode(String last) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(last.getBytes(StandardCharsets.UTF_8));
    }

    private static String decode(String token) {
        try {
            return new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw HttpProblem.badRequest("pageToken \"%s\" is not one this catalog gave", token);
        }
    }
}
