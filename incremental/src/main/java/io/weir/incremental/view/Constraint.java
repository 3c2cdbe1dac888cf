package io.weir.incremental.view;

import java.util.Objects;

/** An expectation as it was written: its name, its condition as SQL over the view's columns, and what a breach does. */
public record Constraint(String name, String condition, OnViolation onViolation) {
    public Constraint {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(condition, "condition");
        Objects.requireNonNull(onViolation, "onViolation");
    }
}
