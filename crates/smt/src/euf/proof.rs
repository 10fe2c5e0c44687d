//! Steps of a proof for a clause that holds by equality alone.
//!
//! The clause's literals are asserted to be false, in a closure of their own. The edges that the
//! conflict rests on, oldest first, become lemmas: a Congruence for each pair of applications, a
//! Transitivity for each chain between arguments. Under the negated clause each lemma leaves one
//! literal, so one Rup along all of them gives the clause. Truth values are no sides of an atom
//! (`p = true` is `p`), so where a chain of formulas passes one, its value is carried along the
//! chain by Congruence between literals and by Tautology for equations between formulas.
//!
//! Invariant: `known` holds under the negated clause by the hints so far, and each lemma has its
//! conclusion as the only literal that is not known to be false; the first lemma without such a
//! literal is the last hint. Rules: `check/PROOFS.md`, "Equality" and "Assert and Rup".

use super::merge::Reason;
use super::terms::{Step, Terms};
use super::{Euf, Node};
use alphorn_problem::evidence::proof::{Literal, ProofStep, Rule, StepId};
use alphorn_term::{Op, SortId, Store, TermId};
use rustc_hash::FxHashSet;

const FALSE: Literal = Literal { atom: TermId::FALSE, negated: false };

/// Appends steps of which the last has exactly the literals of `clause`, and gives its number;
/// nothing if the clause does not hold by equality.
pub fn prove_clause(
    store: &mut Store,
    clause: &[Literal],
    steps: &mut Vec<ProofStep>,
) -> Option<StepId> {
    let set: FxHashSet<Literal> = clause.iter().copied().collect();
    if clause
        .iter()
        .any(|&literal| set.contains(&!literal) || literal == !FALSE || is_true(literal))
    {
        steps.push(ProofStep { clause: clause.to_vec(), rule: Rule::Tautology });
        return Some(last(steps));
    }
    let mut terms = Terms::new();
    let (v, w) = terms.refute(store, clause)?;
    let start = steps.len();
    let known = clause.iter().map(|&literal| !literal).collect();
    let mut prover = Prover { store, terms, steps, known, hints: Vec::new(), is_done: false };
    for edge in prover.terms.edges_below(v, w) {
        prover.prove_edge(edge);
    }
    prover.prove_pair(v, w);
    let Prover { hints, is_done, .. } = prover;
    if !is_done {
        debug_assert!(false, "a conflict of the closure is a conflict of its lemmas");
        steps.truncate(start);
        return None;
    }
    let only = steps.last().filter(|_| hints.len() == 1);
    if !only.is_some_and(|step| step.clause.iter().copied().collect::<FxHashSet<_>>() == set) {
        steps.push(ProofStep { clause: clause.to_vec(), rule: Rule::Rup(hints) });
    }
    Some(last(steps))
}

fn is_true(literal: Literal) -> bool {
    literal.atom == TermId::TRUE && !literal.negated
}

fn last(steps: &[ProofStep]) -> StepId {
    StepId((steps.len() - 1) as u32)
}

fn negations(literals: &[Literal]) -> impl Iterator<Item = Literal> + '_ {
    literals.iter().map(|&literal| !literal)
}

struct Prover<'a> {
    store: &'a mut Store,
    terms: Terms,
    steps: &'a mut Vec<ProofStep>,
    known: FxHashSet<Literal>,
    hints: Vec<StepId>,
    is_done: bool,
}

impl Prover<'_> {
    fn is_known(&self, literal: Literal) -> bool {
        self.known.contains(&literal) || literal == !FALSE || is_true(literal)
    }

    fn add(&mut self, clause: Vec<Literal>, rule: Rule) -> StepId {
        self.steps.push(ProofStep { clause, rule });
        last(self.steps)
    }

    /// Adds a lemma whose literals are known to be false, apart from the conclusion.
    fn conclude(&mut self, clause: Vec<Literal>, rule: Rule, conclusion: Literal) {
        if self.is_done || self.is_known(conclusion) {
            return;
        }
        let step = self.add(clause, rule);
        self.hints.push(step);
        if self.is_known(!conclusion) {
            self.is_done = true;
        } else {
            self.known.insert(conclusion);
        }
    }

    /// The literal that says two nodes are equal.
    fn equation(&mut self, a: Node, b: Node) -> Literal {
        let term = self.store.eq(self.terms.term(a), self.terms.term(b));
        Literal::of(self.store, term)
    }

    /// The literal that says a formula has a truth value.
    fn valued(&self, node: Node, truth: bool) -> Literal {
        let literal = Literal::of(self.store, self.terms.term(node));
        if truth { literal } else { !literal }
    }

    fn op(&self, node: Node) -> Op {
        self.store.op(self.terms.term(node))
    }

    fn is_formula(&self, node: Node) -> bool {
        self.store.sort(self.terms.term(node)) == SortId::BOOL
    }

    /// The truth value a node's term is.
    fn constant(&self, node: Node) -> Option<bool> {
        match self.terms.term(node) {
            TermId::TRUE => Some(true),
            TermId::FALSE => Some(false),
            _ => None,
        }
    }

    /// Makes known what an edge rests on, and what it says unless that is best left to its use.
    fn prove_edge(&mut self, edge: u32) {
        let at = self.terms.edge(edge);
        match at.reason {
            Reason::Asserted(_) => {}
            Reason::Values(v, w) if !self.is_formula(v) => {
                let (a, b) = self.terms.euf.sides(at.equality());
                let mut chain = self.chain(v, a);
                chain.push(self.valued(at.equality(), true));
                chain.extend(self.chain(b, w));
                let conclusion = self.valued(at.equality(), false);
                self.conclude(negations(&chain).collect(), Rule::Transitivity, conclusion);
            }
            Reason::Values(v, w) => {
                let (a, b) = self.terms.euf.sides(at.equality());
                self.prove_pair(a, v);
                self.prove_pair(b, w);
                let conclusion = self.valued(at.equality(), false);
                let sides =
                    [(a, v), (b, w)].map(|(side, value)| !self.valued(side, value == Euf::TRUE));
                let clause = [conclusion].into_iter().chain(sides).collect();
                self.conclude(clause, Rule::Tautology, conclusion);
            }
            Reason::Sides | Reason::Holds(_) | Reason::Congruence { .. } => {
                for (a, b) in self.terms.premises(edge) {
                    self.prove_pair(a, b);
                }
                let is_congruence = matches!(at.reason, Reason::Congruence { .. });
                if is_congruence && !self.is_formula(at.a) {
                    self.prove_congruence(edge);
                }
            }
        }
    }

    /// The equation of two applications whose arguments are known to be equal.
    fn prove_congruence(&mut self, edge: u32) {
        let at = self.terms.edge(edge);
        let conclusion = self.equation(at.a, at.b);
        let mut clause = self.premise_literals(edge);
        clause.push(conclusion);
        self.conclude(clause, Rule::Congruence, conclusion);
    }

    /// The negated equations of the arguments, each once.
    fn premise_literals(&mut self, edge: u32) -> Vec<Literal> {
        let (mut literals, mut seen) = (Vec::new(), FxHashSet::default());
        for (a, b) in self.terms.premises(edge) {
            let literal = !self.equation(a, b);
            if seen.insert(literal) {
                literals.push(literal);
            }
        }
        literals
    }

    /// The equations along a path between terms that are not formulas.
    fn chain(&mut self, a: Node, b: Node) -> Vec<Literal> {
        let path = self.terms.path(a, b);
        path.into_iter().map(|step| self.equation(step.from, step.to)).collect()
    }

    /// Makes the equation of two nodes known, where all edges between them are proved.
    fn prove_pair(&mut self, a: Node, b: Node) {
        let conclusion = self.equation(a, b);
        if self.is_done || self.is_known(conclusion) {
            return;
        }
        if self.is_formula(a) {
            self.prove_formulas(a, b, conclusion);
            return;
        }
        let chain = self.chain(a, b);
        self.prove_chain(&chain, conclusion);
    }

    fn prove_chain(&mut self, chain: &[Literal], conclusion: Literal) {
        let mut clause: Vec<Literal> = negations(chain).collect();
        if conclusion != FALSE {
            clause.push(conclusion);
        }
        self.conclude(clause, Rule::Transitivity, conclusion);
    }

    fn prove_formulas(&mut self, a: Node, b: Node, conclusion: Literal) {
        let path = self.terms.path(a, b);
        let nodes: Vec<Node> = path.iter().map(|s| s.from).chain([b]).collect();
        if let Some(at) = nodes.iter().position(|&node| self.constant(node).is_some()) {
            let truth = self.constant(nodes[at]) == Some(true);
            for step in path[..at].iter().rev() {
                self.carry(Step { edge: step.edge, from: step.to, to: step.from }, truth);
            }
            for &step in &path[at..] {
                self.carry(step, truth);
            }
            if self.constant(a).is_none() && self.constant(b).is_none() {
                let clause = vec![conclusion, !self.valued(a, truth), !self.valued(b, truth)];
                self.conclude(clause, Rule::Tautology, conclusion);
            }
            return;
        }
        // Nothing but congruences between negations leads to a negation.
        if self.op(a) == Op::Not {
            let (a, b) = (self.negated(a), self.negated(b));
            self.prove_pair(a, b);
            return;
        }
        let mut chain = Vec::new();
        for step in path {
            chain.push(self.equation(step.from, step.to));
            if let Reason::Congruence { .. } = self.terms.edge(step.edge).reason {
                if self.is_crossed(step.edge) {
                    self.prove_crossed(step.edge);
                } else {
                    self.prove_congruence(step.edge);
                }
            }
        }
        self.prove_chain(&chain, conclusion);
    }

    fn negated(&self, node: Node) -> Node {
        self.terms.euf.args(node)[0].arg
    }

    /// Carries a truth value along an edge between formulas, of which the first is known to have it.
    fn carry(&mut self, step: Step, truth: bool) {
        // An edge at a truth value says what its other end is, and is known.
        if self.constant(step.from).is_some() || self.constant(step.to).is_some() {
            return;
        }
        let (from, to) = (self.valued(step.from, truth), self.valued(step.to, truth));
        let op = self.op(step.from);
        match self.terms.edge(step.edge).reason {
            Reason::Congruence { .. } if op == Op::Eq => {
                let (if_first, if_second) = self.implications(step);
                let (chain, conclusion) = if truth { if_first } else { if_second };
                let mut clause: Vec<Literal> = negations(&chain).collect();
                clause.push(conclusion);
                self.conclude(clause, Rule::Transitivity, to);
            }
            Reason::Congruence { .. } if op != Op::Not => {
                let mut clause = self.premise_literals(step.edge);
                clause.extend([!from, to]);
                self.conclude(clause, Rule::Congruence, to);
            }
            _ => {
                let (a, b) = match op {
                    Op::Not => (self.negated(step.from), self.negated(step.to)),
                    _ => (step.from, step.to),
                };
                let equation = self.equation(a, b);
                self.conclude(vec![!equation, !from, to], Rule::Tautology, to);
            }
        }
    }

    /// Congruent equations a = b and c = d: the chains from the first to the second and back.
    fn implications(&mut self, step: Step) -> (Chain, Chain) {
        let edge = self.terms.edge(step.edge);
        let ((a, b), (c, d)) = (self.terms.euf.sides(step.from), self.terms.euf.sides(step.to));
        let crossed = edge.reason == Reason::Congruence { crossed: true };
        let (c, d) = if crossed { (d, c) } else { (c, d) };
        let (first, second) = (self.valued(step.from, true), self.valued(step.to, true));
        let (left, right) = (self.link_chain(c, a), self.link_chain(b, d));
        let ahead = [left.as_slice(), &[first], &right].concat();
        let (left, right) = (self.link_chain(a, c), self.link_chain(d, b));
        let back = [left.as_slice(), &[second], &right].concat();
        ((ahead, second), (back, first))
    }

    /// Equations that lead from one node to another: of formulas one, as there may be truth values
    /// on the path; of others each edge's, as the equation of the ends may be no equation.
    fn link_chain(&mut self, a: Node, b: Node) -> Vec<Literal> {
        match self.is_formula(a) {
            _ if a == b => Vec::new(),
            true => vec![self.equation(a, b)],
            false => self.chain(a, b),
        }
    }

    /// Whether congruent equations have their sides in different orders, as terms.
    fn is_crossed(&self, edge: u32) -> bool {
        let at = self.terms.edge(edge);
        let is_turned = |node: Node| {
            let (first, _) = self.terms.euf.sides(node);
            self.store.args(self.terms.term(node))[0] != self.terms.term(first)
        };
        self.op(at.a) == Op::Eq
            && (at.reason == Reason::Congruence { crossed: true })
                != (is_turned(at.a) != is_turned(at.b))
    }

    /// That equations congruent crosswise are equal: by the two cases of the first one.
    fn prove_crossed(&mut self, edge: u32) {
        let at = self.terms.edge(edge);
        let conclusion = self.equation(at.a, at.b);
        if self.is_done || self.is_known(conclusion) {
            return;
        }
        let step = Step { edge, from: at.a, to: at.b };
        let ((ahead, second), (back, first)) = self.implications(step);
        let transitivity = |chain: &[Literal], end| negations(chain).chain([end]).collect();
        let if_true = self.add(transitivity(&ahead, second), Rule::Transitivity);
        let both = self.add(vec![conclusion, !first, !second], Rule::Tautology);
        let mut clause: Vec<Literal> = negations(&ahead).filter(|&l| l != !first).collect();
        clause.extend([conclusion, !first]);
        let case = self.add(clause.clone(), Rule::Rup(vec![if_true, both]));
        clause.pop();
        let if_false = self.add(transitivity(&back, first), Rule::Transitivity);
        let neither = self.add(vec![conclusion, first, second], Rule::Tautology);
        self.conclude(clause, Rule::Rup(vec![case, if_false, neither]), conclusion);
    }
}

/// Equations that form a chain, and the equation of its ends.
type Chain = (Vec<Literal>, Literal);
