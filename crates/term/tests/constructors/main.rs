//! The promises of the normalising constructors: meaning, stability, and linear cost.

mod chains;
mod identities;
mod meaning;
