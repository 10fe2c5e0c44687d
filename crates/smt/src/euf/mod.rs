//! Equality with uninterpreted functions: congruence closure.
