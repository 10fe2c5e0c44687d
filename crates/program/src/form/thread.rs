//! Steps that have to do with other threads.
//!
//! A program that has them stands for several procedures that run at once (`crate::weave`), which share the global
//! variables. A thread may be interrupted where `Yield` stands, and nowhere else.

use super::{ProcId, VarId};
use alphorn_term::TermId;

/// What a step has to do with other threads.
#[derive(Clone, Debug)]
pub enum ThreadOp {
    /// Others may run here. What comes next is an access, if that matters to anybody.
    Yield(Option<Access>),
    /// The assumption that follows holds in every run: it says what is known.
    Known,
    /// Nobody else runs until `AtomicEnd`.
    AtomicBegin,
    /// The end of such a section.
    AtomicEnd,
    /// Takes a mutex, whose variable says who holds it; waits while somebody does.
    Lock(VarId),
    /// Takes a mutex if nobody holds it; the second variable says whether that is so.
    TryLock(VarId, VarId),
    /// Gives back a mutex; whoever does not hold it has no meaning.
    Unlock(VarId),
    /// Another thread runs a procedure with these arguments.
    Create {
        /// Which procedure.
        proc: ProcId,
        /// Its arguments.
        args: Vec<TermId>,
        /// What the number of the thread goes to.
        handle: VarId,
    },
    /// Waits until the thread of this number has ended.
    Join(TermId),
    /// Ends the thread.
    Exit,
}

/// An access to something that threads share.
#[derive(Clone, Debug)]
pub struct Access {
    /// The variables that hold it.
    pub vars: Vec<VarId>,
    /// Where in them, if they are arrays.
    pub selectors: Vec<TermId>,
    /// Whether it is written.
    pub is_write: bool,
    /// Whether it is done atomically.
    pub is_atomic: bool,
    /// That it takes place.
    pub guard: TermId,
}

impl ThreadOp {
    /// The terms that it reads.
    pub fn terms(&self) -> Vec<TermId> {
        match self {
            ThreadOp::Yield(Some(access)) => {
                access.selectors.iter().copied().chain([access.guard]).collect()
            }
            ThreadOp::Create { args, .. } => args.clone(),
            ThreadOp::Join(thread) => vec![*thread],
            _ => Vec::new(),
        }
    }

    /// The variables that it gives values.
    pub fn writes(&self) -> Vec<VarId> {
        match self {
            ThreadOp::Lock(mutex) | ThreadOp::Unlock(mutex) => vec![*mutex],
            ThreadOp::TryLock(mutex, result) => vec![*mutex, *result],
            ThreadOp::Create { handle, .. } => vec![*handle],
            _ => Vec::new(),
        }
    }
}
