package io.weir.incremental.view;

import io.weir.incremental.engine.Relation;
import java.util.Optional;

/** A change whose rows are in files, or in tables of the engine. */
record EngineDelta(Relation arriving, Optional<Relation> leaving, long rows) implements Delta {}
