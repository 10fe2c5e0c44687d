//! The interpolants of all nodes out of one proof.
//!
//! The formulas are asserted as partitions of one solver. Its trace, trimmed, goes through the
//! propositional interpolation of `alphorn-sat`, with lemmas interpolated by their theories. Clauses
//! that define a connective or an operator are true whatever the symbols mean, so they may count
//! for the partition that met them first.
//!
//! A variable of the search stands for a term; bounds for the normal form of their polynomial, in
//! which no symbol occurs that some partition with the bound does not have. Atoms that only lemmas
//! mention count for all partitions that have their symbols. If there is none, the atom is *mixed*,
//! and this proof gives no interpolants.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use alphorn_problem::evidence::proof::Literal;
use alphorn_sat::aig::Aig;
use alphorn_sat::interpolate::{Cuts, Interpolator, Policy};
use alphorn_sat::{Answer, ClauseId, Lit, Origin, Trace, Var};
use alphorn_term::{Model, Store, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::graph::Graph;
use super::lemma::Lemmas;
use super::problem::{Problem, Symbols};
use super::{InterpolationOptions, Strength};
use crate::linear::Linear;
use crate::project::Symbol;
use crate::project::constraint::{Constraint, Relation};
use crate::smt::{Reason, Smt};
use crate::theories::atoms::Meaning;
use crate::theories::encode::Leaf;
use crate::theories::words::lift::{Names, bit_literal, lift};

/// What a proof came to.
pub(super) enum Outcome {
    /// An interpolant for each node. Under literals, a node whose interpolant cannot be made has false.
    Interpolants(Vec<TermId>),
    /// There is no proof but a model.
    Satisfiable(Box<Model>),
    /// There is a proof, but it has mixed atoms or a lemma that cannot be done.
    Stuck,
    /// There is neither proof nor model.
    Unknown(Reason),
}

/// The interpolants of all nodes, from one proof.
pub(super) fn interpolate(
    store: &mut Store,
    problem: &Problem,
    options: &InterpolationOptions,
    seed: u32,
) -> Outcome {
    let mut smt = options.solver(true, seed);
    for (partition, formula) in problem.formulas.iter().enumerate() {
        smt.assert_in(store, *formula, partition as u32);
    }
    match smt.check(store, &[]) {
        Answer::Sat => return Outcome::Satisfiable(Box::new(smt.model(store))),
        Answer::Unknown => {
            return Outcome::Unknown(smt.reason_unknown().unwrap_or(Reason::Incomplete));
        }
        Answer::Unsat => {}
    }
    // Under literals other symbols are shared, and whoever asks looks at them.
    let found = from_trace(&smt, store, problem, options);
    let is_right =
        |found: &Vec<TermId>| problem.is_assuming() || says_only_shared(store, problem, found);
    found.filter(is_right).map_or(Outcome::Stuck, Outcome::Interpolants)
}

/// Whether each interpolant has only symbols that occur on both sides of its cut.
fn says_only_shared(store: &Store, problem: &Problem, found: &[TermId]) -> bool {
    let mut symbols = Symbols::default();
    (0..problem.len()).zip(found).all(|(node, &interpolant)| {
        symbols.of(store, interpolant).iter().all(|&symbol| problem.is_shared(node, symbol))
    })
}

fn from_trace(
    smt: &Smt,
    store: &mut Store,
    problem: &Problem,
    options: &InterpolationOptions,
) -> Option<Vec<TermId>> {
    let (trace, goal) = (smt.kernel.search.trace()?, smt.kernel.search.conclusion()?);
    let trimmed = trace.trim(goal);
    let reading = Reading::new(smt, store, problem, trace, &trimmed.clauses)?;
    let mut cuts = Cuts::tree(&problem.parents).ok()?;
    reading.assign(problem, &mut cuts);
    let policy = match options.strength {
        Strength::Strong => Policy::McMillan,
        Strength::Balanced => Policy::Pudlak,
        Strength::Weak => Policy::DualMcMillan,
    };
    let relabel = |id: ClauseId, label: u32| reading.relabelled.get(&id).copied().unwrap_or(label);
    let graph = RefCell::new(Graph::default());
    let mut lemmas = Lemmas::new(smt, store, problem, options, &reading.literals, &graph);
    let mut interpolator =
        Interpolator::trimmed(trace, &trimmed).policy(policy).relabel(&relabel).theory(&mut lemmas);
    for (var, partition) in &reading.occurrences {
        interpolator = interpolator.occurrence(*var, *partition);
    }
    let mut aig = Aig::new();
    let mut map = |var: Var, aig: &mut Aig| {
        let literal = reading.literals[var.index()].expect("every variable of the proof is read");
        graph.borrow_mut().literal(aig, literal)
    };
    let edges = interpolator.cuts(&cuts, &mut aig, &mut map).ok()?;
    drop(interpolator);
    if lemmas.has_failed {
        return None;
    }
    let failed = std::mem::take(&mut lemmas.failed);
    drop(lemmas);
    let mut found = graph.borrow().terms(&aig, store, &edges);
    failed.into_iter().for_each(|cut| found[cut as usize] = TermId::FALSE);
    if !smt.theory().words.is_empty() {
        found.iter_mut().for_each(|interpolant| *interpolant = lift(store, *interpolant));
    }
    Some(found)
}

/// What the variables and clauses of a proof are.
struct Reading {
    /// The literal of terms for each variable that the proof has.
    literals: Vec<Option<Literal>>,
    /// Where variables occur that only lemmas have.
    occurrences: Vec<(Var, u32)>,
    /// Partitions of clauses that were made for none.
    relabelled: FxHashMap<ClauseId, u32>,
}

impl Reading {
    /// Reads a proof; nothing if it has mixed atoms.
    fn new(
        smt: &Smt,
        store: &mut Store,
        problem: &Problem,
        trace: &Trace,
        clauses: &[ClauseId],
    ) -> Option<Reading> {
        let mut symbols = Symbols::default();
        let mut homes = Homes { problem, witnesses: FxHashMap::default() };
        let mut literals: Vec<Option<Literal>> = gates(smt, store, problem, trace, clauses)?;
        let is_on_demand =
            smt.theory().words.has_arrangements || !smt.theory().arrays.terms.is_empty();
        let mut in_leaves: FxHashSet<Var> = FxHashSet::default();
        let mut relabelled = FxHashMap::default();
        for id in clauses {
            for lit in trace.literals(*id) {
                let index = lit.var().index();
                if literals.len() <= index {
                    literals.resize(index + 1, None);
                }
                if literals[index].is_none() {
                    literals[index] = Some(literal(smt, store, lit.var())?);
                }
            }
            let Origin::Input(own) = trace.origin(*id) else { continue };
            in_leaves.extend(trace.literals(*id).iter().map(|lit| lit.var()));
            let home = match leaf(smt, trace.literals(*id)) {
                Some(leaf @ (Leaf::Lemma(_) | Leaf::Axiom(..))) => match subject(leaf) {
                    Some(term) => homes.of(symbols.of(store, term)),
                    None => {
                        let lits = trace.literals(*id);
                        homes.of(&all_symbols(store, &mut symbols, &literals, lits))
                    }
                },
                Some(Leaf::Witness(_, witnesses)) => {
                    let all = all_symbols(store, &mut symbols, &literals, trace.literals(*id));
                    homes.introduce(&all, witnesses)
                }
                // Gates, and equations of what is read, that were made on demand were made for no formula.
                _ if is_on_demand => {
                    let all = all_symbols(store, &mut symbols, &literals, trace.literals(*id));
                    let home = homes.of(&all);
                    if home.contains(&own) {
                        continue;
                    }
                    home
                }
                _ => continue,
            };
            relabelled.insert(*id, *home.first()?);
        }
        let mut occurrences = Vec::new();
        for (index, literal) in literals.iter().enumerate() {
            let var = Var(index as u32);
            let Some(literal) = literal else { continue };
            if in_leaves.contains(&var) {
                continue;
            }
            let partitions = homes.of(symbols.of(store, literal.atom));
            if partitions.is_empty() {
                return None;
            }
            occurrences.extend(partitions.into_iter().map(|partition| (var, partition)));
        }
        Some(Reading { literals, occurrences, relabelled })
    }
}

impl Reading {
    /// Tells cuts the literals under which their interpolants have to be such.
    fn assign(&self, problem: &Problem, cuts: &mut Cuts) {
        let mut vars: FxHashMap<TermId, Lit> = FxHashMap::default();
        for (index, literal) in self.literals.iter().enumerate() {
            if let Some(literal) = literal {
                let lit = Var(index as u32).positive();
                vars.insert(literal.atom, if literal.negated { !lit } else { lit });
            }
        }
        for (cut, assumed) in problem.assumed.iter().enumerate() {
            let of = |literal: &Literal| {
                let lit = vars.get(&literal.atom).copied()?;
                Some(if literal.negated { !lit } else { lit })
            };
            let lits: Vec<Lit> = assumed.iter().filter_map(of).collect();
            cuts.assign(cut as u32, &lits);
        }
    }
}

/// The literals of variables that stand for gates: comparisons and bits of words where these have no
/// symbols that some partition with the variable does not have, else the gates spelled out.
fn gates(
    smt: &Smt,
    store: &mut Store,
    problem: &Problem,
    trace: &Trace,
    clauses: &[ClauseId],
) -> Option<Vec<Option<Literal>>> {
    let words = &smt.theory().words;
    let mut partitions: BTreeMap<Var, BTreeSet<u32>> = BTreeMap::new();
    for id in clauses {
        let Origin::Input(own) = trace.origin(*id) else { continue };
        for lit in trace.literals(*id).iter().filter(|lit| words.edge_of(lit.var()).is_some()) {
            partitions.entry(lit.var()).or_default().insert(own);
        }
    }
    let mut literals = Vec::new();
    if partitions.is_empty() {
        return Some(literals);
    }
    let names = Names::new(store, words);
    let mut symbols = Symbols::default();
    let mut known = FxHashMap::default();
    for (var, partitions) in partitions {
        let edge = words.edge_of(var)?;
        let mut found = None;
        for &name in names.of(edge.var()) {
            let nodes = problem.nodes_with(symbols.of(store, name.0));
            if partitions.iter().all(|partition| nodes.contains(partition)) {
                found = Some(bit_literal(store, name));
                break;
            }
        }
        let literal = match found {
            Some(literal) => literal,
            None => {
                let word = words.term(store, &mut known, edge)?;
                let formula = store.bv_to_bool(word);
                Literal::of(store, formula)
            }
        };
        literals.resize(literals.len().max(var.index() + 1), None);
        literals[var.index()] = Some(literal);
    }
    Some(literals)
}

/// Which nodes have symbols, also those that were introduced as witnesses.
struct Homes<'a> {
    problem: &'a Problem,
    /// The one node that each witness belongs to.
    witnesses: FxHashMap<Symbol, u32>,
}

impl Homes<'_> {
    /// The nodes that have all of the symbols.
    fn of(&self, symbols: &[Symbol]) -> Vec<u32> {
        let is_witness = |symbol: &Symbol| self.witnesses.contains_key(symbol);
        let (witnesses, plain): (Vec<Symbol>, Vec<Symbol>) =
            symbols.iter().copied().partition(is_witness);
        let mut nodes = self.problem.nodes_with(&plain);
        nodes.retain(|node| witnesses.iter().all(|symbol| self.witnesses[symbol] == *node));
        nodes
    }

    /// The node of a clause that introduces witnesses, which are its own from then on.
    fn introduce(&mut self, symbols: &[Symbol], witnesses: &[TermId]) -> Vec<u32> {
        let fresh: Vec<Symbol> = witnesses.iter().map(|var| Symbol::Variable(*var)).collect();
        let plain: Vec<Symbol> =
            symbols.iter().copied().filter(|symbol| !fresh.contains(symbol)).collect();
        let mut nodes = self.of(&plain);
        nodes.truncate(1);
        for node in &nodes {
            self.witnesses.extend(fresh.iter().map(|symbol| (*symbol, *node)));
        }
        nodes
    }
}

/// The symbols of all literals of a clause.
fn all_symbols(
    store: &Store,
    symbols: &mut Symbols,
    literals: &[Option<Literal>],
    clause: &[Lit],
) -> Vec<Symbol> {
    let atoms = clause.iter().filter_map(|lit| literals[lit.var().index()]);
    let mut all: Vec<Symbol> =
        atoms.flat_map(|literal| symbols.of(store, literal.atom).to_vec()).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The term that a clause which a theory stated is about, if it is about one.
fn subject(leaf: &Leaf) -> Option<TermId> {
    match leaf {
        Leaf::Lemma(lemma) => lemma.subject(),
        _ => None,
    }
}

/// Why a clause was given to the search.
fn leaf<'a>(smt: &'a Smt, lits: &[Lit]) -> Option<&'a Leaf> {
    let mut key = lits.to_vec();
    key.sort_unstable();
    key.dedup();
    smt.kernel.encoder.leaves.as_ref()?.get(&key)
}

/// The literal of terms that says what a variable says.
fn literal(smt: &Smt, store: &mut Store, var: Var) -> Option<Literal> {
    let theory = smt.theory();
    if let Meaning::Upper(form, bound) = theory.atoms.meaning(var) {
        let mut linear = Linear::constant(-bound.value.clone());
        for (unknown, factor) in theory.arithmetic.forms.get(form)? {
            linear
                .add_scaled(&Linear::atom(*smt.theory().arithmetic.unknowns.get(unknown)?), factor);
        }
        let relation = if bound.epsilon.is_zero() { Relation::AtMost } else { Relation::Below };
        let term = Constraint::new(linear, relation).literal(store);
        return Some(Literal::of(store, term));
    }
    if let Some(Some(literal)) = smt.kernel.encoder.terms.get(var.index()) {
        return Some(*literal);
    }
    let Meaning::Equal(left, right) = theory.atoms.meaning(var) else { return None };
    let terms = &smt.theory().equality.node_terms;
    let (left, right) = (*terms.get(left)?, *terms.get(right)?);
    let equation = store.eq(left, right);
    Some(Literal::of(store, equation))
}
