//! What is in force of a script: its assertions and declared functions, level by level.
//!
//! There is one account of this, for sessions and for those who only want to know what a script asks
//! (`questions`).
//!
//! Invariant: levels are in order, and none begins behind the end of what is in force.

use alphorn_front::smtlib::general::{Command, Script};
use alphorn_term::{FuncId, TermId};

/// Assertions of type `A`, and functions; `M` is what else is noted at the beginning of a level.
#[derive(Clone, Debug)]
pub(crate) struct InForce<A, M> {
    pub(crate) assertions: Vec<A>,
    pub(crate) funcs: Vec<FuncId>,
    levels: Vec<Level<M>>,
}

#[derive(Clone, Debug)]
struct Level<M> {
    assertions: usize,
    funcs: usize,
    noted: M,
}

impl<A, M> Default for InForce<A, M> {
    fn default() -> InForce<A, M> {
        InForce { assertions: Vec::new(), funcs: Vec::new(), levels: Vec::new() }
    }
}

impl<A, M: Clone> InForce<A, M> {
    /// Begins so many levels.
    pub(crate) fn push(&mut self, count: usize, noted: M) {
        let level = Level { assertions: self.assertions.len(), funcs: self.funcs.len(), noted };
        self.levels.extend(std::iter::repeat_n(level, count));
    }

    /// Ends so many levels, or all if there are fewer, and with them what was declared in them unless
    /// that is kept. What was noted when the outermost of them began; nothing if there is none.
    pub(crate) fn pop(&mut self, count: usize, keeps_declarations: bool) -> Option<M> {
        let base = self.levels.len().saturating_sub(count);
        let level = self.levels.drain(base..).next()?;
        self.assertions.truncate(level.assertions);
        if !keeps_declarations {
            self.funcs.truncate(level.funcs);
        }
        Some(level.noted)
    }

    /// Ends everything, declarations only if they are not kept.
    pub(crate) fn reset(&mut self, keeps_declarations: bool) {
        self.assertions.clear();
        self.levels.clear();
        if !keeps_declarations {
            self.funcs.clear();
        }
    }

    /// How many levels there are.
    pub(crate) fn level(&self) -> usize {
        self.levels.len()
    }

    /// How many assertions there were before each level.
    pub(crate) fn level_starts(&self) -> Vec<usize> {
        self.levels.iter().map(|level| level.assertions).collect()
    }
}

/// A question of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// What is asserted, then what is assumed.
    pub formulas: Vec<TermId>,
    /// The functions that a model has to interpret.
    pub funcs: Vec<FuncId>,
}

/// The questions that a script asks, in order.
pub fn questions(script: &Script) -> Vec<Asked> {
    let mut in_force: InForce<TermId, ()> = InForce::default();
    let mut is_global = false;
    let mut asked = Vec::new();
    for (command, _) in &script.commands {
        let assumptions = match command {
            Command::CheckSat | Command::CheckSatUsing(_) => &[],
            Command::CheckSatAssuming(assumptions) => assumptions.as_slice(),
            Command::Exit => break,
            _ => {
                follow(&mut in_force, command, &mut is_global);
                continue;
            }
        };
        let assumed = assumptions.iter().map(|written| written.term);
        let formulas = in_force.assertions.iter().copied().chain(assumed).collect();
        asked.push(Asked { formulas, funcs: in_force.funcs.clone() });
    }
    asked
}

/// What a command that asks nothing changes.
fn follow(in_force: &mut InForce<TermId, ()>, command: &Command, is_global: &mut bool) {
    match command {
        Command::SetOption(attribute) if attribute.keyword == ":global-declarations" => {
            *is_global = attribute.value.as_deref() == Some("true");
        }
        Command::DeclareFun(func) => in_force.funcs.push(*func),
        Command::Assert { formula, .. } => in_force.assertions.push(formula.term),
        Command::Define { axioms, .. } => {
            in_force.assertions.extend(axioms.iter().map(|axiom| axiom.term));
        }
        Command::Push(count) => in_force.push(*count, ()),
        Command::Pop(count) => {
            let _ = in_force.pop(*count, *is_global);
        }
        Command::Reset => {
            in_force.reset(false);
            *is_global = false;
        }
        Command::ResetAssertions => in_force.reset(*is_global),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alphorn_front::smtlib::general::read;

    /// How many formulas and functions each question of a script is about.
    fn counts(text: &str) -> Vec<(usize, usize)> {
        let script = read(text.as_bytes()).0.expect("the script is read");
        let sizes = |asked: Asked| (asked.formulas.len(), asked.funcs.len());
        questions(&script).into_iter().map(sizes).collect()
    }

    const LEVELS: &str = "(declare-const a Bool)(assert a)(push 2)(declare-const b Bool)
        (assert b)(check-sat-assuming (a b))(pop 1)(check-sat)(pop 0)(pop 1)(check-sat)";

    #[test]
    fn levels_end_with_their_assertions_and_declarations() {
        assert_eq!(counts(LEVELS), [(4, 2), (1, 1), (1, 1)]);
        let kept = format!("(set-option :global-declarations true){LEVELS}");
        assert_eq!(counts(&kept), [(4, 2), (1, 2), (1, 2)]);
    }

    #[test]
    fn a_reset_ends_everything_and_one_of_assertions_keeps_what_is_global() {
        let text = "(declare-const a Bool)(assert a)(push 1)(reset-assertions)(check-sat)";
        assert_eq!(counts(text), [(0, 0)]);
        let global = format!("(set-option :global-declarations true){text}");
        let again = "(reset)(declare-const a Bool)(push 1)(declare-const b Bool)(pop 1)(check-sat)";
        assert_eq!(counts(&format!("{global}{again}")), [(0, 1), (0, 1)]);
        assert_eq!(counts("(check-sat)(exit)(check-sat)"), [(0, 0)]);
    }
}
