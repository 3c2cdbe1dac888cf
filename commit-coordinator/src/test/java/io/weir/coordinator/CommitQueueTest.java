package io.weir.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class CommitQueueTest {
    private final CommitQueue<String> queue = new CommitQueue<>();

    private void add(String lane, int count) {
        for (int i = 0; i < count; i++) {
            queue.add(lane, lane + i);
        }
    }

    @Test
    void whatWaitsBehindAFloodGoesWithTheNextGroup() throws InterruptedException {
        add("flood", 1_000);
        add("calm", 2);
        assertThat(queue.take(4, Duration.ZERO)).containsExactly("flood0", "calm0", "flood1", "calm1");
        add("late", 1);
        assertThat(queue.take(4, Duration.ZERO)).containsExactly("flood2", "late0", "flood3", "flood4");
    }

    @Test
    void ofMoreLanesThanAGroupHoldsEachHasItsTurn() throws InterruptedException {
        add("a", 2);
        add("b", 2);
        add("c", 2);
        assertThat(queue.take(2, Duration.ZERO)).containsExactly("a0", "b0");
        assertThat(queue.take(2, Duration.ZERO)).containsExactly("c0", "a1");
        assertThat(queue.take(2, Duration.ZERO)).containsExactly("b1", "c1");
        assertThat(queue.isEmpty()).isTrue();
    }

    @Test
    void whoWaitsForARequestIsWokenByIt() throws InterruptedException {
        Thread later = Thread.ofVirtual().start(() -> add("a", 1));
        assertThat(queue.take(4, Duration.ofMinutes(1))).containsExactly("a0");
        later.join();
        assertThat(queue.take(4, Duration.ofMillis(1))).isEmpty();
    }

    @Test
    void whatIsDrainedIsGone() throws InterruptedException {
        add("a", 2);
        add("b", 1);
        assertThat(queue.drain()).containsExactly("a0", "a1", "b0");
        assertThat(queue.take(4, Duration.ZERO)).isEmpty();
    }
}
