//! C programs in the common form run as the programs themselves do.
//!
//! A program is run with random choices, and its form with the same: the form asks for them in the same
//! order, and ends in the same way at the same place. Where the program's run has no meaning the form's may
//! go on.

mod agree;
mod bytes;
mod modular;
mod programs;
mod random;
mod threads;
mod untreated;
