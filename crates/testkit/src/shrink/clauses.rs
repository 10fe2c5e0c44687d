//! Clauses made smaller: fewer of them, then shorter ones.

use super::{Shrink, shorter};

impl Shrink for Vec<Vec<i32>> {
    fn smaller(&self) -> Box<dyn Iterator<Item = Self> + '_> {
        let fewer = shorter(self);
        let literals = self.iter().enumerate().flat_map(move |(at, clause)| {
            (0..clause.len()).map(move |literal| {
                let mut clauses = self.clone();
                clauses[at].remove(literal);
                clauses
            })
        });
        Box::new(fewer.chain(literals))
    }

    fn show(&self) -> String {
        let line = |clause: &Vec<i32>| {
            clause.iter().map(|literal| format!("{literal} ")).collect::<String>() + "0\n"
        };
        self.iter().map(line).collect()
    }
}
