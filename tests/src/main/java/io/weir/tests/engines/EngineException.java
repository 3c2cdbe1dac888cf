package io.weir.tests.engines;

/** What an engine said against a statement, in its own words. */
public final class EngineException extends RuntimeException {
    EngineException(String engine, String message) {
        super(engine + ": " + message);
    }
}
