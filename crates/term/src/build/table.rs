//! Tables of functions as terms: case distinctions over arguments.
//!
//! Invariant: the term has the value that `Table::at` gives, for all values of the arguments.

use crate::eval::{Elsewhere, Table};
use crate::id::TermId;
use crate::op::Op;
use crate::store::Store;
use crate::value::Value;

/// How a value becomes a term; nothing for one that does not.
type Literal<'a> = &'a mut dyn FnMut(&mut Store, &Value) -> Option<TermId>;

impl Store {
    /// What a table says at `args`; `otherwise` where it says nothing, and nothing at all if a value
    /// is no term.
    pub fn table_term(
        &mut self,
        table: &Table,
        args: &[TermId],
        otherwise: Option<TermId>,
        literal: Literal<'_>,
    ) -> Option<TermId> {
        let mut whole = match &table.default {
            Some(value) => literal(self, value)?,
            None => otherwise?,
        };
        if let (Elsewhere::Sum(factors), Some(_)) = (&table.elsewhere, &table.default) {
            let mut parts = vec![whole];
            for (factor, arg) in factors.iter().zip(args).filter(|(factor, _)| **factor != 0) {
                parts.push(if *factor > 0 { *arg } else { self.neg(*arg) });
            }
            whole = self.app(Op::Add, &parts).ok()?;
        }
        let steps: Vec<Vec<&Value>> = match table.elsewhere {
            Elsewhere::Steps => (0..args.len()).map(|position| table.steps(position)).collect(),
            _ => vec![Vec::new(); args.len()],
        };
        for (keys, value) in table.entries.iter().rev() {
            let mut conditions = Vec::with_capacity(args.len());
            for ((&arg, key), steps) in args.iter().zip(keys).zip(&steps) {
                let Ok(place) = steps.binary_search(&key) else {
                    let key = literal(self, key)?;
                    conditions.push(self.app(Op::Eq, &[arg, key]).ok()?);
                    continue;
                };
                if place > 0 {
                    let key = literal(self, key)?;
                    conditions.push(self.app(Op::Le, &[key, arg]).ok()?);
                }
                if let Some(next) = steps.get(place + 1) {
                    let next = literal(self, next)?;
                    conditions.push(self.app(Op::Lt, &[arg, next]).ok()?);
                }
            }
            let condition = self.and(&conditions);
            let value = literal(self, value)?;
            whole = self.app(Op::Ite, &[condition, value, whole]).ok()?;
        }
        Some(whole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Model, eval};
    use crate::sort::SortId;

    fn int(value: i64) -> Value {
        Value::Int(value.into())
    }

    #[test]
    fn a_table_and_its_term_say_the_same() {
        let cases = [([1, 2], 7), ([1, 5], 8), ([4, 2], 9)];
        let entries = cases.iter().map(|(args, value)| (args.map(int).to_vec(), int(*value)));
        let plain = Table { entries: entries.collect(), default: Some(int(3)), ..Table::default() };
        let sum = Table { elsewhere: Elsewhere::Sum(vec![1, -1]), ..plain.clone() };
        let steps = Table { elsewhere: Elsewhere::Steps, ..plain.clone() };
        let mut store = Store::new();
        let [x, y] = ["x", "y"].map(|name| store.var(name, SortId::INT));
        for table in [&plain, &sum, &steps] {
            let value_term = &mut |store: &mut Store, value: &Value| store.value_term(value);
            let term = store.table_term(table, &[x, y], None, value_term).expect("all are terms");
            for (first, second) in (-1..7).flat_map(|first| (-1..8).map(move |y| (first, y))) {
                let mut model = Model::new();
                model.set(x, int(first));
                model.set(y, int(second));
                let found = table.at(&[int(first), int(second)]).expect("tables are total");
                assert_eq!(eval(&store, term, &model), Ok(found), "{table:?} {first} {second}");
            }
        }
        // Below all cases is as the least of them, and between two as the lower one.
        assert_eq!(steps.at(&[int(-5), int(0)]), Some(int(7)));
        assert_eq!(steps.at(&[int(3), int(9)]), Some(int(8)));
        assert_eq!(steps.at(&[int(9), int(9)]), Some(int(3)));
        assert_eq!(sum.at(&[int(9), int(4)]), Some(int(8)));
    }
}
