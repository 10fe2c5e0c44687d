//! Instances of what folds say: of their equations and laws, at the terms that occur.
//!
//! The solver gets formulas without quantifiers, as many as the terms of a clause ask for: the value of
//! a fold on every application of a constructor, on what an unknown value is made of where that is asked
//! about, and the laws of every value. The checker has the equations and laws for all values, so a
//! refutation gets a step for each instance that it uses.

use super::data::Datatypes;
use alphorn_problem::evidence::fold::Folds;
use alphorn_problem::evidence::proof::{Literal, Proof, ProofStep, Rule, StepId};
use alphorn_problem::obligation::fold::{axioms, constructors, equations};
use alphorn_term::{CtorId, Op, Store, Substitution, TermId};
use rustc_hash::FxHashSet;

/// An instance of an axiom.
struct Instance {
    /// The axiom's position among all.
    axiom: usize,
    /// The terms for its variables.
    terms: Vec<TermId>,
    formula: TermId,
}

/// Instances of folds' axioms, to be asserted after some other formulas.
pub struct Instances {
    /// How many other formulas there are.
    before: usize,
    axioms: Vec<TermId>,
    list: Vec<Instance>,
}

impl Instances {
    /// The instances at the terms of some formulas. Functions with parameters and laws with quantifiers
    /// are left to the solver: their axioms are instances of themselves.
    pub fn of(folds: &Folds, store: &mut Store, formulas: &[TermId]) -> Instances {
        let axioms = axioms(folds, store);
        let is_hard = folds.functions.iter().any(|fold| !fold.params.is_empty())
            || folds.laws.iter().any(|law| store.has_quantifier(law.formula));
        if is_hard {
            let whole = |(axiom, &formula)| Instance { axiom, terms: Vec::new(), formula };
            let list = axioms.iter().enumerate().map(whole).collect();
            return Instances { before: formulas.len(), axioms, list };
        }
        Instances::with(folds, axioms, store, formulas, formulas.len())
    }

    /// The instances of equations alone, for proofs of laws.
    pub fn of_equations(folds: &Folds, store: &mut Store, formulas: &[TermId]) -> Instances {
        let axioms = equations(folds, store);
        Instances::with(folds, axioms, store, formulas, formulas.len())
    }

    fn with(
        folds: &Folds,
        axioms: Vec<TermId>,
        store: &mut Store,
        formulas: &[TermId],
        before: usize,
    ) -> Instances {
        let mut all = Instances { before, axioms, list: Vec::new() };
        if all.axioms.is_empty() {
            return all;
        }
        let (values, made) = occurring(store, formulas);
        let mut axiom = 0;
        for fold in &folds.functions {
            let sort = store.func(fold.func).args[0];
            for ctor in constructors(store, sort) {
                for (_, args) in made.iter().filter(|(other, _)| *other == ctor) {
                    all.add(store, axiom, args.clone());
                }
                axiom += 1;
            }
        }
        for law in folds.laws.iter().take(all.axioms.len() - axiom) {
            let sort = store.sort(law.var);
            for &value in &values {
                if store.sort(value) == sort {
                    all.add(store, axiom, vec![value]);
                }
            }
            axiom += 1;
        }
        all
    }

    fn add(&mut self, store: &mut Store, axiom: usize, terms: Vec<TermId>) {
        let term = self.axioms[axiom];
        let formula = match store.op(term) {
            Op::Forall => {
                let vars = store.bound_vars(term).to_vec();
                let map: Substitution = vars.into_iter().zip(terms.iter().copied()).collect();
                let body = *store.args(term).last().expect("a quantifier has a body");
                store.substitute(body, &map)
            }
            _ => term,
        };
        if formula != TermId::TRUE {
            self.list.push(Instance { axiom, terms, formula });
        }
    }

    /// The instances as formulas.
    pub fn formulas(&self) -> impl Iterator<Item = TermId> {
        self.list.iter().map(|instance| instance.formula)
    }

    /// A refutation of the other formulas and the instances as one of the other formulas and the axioms.
    pub fn instantiated(&self, store: &Store, proof: Proof) -> Proof {
        if self.list.is_empty() {
            return proof;
        }
        restated(store, proof, |number| {
            let Some(at) = number.checked_sub(self.before) else { return (number, Vec::new()) };
            let instance = &self.list[at];
            let axiom = self.axioms[instance.axiom];
            let rule = Rule::Instantiate(instance.terms.clone());
            let made = (instance.formula != axiom).then_some((axiom, instance.formula, rule));
            (self.before + instance.axiom, made.into_iter().collect())
        })
    }
}

/// A step from a formula to one that a rule makes of it.
pub(super) type Made = (TermId, TermId, Rule);

/// A refutation whose assertions are others', or what rules make of them: the number of the other assertion, and the
/// steps from it.
pub(super) fn restated(
    store: &Store,
    proof: Proof,
    origin: impl Fn(usize) -> (usize, Vec<Made>),
) -> Proof {
    let mut steps: Vec<ProofStep> = Vec::with_capacity(proof.steps.len());
    let mut place: Vec<StepId> = Vec::with_capacity(proof.steps.len());
    let last = |steps: &Vec<ProofStep>| StepId(steps.len() as u32 - 1);
    for ProofStep { clause, rule } in proof.steps {
        let rule = match rule {
            Rule::Rup(hints) => {
                Rule::Rup(hints.iter().map(|hint| place[hint.0 as usize]).collect())
            }
            Rule::Assert(number) => {
                let (source, made) = origin(number);
                let mut reason = Rule::Assert(source);
                for (whole, part, rule) in made {
                    let (whole, part) = (Literal::of(store, whole), Literal::of(store, part));
                    steps.push(ProofStep { clause: vec![whole], rule: reason });
                    let stated = last(&steps);
                    steps.push(ProofStep { clause: vec![!whole, part], rule });
                    reason = Rule::Rup(vec![stated, last(&steps)]);
                }
                reason
            }
            other => other,
        };
        steps.push(ProofStep { clause, rule });
        place.push(last(&steps));
    }
    Proof { steps }
}

/// The values of datatypes that occur, and the constructors with arguments whose values matter.
fn occurring(store: &mut Store, formulas: &[TermId]) -> (Vec<TermId>, Vec<(CtorId, Vec<TermId>)>) {
    let datatypes = Datatypes::of(store);
    let (mut values, mut made) = (Vec::new(), Vec::new());
    let mut known: FxHashSet<TermId> = FxHashSet::default();
    let all = store.subterms(formulas);
    let mut taken_apart: FxHashSet<TermId> = FxHashSet::default();
    for &term in &all {
        if matches!(store.op(term), Op::Is(_) | Op::Field(..)) {
            taken_apart.insert(store.args(term)[0]);
        }
        if datatypes.is_plain(store.sort(term)) {
            taken_apart.insert(term);
        }
    }
    for &term in &all {
        let ctors = constructors(store, store.sort(term));
        if ctors.is_empty() || !known.insert(term) {
            continue;
        }
        values.push(term);
        if let Op::Construct(ctor) = store.op(term) {
            made.push((ctor, store.args(term).to_vec()));
        } else if taken_apart.contains(&term) {
            for ctor in ctors {
                let fields = fields_of(store, ctor, term);
                values.extend(fields.iter().copied().filter(|&field| {
                    let is_data = !constructors(store, store.sort(field)).is_empty();
                    is_data && !all.contains(&field) && known.insert(field)
                }));
                made.push((ctor, fields));
            }
        }
    }
    (values, made)
}

/// The fields that a value has if a constructor made it.
pub fn fields_of(store: &mut Store, ctor: CtorId, value: TermId) -> Vec<TermId> {
    let count = store.ctor(ctor).fields.len() as u32;
    (0..count).map(|field| store.mk(Op::Field(ctor, field), &[value])).collect()
}
