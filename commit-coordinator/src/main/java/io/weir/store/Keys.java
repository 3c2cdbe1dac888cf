package io.weir.store;

import java.util.Comparator;

/** The rules of object keys, the same for every store, so that what one takes all take. */
final class Keys {
    /** Names of the local store's own temporary files; no key has a segment that begins so. */
    static final String TEMPORARY = ".weir-tmp-";

    /** The order of the UTF-8 bytes, which is that of the code points, and not {@link String#compareTo}. */
    static final Comparator<String> ORDER = (left, right) -> {
        int length = Math.min(left.length(), right.length());
        for (int i = 0; i < length; i++) {
            char a = left.charAt(i);
            char b = right.charAt(i);
            if (a != b) {
                boolean oneIsSurrogate = Character.isSurrogate(a) != Character.isSurrogate(b);
                return oneIsSurrogate ? (Character.isSurrogate(a) ? 1 : -1) : Character.compare(a, b);
            }
        }
        return Integer.compare(left.length(), right.length());
    };

    private Keys() {}

    static String checked(String key) {
        if (key.isEmpty()) {
            throw new IllegalArgumentException("an object key is not empty");
        }
        for (String segment : key.split("/", -1)) {
            if (segment.isEmpty() || segment.equals(".") || segment.equals("..") || segment.startsWith(TEMPORARY)) {
                throw new IllegalArgumentException("not an object key: '" + key + "': segments are not empty, '.', '..'"
                        + " nor begin with '" + TEMPORARY + "'");
            }
        }
        return key;
    }

    static int checkedLimit(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("a listing has a limit of at least 1: " + limit);
        }
        return limit;
    }
}
