//! Random systems over words of two bits and truth values, and their least models by brute force.

use crate::Rng;
use alphorn_problem::Horn;
use alphorn_problem::Span;
use alphorn_problem::horn::{Clause, Head, PredId};
use alphorn_term::value::elements;
use alphorn_term::{Bv, Model, Op, SortId, Store, TermId, Value, eval};
use std::collections::BTreeSet;

/// Makes finite systems.
pub struct Generator {
    rng: Rng,
    /// Whether bodies may need several facts.
    linear: bool,
}

impl Generator {
    /// The systems for a seed; the bodies of linear ones need one fact at most.
    pub fn new(seed: u64, linear: bool) -> Generator {
        Generator { rng: Rng::new(seed), linear }
    }

    /// A system made with these numbers.
    pub fn draw(rng: &mut Rng, linear: bool) -> Horn {
        Generator { rng: Rng::new(rng.next_u64()), linear }.system()
    }

    /// The next system.
    pub fn system(&mut self) -> Horn {
        let mut store = Store::new();
        let word = store.bv_sort(2);
        let mut horn = Horn::new(store);
        let count = 1 + self.rng.below(3);
        for number in 0..count {
            let arity = self.rng.below(3);
            let args: Vec<SortId> =
                (0..arity).map(|_| self.rng.pick(&[SortId::BOOL, word])).collect();
            horn.declare_pred(&format!("p{number}"), &args);
        }
        let clauses = 2 + self.rng.below(7);
        for number in 0..clauses {
            let names = ["a", "b", "c", "d"];
            let vars: Vec<TermId> = (0..self.rng.below(5))
                .map(|at| {
                    let sort = self.rng.pick(&[SortId::BOOL, word]);
                    horn.terms.var(&format!("{}{number}", names[at as usize]), sort)
                })
                .collect();
            let atoms =
                if number < 2 { 0 } else { 1 + u64::from(!self.linear) * self.rng.below(2) };
            let body = self.body(&mut horn, &vars, atoms, word);
            let head = if self.rng.below(4) == 0 {
                Head::False
            } else {
                let preds: Vec<PredId> = horn.pred_ids().collect();
                let pred = self.rng.pick(&preds);
                Head::Atom(pred, self.args(&mut horn, pred, &vars, word))
            };
            horn.clauses.push(Clause { vars, body, head, name: None, span: Span::NONE });
        }
        horn
    }

    fn args(
        &mut self,
        horn: &mut Horn,
        pred: PredId,
        vars: &[TermId],
        word: SortId,
    ) -> Vec<TermId> {
        let sorts = horn.pred_args(pred).to_vec();
        sorts
            .into_iter()
            .map(
                |sort| {
                    if sort == word { self.word(horn, vars, word) } else { self.truth(horn, vars) }
                },
            )
            .collect()
    }

    fn truth(&mut self, horn: &mut Horn, vars: &[TermId]) -> TermId {
        let fits: Vec<TermId> =
            vars.iter().copied().filter(|&v| horn.terms.sort(v) == SortId::BOOL).collect();
        if fits.is_empty() || self.rng.below(5) == 0 {
            return horn.terms.bool(self.rng.below(2) == 0);
        }
        let var = self.rng.pick(&fits);
        if self.rng.below(3) == 0 { horn.terms.not(var) } else { var }
    }

    fn word(&mut self, horn: &mut Horn, vars: &[TermId], word: SortId) -> TermId {
        let fits: Vec<TermId> =
            vars.iter().copied().filter(|&v| horn.terms.sort(v) == word).collect();
        if fits.is_empty() || self.rng.below(5) == 0 {
            return horn.terms.bv(Bv::from_u64(2, self.rng.below(4)));
        }
        let var = self.rng.pick(&fits);
        if self.rng.below(3) == 0 {
            let op = self.rng.pick(&[Op::BvAdd, Op::BvMul, Op::BvUdiv, Op::BvSub, Op::BvXor]);
            let other = self.word(horn, vars, word);
            return horn.terms.mk(op, &[var, other]);
        }
        var
    }

    fn constraint(&mut self, horn: &mut Horn, vars: &[TermId], word: SortId) -> TermId {
        match self.rng.below(5) {
            0 => self.truth(horn, vars),
            1 => {
                let (left, right) = (self.truth(horn, vars), self.truth(horn, vars));
                horn.terms.eq(left, right)
            }
            2 => {
                let (left, right) = (self.word(horn, vars, word), self.word(horn, vars, word));
                horn.terms.eq(left, right)
            }
            3 => {
                let (left, right) = (self.word(horn, vars, word), self.word(horn, vars, word));
                let op = self.rng.pick(&[Op::BvUlt, Op::BvUle, Op::BvSlt]);
                horn.terms.mk(op, &[left, right])
            }
            _ => {
                let condition = self.truth(horn, vars);
                let (then, other) = (self.word(horn, vars, word), self.word(horn, vars, word));
                let left = horn.terms.ite(condition, then, other);
                let right = self.word(horn, vars, word);
                let same = horn.terms.eq(left, right);
                if self.rng.below(2) == 0 { horn.terms.not(same) } else { same }
            }
        }
    }

    /// A body that needs at most `atoms` facts at once.
    fn body(&mut self, horn: &mut Horn, vars: &[TermId], atoms: u64, word: SortId) -> TermId {
        let mut parts = Vec::new();
        for _ in 0..atoms {
            let part = self.with_atom(horn, vars, word, 2);
            parts.push(part);
        }
        for _ in 0..self.rng.below(3) {
            let first = self.constraint(horn, vars, word);
            let second = self.constraint(horn, vars, word);
            parts.push(if self.rng.below(2) == 0 {
                horn.terms.or(&[first, second])
            } else {
                first
            });
        }
        horn.terms.and(&parts)
    }

    fn with_atom(&mut self, horn: &mut Horn, vars: &[TermId], word: SortId, depth: u32) -> TermId {
        match self.rng.below(5) {
            0 if depth > 0 => {
                let left = self.with_atom(horn, vars, word, depth - 1);
                let right = self.with_atom(horn, vars, word, depth - 1);
                horn.terms.or(&[left, right])
            }
            1 if depth > 0 => {
                let left = self.with_atom(horn, vars, word, depth - 1);
                let right = self.constraint(horn, vars, word);
                horn.terms.and(&[left, right])
            }
            2 if depth > 0 => {
                let left = self.with_atom(horn, vars, word, depth - 1);
                let right = self.constraint(horn, vars, word);
                horn.terms.or(&[left, right])
            }
            _ => {
                let preds: Vec<PredId> = horn.pred_ids().collect();
                let pred = self.rng.pick(&preds);
                let args = self.args(horn, pred, vars, word);
                let func = horn.pred(pred).func;
                horn.terms.mk(Op::Apply(func), &args)
            }
        }
    }
}

/// Whether false can be derived, by computing the least model naively.
pub fn is_safe_by_brute_force(horn: &Horn) -> bool {
    let mut facts: Vec<BTreeSet<Vec<Value>>> = vec![BTreeSet::new(); horn.preds.len()];
    loop {
        let mut grown = false;
        for clause in &horn.clauses {
            for instance in instances(horn, clause) {
                let mut model = instance;
                for pred in horn.pred_ids() {
                    let table = model.funcs.entry(horn.pred(pred).func).or_default();
                    table.default = Some(Value::Bool(false));
                    for fact in &facts[pred.index()] {
                        table.entries.insert(fact.clone(), Value::Bool(true));
                    }
                }
                if eval(&horn.terms, clause.body, &model) != Ok(Value::Bool(true)) {
                    continue;
                }
                match &clause.head {
                    Head::False => return false,
                    Head::Atom(pred, args) => {
                        let values = args.iter().map(|&arg| eval(&horn.terms, arg, &model));
                        let values: Vec<Value> =
                            values.collect::<Result<_, _>>().expect("terms have values");
                        grown |= facts[pred.index()].insert(values);
                    }
                }
            }
        }
        if !grown {
            return true;
        }
    }
}

fn instances(horn: &Horn, clause: &Clause) -> Vec<Model> {
    let mut models = vec![Model::new()];
    for &var in &clause.vars {
        let values =
            elements(&horn.terms, horn.terms.sort(var), 1 << 10).expect("the sorts are finite");
        models = models
            .iter()
            .flat_map(|model| {
                values.iter().map(|value| {
                    let mut longer = model.clone();
                    longer.set(var, value.clone());
                    longer
                })
            })
            .collect();
    }
    models
}
