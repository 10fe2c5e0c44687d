//! Integers: from a rational solution to an integer one, a contradiction, or a split.
//!
//! Called when the bounds have a rational solution; splits a variable whose value is no integer.

use alphorn_term::Int;

use super::Arith;
use super::bound::Var;
use super::certificate::Certificate;

/// How much may be spent on integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// What is cheap, for the middle of a search; never ends in a split.
    Light,
    /// All there is; ends in a split if nothing else decides.
    Full,
}

/// What became of the integers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Integers {
    /// The assignment satisfies all bounds and has integers where they belong.
    Model,
    /// There is no integer solution.
    Conflict(Certificate),
    /// Every integer solution has `var <= below` or `var >= below + 1`, and the assignment has
    /// neither.
    Branch {
        /// The variable to split.
        var: Var,
        /// The greatest value of the lower half.
        below: Int,
    },
    /// Undecided with the effort or the pivots allowed.
    Unknown,
}

impl Arith {
    /// Looks for integer values, after a check that found rational ones.
    pub fn check_integers(&mut self, effort: Effort) -> Integers {
        match (self.fractional(), effort) {
            (None, _) => Integers::Model,
            (Some(_), Effort::Light) => Integers::Unknown,
            (Some(var), Effort::Full) => {
                self.stats.branches += 1;
                Integers::Branch { var, below: self.values[var.index()].floor() }
            }
        }
    }

    /// An integer unknown whose value is no integer.
    fn fractional(&self) -> Option<Var> {
        let mut vars = self.variables.iter().zip(&self.values);
        let position = vars.position(|(variable, value)| {
            variable.is_int && variable.definition.is_none() && !value.is_integer()
        });
        position.map(|position| Var(position as u32))
    }
}
