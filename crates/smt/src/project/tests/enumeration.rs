//! Models by trying values.
//!
//! The box of an `Enumeration` is all there is: what has no model with values in it counts as
//! having none. Tests bound variables inside their formulas, or check results point by point.

use crate::project::mentions::symbols;
use crate::project::{Oracle, Outcome};
use alphorn_term::eval::Program;
use alphorn_term::{Model, Rat, SortId, Store, TermId, Value};

/// Values to try.
pub(super) struct Enumeration {
    /// Integers from `-radius` to `radius`.
    pub(super) radius: i64,
    /// Reals in steps of one over this, within the radius.
    pub(super) steps: i64,
    /// How often it was asked.
    pub(super) questions: usize,
}

impl Enumeration {
    pub(super) fn new(radius: i64) -> Enumeration {
        Enumeration { radius, steps: 2, questions: 0 }
    }

    /// The values of a sort.
    pub(super) fn values(&self, sort: SortId) -> Vec<Value> {
        // Small numbers first make models, and so results, readable.
        let spread =
            |most: i64| (0..=most).flat_map(|n| if n == 0 { vec![0] } else { vec![n, -n] });
        match sort {
            SortId::BOOL => vec![Value::Bool(false), Value::Bool(true)],
            SortId::INT => spread(self.radius).map(|n| Value::Int(n.into())).collect(),
            SortId::REAL => spread(self.radius * self.steps)
                .map(|n| Value::Real(Rat::ratio(n, self.steps).unwrap()))
                .collect(),
            _ => panic!("tests enumerate truth values and numbers"),
        }
    }
}

/// Calls `visit` with all values of the variables until it returns false; `true` if it never did.
pub(super) fn for_all(domains: &[Vec<Value>], mut visit: impl FnMut(&[Value]) -> bool) -> bool {
    let mut places = vec![0; domains.len()];
    let mut values: Vec<Value> = domains.iter().map(|domain| domain[0].clone()).collect();
    loop {
        if !visit(&values) {
            return false;
        }
        let Some(turn) = (0..domains.len()).find(|&at| places[at] + 1 < domains[at].len()) else {
            return true;
        };
        for at in 0..=turn {
            places[at] = if at == turn { places[at] + 1 } else { 0 };
            values[at] = domains[at][places[at]].clone();
        }
    }
}

impl Oracle for Enumeration {
    fn check(&mut self, store: &mut Store, formulas: &[TermId]) -> Outcome {
        self.questions += 1;
        let formula = store.and(formulas);
        let vars = symbols(store, formula);
        let domains: Vec<Vec<Value>> =
            vars.iter().map(|&var| self.values(store.sort(var))).collect();
        let mut program = Program::new(store, &vars, &[formula]);
        let mut found = None;
        for_all(&domains, |values| {
            program.run(store, values, &Model::new());
            if program.holds(0) == Ok(true) {
                found = Some(values.to_vec());
            }
            found.is_none()
        });
        match found {
            None => Outcome::Unsat,
            Some(values) => {
                let mut model = Model::new();
                vars.iter().zip(values).for_each(|(&var, value)| model.set(var, value));
                Outcome::Sat(Box::new(model))
            }
        }
    }
}
