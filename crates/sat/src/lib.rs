//! CDCL: incremental, with proofs, cores and propositional interpolation.
