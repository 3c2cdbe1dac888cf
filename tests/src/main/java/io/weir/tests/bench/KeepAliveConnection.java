package io.weir.tests.bench;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/**
 * HTTP/1.1 over one connection that is kept, for requests made of bytes beforehand: so little work that it is the server
 * that is measured. Bodies are read to their end, and kept only where asked for. Not for proxies, TLS or trailers.
 */
final class KeepAliveConnection implements AutoCloseable {
    private static final String END_OF_HEAD = "\r\n\r\n";

    private final Socket socket = new Socket();
    private final InputStream in;
    private final OutputStream out;
    private final byte[] buffer = new byte[1 << 16];
    private int position;
    private int limit;

    /** @param body empty unless it was to be kept */
    record Response(int status, String head, String body) {
        Optional<String> header(String name) {
            int start = indexOf(head, "\r\n" + name + ":");
            if (start < 0) {
                return Optional.empty();
            }
            int from = start + name.length() + 3;
            return Optional.of(head.substring(from, head.indexOf("\r\n", from)).trim());
        }

        private static int indexOf(String head, String what) {
            for (int i = 0; i <= head.length() - what.length(); i++) {
                if (head.charAt(i) == '\r' && head.regionMatches(true, i, what, 0, what.length())) {
                    return i;
                }
            }
            return -1;
        }
    }

    KeepAliveConnection(URI server) throws IOException {
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(60_000);
        socket.connect(new InetSocketAddress(server.getHost(), server.getPort()));
        in = socket.getInputStream();
        out = socket.getOutputStream();
    }

    Response exchange(byte[] request, boolean keepBody) throws IOException {
        out.write(request);
        String head = head();
        int status = Integer.parseInt(head, 9, 12, 10);
        Response bare = new Response(status, head, "");
        if (status == 204 || status == 304) {
            return bare;
        }
        ByteArrayOutputStream kept = keepBody ? new ByteArrayOutputStream() : null;
        boolean chunked = bare.header("Transfer-Encoding")
                .filter(encoding -> encoding.toLowerCase(Locale.ROOT).equals("chunked"))
                .isPresent();
        if (chunked) {
            chunks(kept);
        } else {
            body(Long.parseLong(bare.header("Content-Length").orElseThrow()), kept);
        }
        return keepBody ? new Response(status, head, kept.toString(StandardCharsets.UTF_8)) : bare;
    }

    /** The status line and the headers, each with its line's end. */
    private String head() throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.length() < 4
                || !head.substring(head.length() - END_OF_HEAD.length()).equals(END_OF_HEAD)) {
            head.append(line()).append("\r\n");
        }
        return head.toString();
    }

    private String line() throws IOException {
        for (int end = position; ; end++) {
            if (end == limit) {
                int read = end - position;
                fill(position);
                end = position + read;
            }
            if (buffer[end] == '\n') {
                String line = new String(buffer, position, end - 1 - position, StandardCharsets.ISO_8859_1);
                position = end + 1;
                return line;
            }
        }
    }

    private void chunks(ByteArrayOutputStream kept) throws IOException {
        while (true) {
            String size = line();
            int extension = size.indexOf(';');
            int length = Integer.parseInt(extension < 0 ? size : size.substring(0, extension), 16);
            if (length == 0) {
                line();
                return;
            }
            body(length, kept);
            line();
        }
    }

    private void body(long length, ByteArrayOutputStream kept) throws IOException {
        for (long left = length; left > 0; ) {
            if (position == limit) {
                fill(position);
            }
            int part = (int) Math.min(left, limit - position);
            if (kept != null) {
                kept.write(buffer, position, part);
            }
            position += part;
            left -= part;
        }
    }

    /** Reads more, after what is unread from {@code start} on, which moves to the buffer's begin. */
    private void fill(int start) throws IOException {
        System.arraycopy(buffer, start, buffer, 0, limit - start);
        limit -= start;
        position = 0;
        int read = in.read(buffer, limit, buffer.length - limit);
        if (read <= 0) {
            throw new EOFException("the server closed the connection");
        }
        limit += read;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
