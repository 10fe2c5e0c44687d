//! Systems without recursion, by interpolation.
//!
//! Without recursion a query has finitely many derivations up to the values in them, and one formula
//! says that there is one (`expansion`). If it is satisfiable, the model is read back as a derivation
//! (`derivation`); otherwise interpolants of its parts are a model of the clauses (`solution`). Which
//! interpolation problem it is depends on the shape of the clauses the query needs:
//!
//! - body-disjoint: a tree, with flags where clauses are alternatives, expanded at once;
//! - linear: a graph with one node for each predicate;
//! - all other: a tree in which a predicate has a node for each use, of which there may be
//!   exponentially many. It is expanded where models of what is there so far go.
//!
//! Alternatives multiply, and a solver may drown in their combinations. When it seems to, *guesses*
//! are taken instead: a tree keeps only the clauses that a model took. Interpolants say why it is no
//! derivation; those that all clauses of their predicate keep to are lemmas, which hold for every
//! use of it, and at least one is always new.
//!
//! Where clauses are conjunctions there is no tree at all if it would be large: what is known of a
//! predicate is shared by its uses (`shared`).
//!
//! Queries are taken one after the other, and what one proved is known to those after it.
//!
//! Invariant: `known` satisfies all clauses but queries, and the queries that are done.
//!
//! After Rümmer, Hojjat, Kuncak, "Classifying and solving Horn clauses for verification" (VSTTE
//! 2013) and "Disjunctive interpolants for Horn-clause verification" (CAV 2013). Where we differ:
//! alternatives share the nodes of their atoms, linear systems are solved node by node, and guesses.

pub mod derivation;
mod determined;
pub mod expansion;
mod instances;
mod shared;
pub mod solution;

use crate::ask::{ask, ask_within};
use crate::model::parameters;
use crate::settings::{ACYCLIC_FEW_CONFLICTS, ACYCLIC_MAX_NODES, ACYCLIC_SHARES};
use crate::shape::Shape;
use alphorn_engine::{Card, Ctx, Engine, Event, Stop};
use alphorn_problem::evidence::horn::{Definition, Derivation, HornClaim};
use alphorn_problem::horn::{Clause, ClauseId, Head, PredId};
use alphorn_problem::obligation::horn::negation;
use alphorn_problem::{Finding, Horn};
use alphorn_smt::project::simplify;
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Model, Op, Store, TermId, Value};
use derivation::Reading;
use expansion::{Expansion, ROOT};
use shared::Shared;
use solution::Fact;

/// The engine for systems without recursion, which inlining needs on its way back.
pub const CARD: Card<Horn> = Card {
    name: "recursion-free",
    about: "expands systems without recursion, and solves them by interpolation [RHK13]",
    proves: true,
    refutes: true,
    build: || Box::new(RecursionFree),
};

/// The most predicates below each other where uses share what is known: each takes a place on the stack.
const MAX_DEPTH: usize = 400;

struct RecursionFree;

impl Engine<Horn> for RecursionFree {
    fn run(&mut self, horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Finding<Horn>, Stop> {
        let shape = Shape::of(horn);
        if shape.is_recursive() {
            return Err(Stop::Unsupported("a predicate depends on itself".to_owned()));
        }
        for clause in &horn.clauses {
            ctx.tick(1)?;
            check_fragment(horn, clause)?;
        }
        let mut solver = Solver::new(horn, shape);
        for (query, clause) in horn.clauses() {
            if clause.head == Head::False
                && let Some(derivation) = solver.query(query, ctx)?
            {
                return Ok(Finding::Fails(derivation));
            }
        }
        Ok(Finding::Holds(HornClaim::of(solver.terms, solver.known)))
    }
}

/// Whether the solver may understand a clause: terms of all sorts, but no quantifiers.
fn check_fragment(horn: &Horn, clause: &Clause) -> Result<(), Stop> {
    let mut roots = vec![clause.body];
    if let Head::Atom(_, args) = &clause.head {
        roots.extend(args);
    }
    let is_quantified = |&term: &TermId| matches!(horn.terms.op(term), Op::Forall | Op::Exists);
    if horn.terms.subterms(&roots).iter().any(is_quantified) {
        return Err(Stop::Unsupported("a clause has a quantifier inside".to_owned()));
    }
    Ok(())
}

/// How a query is expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Plan {
    /// As a tree, at once.
    Tree,
    /// As a graph, at once.
    Graph,
    /// As a tree where models lead, with all clauses there.
    Guided,
    /// As a tree where models lead, with the clauses that they take.
    Guess,
}

impl Plan {
    fn describe(self) -> &'static str {
        match self {
            Plan::Tree => "its clauses are body-disjoint: a tree",
            Plan::Graph => "its clauses are linear: a graph",
            Plan::Guided => "its clauses share predicates: a tree where models lead",
            Plan::Guess => "guesses",
        }
    }
}

struct Solver<'a> {
    horn: &'a Horn,
    shape: Shape,
    clauses_of: Vec<Vec<ClauseId>>,
    terms: Store,
    known: Vec<Definition>,
}

impl<'a> Solver<'a> {
    fn new(horn: &'a Horn, shape: Shape) -> Solver<'a> {
        let mut clauses_of: Vec<Vec<ClauseId>> = vec![Vec::new(); horn.preds.len()];
        for (id, clause) in horn.clauses() {
            if let Head::Atom(pred, _) = clause.head {
                clauses_of[pred.index()].push(id);
            }
        }
        let mut terms = horn.terms.clone();
        let known = horn.pred_ids().map(|pred| Definition {
            params: parameters(&mut terms, horn, pred),
            body: TermId::TRUE,
        });
        let known = known.collect();
        Solver { horn, shape, clauses_of, terms, known }
    }

    /// Derives a query, or makes what is known exclude it.
    fn query(&mut self, query: ClauseId, ctx: &mut Ctx<'_>) -> Result<Option<Derivation>, Stop> {
        if self.is_excluded(query, ctx)? {
            return Ok(None);
        }
        let plan = self.plan(query);
        ctx.emit(Event::Remark(format!("query {}: {}", query.index(), plan.describe())));
        match self.attempt(query, plan, ACYCLIC_FEW_CONFLICTS.get(), ctx)? {
            Found::Derived(derivation) => Ok(Some(derivation)),
            Found::Excluded(facts) => {
                facts.into_iter().for_each(|(pred, formula)| self.add(pred, formula));
                Ok(None)
            }
            Found::Nothing if self.is_shared(ctx) => match Shared::new(self).query(query, ctx) {
                Err(Stop::Stuck(_)) => self.guess(query, ctx),
                found => found,
            },
            Found::Nothing => self.guess(query, ctx),
        }
    }

    /// Whether uses of predicates are to share what is known of them.
    fn is_shared(&self, ctx: &mut Ctx<'_>) -> bool {
        let is_shared = ACYCLIC_SHARES.get() > 0
            && self.shape.is_conjunctive
            && self.shape.components.len() <= MAX_DEPTH;
        if is_shared {
            ctx.emit(Event::Remark("uses of a predicate share what is known of it".to_owned()));
        }
        is_shared
    }

    /// Takes guesses at derivations, and learns from why they are none, until the query is derived
    /// or excluded.
    fn guess(&mut self, query: ClauseId, ctx: &mut Ctx<'_>) -> Result<Option<Derivation>, Stop> {
        let mut place = vec![0; self.horn.preds.len()];
        for (number, pred) in self.shape.components.iter().flatten().enumerate() {
            place[pred.index()] = number;
        }
        while !self.is_excluded(query, ctx)? {
            let mut has_learned = false;
            match self.attempt(query, Plan::Guess, u64::MAX, ctx)? {
                Found::Derived(derivation) => return Ok(Some(derivation)),
                Found::Excluded(mut candidates) => {
                    candidates.sort_by_key(|(pred, _)| place[pred.index()]);
                    for (pred, formula) in candidates {
                        if self.follows(pred, formula, ctx)? {
                            self.add(pred, formula);
                            has_learned = true;
                        }
                    }
                }
                Found::Nothing => {}
            }
            if !has_learned {
                let text = "the solver cannot tell whether a query can be derived";
                return Err(Stop::Stuck(text.to_owned()));
            }
        }
        Ok(None)
    }

    fn attempt(
        &mut self,
        query: ClauseId,
        plan: Plan,
        conflicts: u64,
        ctx: &mut Ctx<'_>,
    ) -> Result<Found, Stop> {
        let mut terms = std::mem::take(&mut self.terms);
        let found = self.expand(query, plan, conflicts, &mut terms, ctx);
        self.terms = terms;
        found
    }

    /// Whether a formula over a predicate's parameters is something that its clauses keep to, given
    /// what is known; not if that is so already.
    fn follows(&mut self, pred: PredId, formula: TermId, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        let mut candidate = self.known.clone();
        let before = candidate[pred.index()].body;
        let mut smt = Smt::new(Options::default());
        let otherwise = self.terms.not(formula);
        smt.assert(&mut self.terms, before);
        if ask(&mut smt, &mut self.terms, &[otherwise], ctx)? == Answer::Unsat {
            return Ok(false);
        }
        candidate[pred.index()].body = formula;
        for &clause in &self.clauses_of[pred.index()] {
            let clause = self.horn.clause(clause);
            let Ok(parts) = negation(self.horn, &candidate, clause, &mut self.terms) else {
                return Ok(false);
            };
            let mut smt = Smt::new(Options::default());
            for part in parts {
                smt.assert(&mut self.terms, part);
            }
            if ask(&mut smt, &mut self.terms, &[], ctx)? != Answer::Unsat {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Adds a formula to what is known.
    fn add(&mut self, pred: PredId, formula: TermId) {
        let known = &mut self.known[pred.index()];
        let whole = self.terms.and(&[known.body, formula]);
        known.body = simplify(&mut self.terms, whole, &[], None);
    }

    /// Whether what is known excludes a query.
    fn is_excluded(&mut self, query: ClauseId, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        let clause = self.horn.clause(query);
        let Ok(parts) = negation(self.horn, &self.known, clause, &mut self.terms) else {
            return Ok(false);
        };
        let mut smt = Smt::new(Options::default());
        for part in parts {
            smt.assert(&mut self.terms, part);
        }
        Ok(ask(&mut smt, &mut self.terms, &[], ctx)? == Answer::Unsat)
    }

    /// A model with values for all variables of a clause, where there are any.
    fn whole(&self, id: ClauseId, mut model: Model) -> Model {
        for &var in &self.horn.clause(id).vars {
            if !model.vars.contains_key(&var)
                && let Some(value) = Value::default_of(&self.terms, self.terms.sort(var))
            {
                model.set(var, value);
            }
        }
        model
    }

    fn plan(&self, query: ClauseId) -> Plan {
        let mut is_needed = vec![false; self.horn.preds.len()];
        let mut clauses = vec![query];
        let mut next = 0;
        while let Some(&clause) = clauses.get(next) {
            next += 1;
            for pred in crate::graph::body_preds(self.horn, self.horn.clause(clause)) {
                if !std::mem::replace(&mut is_needed[pred.index()], true) {
                    clauses.extend(&self.clauses_of[pred.index()]);
                }
            }
        }
        let shape = Shape::of_clauses(self.horn, &clauses);
        match (shape.is_body_disjoint, shape.is_linear) {
            (true, _) => Plan::Tree,
            (_, true) => Plan::Graph,
            _ => Plan::Guided,
        }
    }

    /// Expands a query as planned; at most about so many conflicts are spent on each question.
    fn expand(
        &self,
        query: ClauseId,
        plan: Plan,
        conflicts: u64,
        terms: &mut Store,
        ctx: &mut Ctx<'_>,
    ) -> Result<Found, Stop> {
        let is_graph = plan == Plan::Graph;
        let mut expansion =
            Expansion::new(self.horn, &self.known, &self.clauses_of, query, is_graph, terms);
        if matches!(plan, Plan::Tree | Plan::Graph) {
            let mut next = ROOT;
            while next < expansion.nodes.len() {
                ctx.tick(1)?;
                expansion.expand(next, terms);
                next += 1;
            }
        }
        let mut smt = Smt::new(Options::default());
        let mut asserted: Vec<TermId> = Vec::new();
        loop {
            for (index, node) in expansion.nodes.iter().enumerate() {
                if asserted.get(index) != Some(&node.label) {
                    ctx.tick(1)?;
                    smt.assert(terms, node.label);
                }
            }
            asserted = expansion.nodes.iter().map(|node| node.label).collect();
            match ask_within(&mut smt, terms, &[], conflicts, ctx)? {
                Answer::Unknown => return Ok(Found::Nothing),
                Answer::Unsat => break,
                Answer::Sat => {}
            }
            let model = smt.model(terms);
            match derivation::read(self.horn, &expansion, terms, model, ctx)? {
                Reading::Derived(derivation) => return Ok(Found::Derived(derivation)),
                Reading::Open { .. }
                    if plan == Plan::Guided
                        && self.shape.is_conjunctive
                        && expansion.nodes.len() > ACYCLIC_MAX_NODES.size() =>
                {
                    return Ok(Found::Nothing);
                }
                Reading::Open { nodes, taken } => {
                    ctx.tick((nodes.len() + taken.len()) as u64)?;
                    if plan == Plan::Guess {
                        taken.iter().for_each(|&(at, way)| expansion.restrict(at, way, terms));
                    }
                    nodes.iter().for_each(|&node| expansion.expand(node, terms));
                }
            }
        }
        let facts = match is_graph {
            true => solution::of_graph(&expansion, terms, ctx)?,
            false => solution::of_tree(&expansion, terms, ctx)?,
        };
        let about = |fact: Fact| fact.of_predicate(&expansion, terms);
        Ok(Found::Excluded(facts.into_iter().filter_map(about).collect()))
    }
}

/// What an expansion came to.
enum Found {
    /// The query is derived.
    Derived(Derivation),
    /// It cannot be in the ways that were expanded, because of these formulas over the parameters
    /// of predicates.
    Excluded(Vec<(PredId, TermId)>),
    /// Nothing was found.
    Nothing,
}
