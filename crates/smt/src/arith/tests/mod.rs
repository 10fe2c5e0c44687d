//! Tests of the arithmetic kernel: random traces against oracles that share no code with it.

mod floating;
mod integer;
mod oracle;
mod rational;
mod replay;

use alphorn_term::Rat;

use replay::{Inequality, replay};

use super::{Arith, Bound, Certificate, Delta, Feasible, Side, Tag, Var};

fn rat(value: i64) -> Rat {
    Rat::from(value)
}

/// A solver with the bounds that were asserted and are in force.
struct Traced {
    arith: Arith,
    asserted: Vec<(Bound, Tag)>,
    levels: Vec<usize>,
    tags: Tag,
}

impl Traced {
    fn new() -> Traced {
        Traced { arith: Arith::new(), asserted: Vec::new(), levels: Vec::new(), tags: 0 }
    }

    fn push(&mut self) {
        self.arith.push();
        self.levels.push(self.asserted.len());
    }

    fn pop(&mut self, levels: usize) {
        if levels == 0 {
            return;
        }
        self.arith.pop(levels);
        self.asserted.truncate(self.levels[self.levels.len() - levels]);
        self.levels.truncate(self.levels.len() - levels);
    }

    fn assert(&mut self, var: Var, side: Side, value: Delta) -> Result<(), Certificate> {
        let bound = Bound { var, side, value };
        self.tags += 1;
        self.asserted.push((bound.clone(), self.tags));
        self.arith.assert(bound, self.tags)
    }

    fn check(&mut self) -> Result<(), Certificate> {
        let feasible = self.arith.check()?;
        assert_eq!(feasible, Feasible::Yes);
        self.assert_model();
        self.arith.tableau.assert_consistent();
        Ok(())
    }

    /// The model satisfies definitions and bounds.
    fn assert_model(&self) {
        let model = self.arith.model();
        for var in (0..self.arith.vars() as u32).map(Var) {
            if let Some(definition) = self.arith.definition(var) {
                let sum = definition
                    .iter()
                    .fold(Rat::ZERO, |sum, (part, by)| sum + &model[part.index()] * by);
                assert_eq!(sum, model[var.index()], "{var:?} has the value of its definition");
            }
        }
        for (bound, _) in &self.asserted {
            let value = &model[bound.var.index()];
            let holds = match (bound.side, bound.value.epsilon.is_zero()) {
                (Side::Lower, true) => *value >= bound.value.value,
                (Side::Lower, false) => *value > bound.value.value,
                (Side::Upper, true) => *value <= bound.value.value,
                (Side::Upper, false) => *value < bound.value.value,
            };
            assert!(holds, "{value} satisfies {bound:?}");
        }
    }
}

/// Bounds that rows imply follow, by certificate, from the bounds in force.
fn check_implied(traced: &mut Traced) -> usize {
    let mut implied = Vec::new();
    traced.arith.implied(&mut implied);
    for found in &implied {
        let certificate = traced.arith.explain(found);
        let mut tags = Vec::new();
        traced.arith.explain_tags(found, &mut tags);
        tags.sort_unstable();
        tags.dedup();
        let mut expected: Vec<Tag> = certificate.tags().collect();
        expected.sort_unstable();
        assert_eq!(tags, expected);
        let last = replay(traced, &certificate);
        let claim = Inequality::of(&traced.arith, &found.bound);
        assert!(last.is_at_least(&claim), "{last:?} is not {claim:?}");
    }
    implied.len()
}
