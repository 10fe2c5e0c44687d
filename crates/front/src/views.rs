//! Clauses about any few of any number of processes.
//!
//! A *view* is what is shared together with the states of k processes, in the order of their names. Clauses suppose that all
//! views of the processes that are looked at are as a predicate says, so that what they show holds for every
//! number of processes \[GSM16\]. Readers of protocols (`cubicle`) and of templates (`timed`) write such clauses; which of the processes are
//! looked at, and how a clause gets its name, is the same for both.

use alphorn_problem::horn::{Clause, Head};
use alphorn_problem::{Horn, Span};
use alphorn_term::TermId;

/// How many processes a protocol is read for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Processes {
    /// Any number, seen by so many at once.
    Any(usize),
    /// Just so many.
    Just(usize),
}

/// The most processes that are seen at once.
pub const MAX_SEEN: usize = 3;

/// All ways to choose so many different ones, in any order.
pub(crate) fn choices(count: usize, chosen: usize) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..chosen {
        let longer = all.iter().flat_map(|known| {
            let rest = (0..count).filter(|one| !known.contains(one));
            rest.map(|one| [known.as_slice(), &[one]].concat())
        });
        all = longer.collect();
    }
    all
}

/// All sets of so many, ascending.
pub(crate) fn subsets(count: usize, size: usize) -> Vec<Vec<usize>> {
    let is_ascending = |set: &Vec<usize>| set.windows(2).all(|pair| pair[0] < pair[1]);
    choices(count, size).into_iter().filter(is_ascending).collect()
}

/// Adds a clause, unless its body is false. Names of clauses are read again where a system is printed, so each has its number.
pub(crate) fn push(horn: &mut Horn, parts: &[TermId], head: Head, name: Option<&str>, span: Span) {
    let body = horn.terms.and(parts);
    if body == TermId::FALSE {
        return;
    }
    let mut roots = vec![body];
    if let Head::Atom(_, arguments) = &head {
        roots.extend(arguments);
    }
    let vars = horn.terms.free_vars(&roots);
    let name = name.map(|name| format!("{name}#{}", horn.clauses.len()));
    horn.clauses.push(Clause { vars, body, head, name, span });
}
