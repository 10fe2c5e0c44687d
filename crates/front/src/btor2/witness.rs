//! BTOR2 witnesses: runs that violate properties, as `btormc` writes and `btorsim` reads them.
//!
//! A witness is `sat`, a line of properties (`b0 j1`), frames, and a line with a dot. A frame is a
//! part `#k` with values of states and a part `@k` with values of inputs; a value stands behind
//! the position of its state or input and before a symbol that nobody looks at. An array's
//! elements are given one by one (`3 [0101] 11`); a word for an array stands in all its places,
//! as in witnesses of pono. For arrays in arrays we write one index after the other (`[01][*]`,
//! where `*` is every index), which no other tool does.
//!
//! Only what does not follow is written: states without init in the first frame and states
//! without next in the later ones. What a reader finds missing is zero, as in `btorsim`.

mod elements;
mod read;
mod write;

pub use read::read_witness;
pub use write::write_witness;
