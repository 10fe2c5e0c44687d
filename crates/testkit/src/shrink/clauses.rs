//! Clauses, as those who test solvers write them down.

use super::{Shrink, steps};

impl Shrink for Vec<Vec<i32>> {
    fn smaller(&self) -> Box<dyn Iterator<Item = Self> + '_> {
        steps(self)
    }

    fn show(&self) -> String {
        let line = |clause: &Vec<i32>| {
            clause.iter().map(|literal| format!("{literal} ")).collect::<String>() + "0\n"
        };
        self.iter().map(line).collect()
    }
}
