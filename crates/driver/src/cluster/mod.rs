//! One problem on many machines: processes that tell each other what they learn, over a broker that exists already.
//!
//! The broker is NATS with JetStream. A run has a name, and a stream of that name keeps its lines (`alphorn_report::journal`), so
//! that who comes late hears all of them. Every process first says what it is about; its place among those who said so is its
//! *role*: processes of different roles begin with different engines, with other seeds, and from the second round of
//! engines on without transforms.
//!
//! Invariant: nothing that comes in is believed. Lemmas are tried by engines; an answer counts if the checker accepts its
//! evidence about the problem as read here (`crate::journal`). A process or a broker that is lost costs time and no
//! answer: what could not be told is told when there is a broker again, and until then everybody works alone.

pub mod address;
mod jetstream;
mod joined;
mod nats;
mod stream;

pub use address::{Address, AddressError};
pub use joined::{Joined, NotJoined};
