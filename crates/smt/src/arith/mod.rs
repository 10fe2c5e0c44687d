//! Linear arithmetic on bounds: feasibility, explanations, integers, optimisation.
