//! Templates in circuits: orders of bits and settings of control inputs for which a circuit computes given functions.
//!
//! There is a solution such that for all inputs the outputs are the template's: an exists–forall problem
//! (`smt::ef`), over one truth value for each bit and position of a permutation, of which rows and columns have exactly one
//! that is true. These are tried as true first. What signatures exclude is assumed, not asserted: when nothing
//! is found the question is asked again without, so that what proves it needs no signatures.
//!
//! A solution is proved by the equivalence of two circuits. That there are no others is proved by the inputs for
//! which candidates failed. Both are made and certified as circuits (`problem::obligation::matching`).
//!
//! - `signature`: which bits cannot stand at which positions
//!
//! After Gascón, Subramanyan, Dutertre, Tiwari, Jovanović, Malik, Template-based circuit understanding
//! (FMCAD 2014). We differ in the direction of signatures: fixing control inputs lowers what a circuit depends
//! on, so a template may depend on less than the circuit, and not on more.

mod signature;

use crate::certify::certify;
use alphorn_engine::{Ctx, Limit, Stop};
use alphorn_problem::Verdict;
use alphorn_problem::circuit::{Circuit, Lit};
use alphorn_problem::evidence::circuit::Invariant;
use alphorn_problem::evidence::matching::{AllMatches, Match};
use alphorn_problem::matching::{Matching, Solution};
use alphorn_problem::obligation::matching::{Selection, exclusion, matrix, specialised};
use alphorn_smt::ef::ExistsForall;
use alphorn_smt::{Answer, Budget};
use alphorn_term::{Model, SortId, Store, TermId, Value};
use signature::excluded;
use std::sync::Arc;

/// Looks for a match, or for all: a match, or that these are all that there are.
pub fn find_matches(
    matching: &Matching,
    wants_all: bool,
    ctx: &mut Ctx<'_>,
) -> Result<Verdict<Matching>, Stop> {
    let mut search = Search::new(matching)?;
    let mut matches: Vec<Match> = Vec::new();
    let selection = &search.selection;
    let mut pruned = Vec::new();
    for (permutation, position, bit) in excluded(matching)? {
        let lit = selection.orders[permutation][position][bit];
        pruned.push(search.terms[lit.var() as usize]);
    }
    let mut assumed: Vec<TermId> = pruned.iter().map(|term| search.store.not(*term)).collect();
    loop {
        ctx.tick(1)?;
        match search.problem.check(&mut search.store, &assumed) {
            Answer::Unknown => return Err(Stop::Budget(Limit::Ticks)),
            Answer::Unsat if !assumed.is_empty() => assumed.clear(),
            Answer::Unsat => break,
            Answer::Sat => {
                let solution = search.solution();
                let circuit = specialised(matching, &solution).map_err(Stop::Stuck)?;
                let equivalence = certify(&circuit, 0, Invariant::Clauses(Vec::new()), ctx)?;
                let found = Match { solution, equivalence };
                if !wants_all {
                    return Ok(Verdict::Unsafe(found));
                }
                search.exclude(&found.solution);
                matches.push(found);
            }
        }
    }
    let vectors = search.vectors();
    let solutions: Vec<Solution> = matches.iter().map(|found| found.solution.clone()).collect();
    let circuit = exclusion(matching, &vectors, &solutions).map_err(Stop::Stuck)?;
    let exclusion = certify(&circuit, 0, Invariant::Clauses(Vec::new()), ctx)?;
    Ok(Verdict::Safe(AllMatches { matches, vectors, exclusion }))
}

/// A problem in terms.
struct Search<'m> {
    matching: &'m Matching,
    store: Store,
    problem: ExistsForall,
    selection: Selection,
    /// The terms of the variables of the matrix.
    terms: Vec<TermId>,
    /// The universal formula, if any input matters, and its variables by the positions of inputs.
    universal: TermId,
    bound: Vec<usize>,
}

impl<'m> Search<'m> {
    fn new(matching: &'m Matching) -> Result<Search<'m>, Stop> {
        let (circuit, selection) = matrix(matching).map_err(Stop::Stuck)?;
        let mut store = Store::new();
        let terms = terms_of(&mut store, &circuit);
        let holds = term(&mut store, &terms, circuit.bads[0]);
        let free = store.free_vars(&[holds]);
        let inputs = 0..matching.circuit.inputs as usize;
        let bound: Vec<usize> = inputs.filter(|input| free.contains(&terms[1 + input])).collect();
        let vars: Vec<TermId> = bound.iter().map(|input| terms[1 + input]).collect();
        let universal = if vars.is_empty() { holds } else { store.forall(&vars, holds) };
        let mut problem = ExistsForall::new(Budget::default(), Arc::default());
        for group in selection.groups() {
            let group: Vec<TermId> = group.iter().map(|lit| terms[lit.var() as usize]).collect();
            let some = store.or(&group);
            problem.assert(&mut store, some);
            for (place, &first) in group.iter().enumerate() {
                for &second in &group[place + 1..] {
                    let both = store.and(&[first, second]);
                    let not_both = store.not(both);
                    problem.assert(&mut store, not_both);
                }
            }
        }
        problem.assert(&mut store, universal);
        for lit in selection.orders.iter().flatten().flatten() {
            problem.prefer(&mut store, terms[lit.var() as usize]);
        }
        Ok(Search { matching, store, problem, selection, terms, universal, bound })
    }

    fn value(&self, model: &Model, lit: Lit) -> bool {
        let term = self.terms[lit.var() as usize];
        model.vars.get(&term).and_then(Value::as_bool).unwrap_or(false) != lit.is_negated()
    }

    /// The solution of the last question.
    fn solution(&self) -> Solution {
        let model = self.problem.model(&self.store);
        let at = |row: &Vec<Lit>| row.iter().position(|lit| self.value(&model, *lit)).unwrap_or(0);
        let Selection { orders, settings } = &self.selection;
        let bits = |row: &Vec<Lit>| row.iter().map(|lit| self.value(&model, *lit)).collect();
        Solution {
            orders: orders.iter().map(|order| order.iter().map(at).collect()).collect(),
            settings: settings.iter().map(bits).collect(),
        }
    }

    /// Leaves a solution out from now on.
    fn exclude(&mut self, solution: &Solution) {
        let mut same = Vec::new();
        for (order, bits) in self.selection.orders.iter().zip(&solution.orders) {
            let chosen = order.iter().zip(bits).map(|(row, &bit)| row[bit]);
            same.extend(chosen.map(|lit| self.terms[lit.var() as usize]));
        }
        for (setting, bits) in self.selection.settings.iter().zip(&solution.settings) {
            for (lit, &bit) in setting.iter().zip(bits) {
                let term = self.terms[lit.var() as usize];
                same.push(if bit { term } else { self.store.not(term) });
            }
        }
        let same = self.store.and(&same);
        let other = self.store.not(same);
        self.problem.assert(&mut self.store, other);
    }

    /// The inputs for which candidates failed.
    fn vectors(&self) -> Vec<Vec<bool>> {
        let instances = match self.bound.is_empty() {
            // One vector is like any other.
            true => vec![Vec::new()],
            false => self.problem.instances(self.universal),
        };
        let vector = |terms: Vec<TermId>| {
            let mut vector = vec![false; self.matching.circuit.inputs as usize];
            for (&input, term) in self.bound.iter().zip(terms) {
                vector[input] = term == TermId::TRUE;
            }
            vector
        };
        instances.into_iter().map(vector).collect()
    }
}

/// A term for each variable of a circuit without latches; inputs are variables.
pub(crate) fn terms_of(store: &mut Store, circuit: &Circuit) -> Vec<TermId> {
    let mut terms = vec![TermId::FALSE];
    for _ in 0..circuit.inputs {
        terms.push(store.fresh_var("i", SortId::BOOL));
    }
    for gate in &circuit.ands {
        let sides = [gate.left, gate.right].map(|lit| term(store, &terms, lit));
        terms.push(store.and(&sides));
    }
    terms
}

/// The term of a literal.
pub(crate) fn term(store: &mut Store, terms: &[TermId], lit: Lit) -> TermId {
    let term = terms[lit.var() as usize];
    if lit.is_negated() { store.not(term) } else { term }
}
