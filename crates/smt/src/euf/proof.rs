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

use crate::datatypes::made_of_fields;

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
    let mut terms = Terms::of_names();
    let mut clash = terms.refute(store, clause);
    if clash.is_none() {
        terms = Terms::new();
        clash = terms.refute(store, clause);
    }
    let cycle = if clash.is_none() { terms.cycle(store)? } else { Vec::new() };
    let start = steps.len();
    let known = clause.iter().map(|&literal| !literal).collect();
    let mut prover = Prover { store, terms, steps, known, hints: Vec::new(), is_done: false };
    match clash {
        Some((v, w)) => prover.prove_equal(v, w),
        None => prover.prove_cycle(&cycle),
    }
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
        self.terms.field(node).unwrap_or_else(|| self.store.op(self.terms.term(node)))
    }

    /// Makes the equation of two nodes known, with all that it rests on.
    fn prove_equal(&mut self, v: Node, w: Node) {
        for edge in self.terms.edges_below(v, w) {
            self.prove_edge(edge);
        }
        self.prove_pair(v, w);
    }

    /// No value is inside itself.
    fn prove_cycle(&mut self, links: &[(Node, Node)]) {
        let mut clause = Vec::with_capacity(links.len());
        for &(value, made) in links {
            self.prove_equal(value, made);
            clause.push(!self.equation(value, made));
        }
        self.conclude(clause, Rule::Datatype, FALSE);
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
        // Fields of equal applications of a constructor are equal arguments.
        let is_injective = self.terms.field(at.a).is_some() && self.terms.field(at.b).is_some();
        if conclusion != FALSE {
            clause.push(conclusion);
        } else if !is_injective {
            self.prove_false_field(edge);
            return;
        }
        let rule = if is_injective { Rule::Datatype } else { Rule::Congruence };
        self.conclude(clause, rule, conclusion);
    }

    /// A field that would be its own negation: a value made of its fields cannot be made of that.
    fn prove_false_field(&mut self, edge: u32) {
        let at = self.terms.edge(edge);
        let (value, made) = (self.terms.euf.args(at.a)[0].arg, self.terms.euf.args(at.b)[0].arg);
        let (value, made) = match self.terms.field(at.a) {
            Some(_) => (self.terms.term(made), self.terms.term(value)),
            None => (self.terms.term(value), self.terms.term(made)),
        };
        let Op::Construct(ctor) = self.store.op(made) else { return };
        let test = self.store.mk(Op::Is(ctor), &[value]);
        let own = made_of_fields(self.store, ctor, value);
        let mut equation = |left, right| {
            let term = self.store.eq(left, right);
            Literal::of(self.store, term)
        };
        let (given, eta, both) = (equation(value, made), equation(value, own), equation(own, made));
        let test = Literal::of(self.store, test);
        self.conclude(vec![!given, test], Rule::Congruence, test);
        let axiom = if is_true(test) { vec![eta] } else { vec![!test, eta] };
        self.conclude(axiom, Rule::Datatype, eta);
        self.conclude(vec![!eta, !given, both], Rule::Transitivity, both);
        self.conclude(vec![!both], Rule::Datatype, FALSE);
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
        let equations = path.into_iter().map(|step| self.equation(step.from, step.to));
        equations.filter(|equation| !is_true(*equation)).collect()
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
        if nodes.iter().any(|node| self.terms.field(*node).is_some()) {
            self.prove_by_cases(&path);
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

    /// Formulas along a path on which some are fields have one value: each by the two cases of the first.
    fn prove_by_cases(&mut self, path: &[Step]) {
        let Some(first) = path.first().map(|step| step.from) else { return };
        for step in path {
            if let Reason::Congruence { .. } = self.terms.edge(step.edge).reason {
                match self.is_crossed(step.edge) {
                    true => self.prove_crossed(step.edge),
                    false => self.prove_congruence(step.edge),
                }
            }
            let so_far = self.equation(first, step.from);
            let (link, whole) = (self.equation(step.from, step.to), self.equation(first, step.to));
            if is_true(so_far) || is_true(link) || self.is_done || self.is_known(whole) {
                continue;
            }
            let mut clause = vec![!so_far, !link, whole];
            let values = |prover: &Prover, truth| {
                [first, step.from, step.to].map(|node| prover.valued(node, truth))
            };
            let mut hints = Vec::new();
            for truth in [true, false] {
                let [a, b, c] = values(self, truth);
                for taut in [[!so_far, !a, b], [!link, !b, c], [whole, !a, !c]] {
                    hints.push(self.add(taut.to_vec(), Rule::Tautology));
                }
                if truth {
                    clause.push(!a);
                    hints = vec![self.add(clause.clone(), Rule::Rup(hints))];
                    clause.pop();
                }
            }
            self.conclude(clause, Rule::Rup(hints), whole);
        }
    }

    fn negated(&self, node: Node) -> Node {
        self.terms.euf.args(node)[0].arg
    }

    /// Carries a truth value along an edge between formulas, of which the first is known to have it.
    fn carry(&mut self, step: Step, truth: bool) {
        if [step.from, step.to].iter().any(|node| self.terms.field(*node).is_some()) {
            self.carry_field(step, truth);
            return;
        }
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

    /// Carries a truth value along an edge at a field of a constructor's application.
    fn carry_field(&mut self, step: Step, truth: bool) {
        if let Reason::Congruence { .. } = self.terms.edge(step.edge).reason {
            self.prove_congruence(step.edge);
        }
        let (from, to) = (self.valued(step.from, truth), self.valued(step.to, truth));
        let equation = self.equation(step.from, step.to);
        self.conclude(vec![!equation, !from, to], Rule::Tautology, to);
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
