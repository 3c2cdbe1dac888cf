package io.weir.incremental.view;

/**
 * How a view follows what it reads. Its texts are SQL expressions in which every name has been resolved: nothing in
 * them depends on how the view's text was spelled.
 */
public sealed interface Stage permits RowStage, CombinedStage, GroupStage {}
