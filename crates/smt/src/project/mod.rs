//! What a model says about fewer variables.
