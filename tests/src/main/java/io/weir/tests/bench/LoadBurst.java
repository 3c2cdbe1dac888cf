package io.weir.tests.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;

/**
 * So many clients, each with a connection of its own, that send one request after the other for a time.
 *
 * @param p50 milliseconds, of all clients' requests
 * @param serverCpu microseconds of the server's for each request, on all its threads
 * @param clientShare of the cores' time that this process took, 0 to 1
 */
record LoadBurst(double perSecond, double p50, double p99, double serverCpu, double clientShare) {

    /** The requests of a case; called by many threads. */
    interface Requests {
        byte[] next();
    }

    static LoadBurst run(LoadTarget target, Requests requests, int status, int clients, Duration time) {
        CountDownLatch connected = new CountDownLatch(clients);
        CountDownLatch go = new CountDownLatch(1);
        try (ExecutorService threads =
                Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
            List<Future<long[]>> runs = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                runs.add(threads.submit(() -> client(target, requests, status, connected, go, time)));
            }
            connected.await();
            long clientBefore = ownCpu();
            long serverBefore = target.cpu().toNanos();
            long start = System.nanoTime();
            go.countDown();
            List<long[]> taken = new ArrayList<>();
            for (Future<long[]> run : runs) {
                taken.add(run.get());
            }
            double elapsed = System.nanoTime() - start;
            long[] all = taken.stream().flatMapToLong(LongStream::of).sorted().toArray();
            return new LoadBurst(
                    all.length / (elapsed / 1e9),
                    percentile(all, 0.5),
                    percentile(all, 0.99),
                    (target.cpu().toNanos() - serverBefore) / 1e3 / all.length,
                    (ownCpu() - clientBefore) / (elapsed * Runtime.getRuntime().availableProcessors()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a client of " + target.name() + " failed", e);
        }
    }

    /** Nanoseconds of each request. */
    private static long[] client(
            LoadTarget target,
            Requests requests,
            int status,
            CountDownLatch connected,
            CountDownLatch go,
            Duration time)
            throws InterruptedException {
        try (KeepAliveConnection connection = new KeepAliveConnection(target.api())) {
            connected.countDown();
            go.await();
            long[] taken = new long[1 << 10];
            int count = 0;
            long now = System.nanoTime();
            long end = now + time.toNanos();
            while (now < end) {
                byte[] request = requests.next();
                KeepAliveConnection.Response response = connection.exchange(request, false);
                if (response.status() != status) {
                    throw new IllegalStateException(target.name() + " answered " + response.head());
                }
                long then = System.nanoTime();
                taken = count == taken.length ? Arrays.copyOf(taken, 2 * count) : taken;
                taken[count++] = then - now;
                now = then;
            }
            return Arrays.copyOf(taken, count);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            connected.countDown();
        }
    }

    private static double percentile(long[] sorted, double share) {
        return sorted[(int) Math.min(sorted.length - 1, Math.floor(share * sorted.length))] / 1e6;
    }

    private static long ownCpu() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    /** The median of several bursts, figure by figure. */
    static LoadBurst median(List<LoadBurst> bursts) {
        return new LoadBurst(
                Figures.median(bursts.stream().map(LoadBurst::perSecond).toList()),
                Figures.median(bursts.stream().map(LoadBurst::p50).toList()),
                Figures.median(bursts.stream().map(LoadBurst::p99).toList()),
                Figures.median(bursts.stream().map(LoadBurst::serverCpu).toList()),
                Figures.median(bursts.stream().map(LoadBurst::clientShare).toList()));
    }
}
