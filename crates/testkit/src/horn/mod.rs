//! Horn systems for tests: random ones of every theory, what is right about the finite ones, and how an
//! engine's answer is judged.
//!
//! | systems | of |
//! |---|---|
//! | [`numbers`] | small integers and truth values, as text: linear ones, steps, trees |
//! | [`branching`] | the same with more atoms in a body and more predicates |
//! | [`mixed`] | integers, reals and truth values, with arguments that transforms like |
//! | [`finite`] | words of two bits and truth values; the least model is computed |
//! | [`theories`] | words, arrays or datatypes, as programs have them |
//! | [`texts`] | a number, by hand |
//! | [`acyclic`] | integers, reals and truth values without recursion, of a given shape |

pub mod acyclic;
pub mod branching;
pub mod finite;
pub mod judge;
pub mod mixed;
pub mod numbers;
pub mod texts;
pub mod theories;
