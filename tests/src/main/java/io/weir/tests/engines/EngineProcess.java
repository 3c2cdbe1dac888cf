package io.weir.tests.engines;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.tests.fixtures.FixtureUnavailableException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * An engine in a process of its own that answers one JSON line per JSON line. Whatever else it prints is left alone; its
 * errors go to a log file. One request at a time.
 */
final class EngineProcess implements AutoCloseable {
    private static final String MARKER = "weir-engine: ";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration ANSWER_LIMIT = Duration.ofMinutes(3);
    private static final String ENDED = "";

    private final String name;
    private final Process process;
    private final Path log;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final Thread hook;

    private EngineProcess(String name, Process process, Path log) {
        this.name = name;
        this.process = process;
        this.log = log;
        this.hook = new Thread(process::destroyForcibly, "stop-" + name);
        Runtime.getRuntime().addShutdownHook(hook);
        Thread.ofVirtual().name(name + "-output").start(this::readLines);
    }

    /** Starts it and waits until it says that it is ready. */
    static EngineProcess start(String name, Path log, Duration limit, ProcessBuilder builder) {
        Process process;
        try {
            process = builder.redirectError(log.toFile()).start();
        } catch (IOException e) {
            throw new FixtureUnavailableException(name + " does not start: " + e.getMessage(), e);
        }
        EngineProcess engine = new EngineProcess(name, process, log);
        try {
            engine.next(limit);
            return engine;
        } catch (IllegalStateException e) {
            engine.close();
            throw new FixtureUnavailableException(e.getMessage(), e);
        }
    }

    private void readLines() {
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                if (line.startsWith(MARKER)) {
                    lines.add(line.substring(MARKER.length()));
                }
            }
            lines.add(ENDED);
        } catch (IOException e) {
            lines.add(ENDED);
        }
    }

    synchronized Answer ask(Map<String, ?> request) {
        try {
            OutputStream in = process.getOutputStream();
            in.write((JSON.writeValueAsString(request) + "\n").getBytes(StandardCharsets.UTF_8));
            in.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(name + " is gone; see " + log, e);
        }
        JsonNode answer = next(ANSWER_LIMIT);
        if (answer.has("error")) {
            throw new EngineException(name, answer.get("error").asText());
        }
        return Answer.of(answer);
    }

    private JsonNode next(Duration limit) {
        try {
            String line = lines.poll(limit.toMillis(), TimeUnit.MILLISECONDS);
            if (line == null) {
                throw new IllegalStateException(name + " did not answer within " + limit + "; see " + log);
            }
            if (line.equals(ENDED)) {
                throw new IllegalStateException(name + " ended; see " + log);
            }
            return JSON.readTree(line);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for " + name, e);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(name + " answered what is not JSON; see " + log, e);
        }
    }

    long pid() {
        return process.pid();
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().removeShutdownHook(hook);
    }
}
