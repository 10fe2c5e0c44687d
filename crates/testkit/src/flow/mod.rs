//! Flows for tests: random small ones, what is right about them by brute force, and evidence that is changed.
//!
//! [`random::Small`] is a flow whose steps keep all variables within a small domain, so that whether every run
//! ends is seen from the finite graph of its states ([`oracle`]). [`mutate`] changes evidence a little; whether
//! what comes of it is still right is seen by evaluating its obligations for small values. [`pad`] adds what does
//! not matter. [`judge`] holds engines
//! and the checker to all that.

pub mod judge;
pub mod mutate;
pub mod oracle;
pub mod pad;
pub mod random;
