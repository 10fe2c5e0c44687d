//! Flows asked about a formula of computation tree logic.
//!
//! The formula speaks of states; it *holds* (is safe) if every state in which a run may begin satisfies it,
//! and *fails* (is unsafe) otherwise. What a path quantifier means is said by its existential forms:
//! `E[a U b]` that some steps lead through states with `a` to one with `b`; `E[a W b]` that this is so or
//! that a run stays in states with `a` for ever; `EX a` that a step leads to a state with `a`. Universal forms are
//! their duals. Of runs that end there are two readings ([`Ends`]): they do not count as infinite, as in T2,
//! or their last state repeats for ever.
//!
//! Under *fairness* `(p, q)` only runs count on which `q` holds infinitely often, or `p` does not. Then
//! `E[a U b]` wants a fair run from `b` on, and so do the others.
//!
//! Invariant (`Temporal::validate`): children have smaller positions; atoms have a formula for each location.
//!
//! After \[CKP14\], with the semantics of finite runs made explicit.

use crate::flow::Flow;
use alphorn_term::{SortId, Store, TermId};

/// A subformula, by its position.
pub type NodeId = usize;

/// Which runs a quantifier speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runs {
    /// All.
    All,
    /// Some.
    Some,
}

/// What it means that a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// It is no infinite run: nothing lasts on it for ever, and all that is to come is vacuous.
    Vacuous,
    /// Its last state repeats for ever.
    Stutter,
}

/// A formula in negation normal form, its parts by position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// A formula over the flow's variables for each location.
    Atom(Vec<TermId>),
    /// Both.
    And(NodeId, NodeId),
    /// One of them.
    Or(NodeId, NodeId),
    /// In the next state.
    Next(Runs, NodeId),
    /// The first until the second, which comes.
    Until(Runs, NodeId, NodeId),
    /// The first until the second, which need not come.
    Weak(Runs, NodeId, NodeId),
}

/// That a run is fair: if the first holds infinitely often, then so does the second.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fairness {
    /// A formula over the flow's variables for each location.
    pub often: Vec<TermId>,
    /// Another.
    pub then: Vec<TermId>,
}

/// A flow, and what is asked about it.
#[derive(Clone, Debug)]
pub struct Temporal {
    /// The flow; its terms are those of the formula, too.
    pub flow: Flow,
    /// The formula as written, its parts before it: the last is the whole.
    pub nodes: Vec<Node>,
    /// What it means that a run ends.
    pub ends: Ends,
    /// Which runs count.
    pub fairness: Option<Fairness>,
    /// The formula in the words of whoever asks, and the two of fairness; for reports.
    pub said: Said,
}

/// A question in the words of whoever asks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// The formula.
    pub formula: String,
    /// The two conditions of fairness.
    pub fairness: Option<(String, String)>,
}

impl Temporal {
    /// The nodes that labels are about: those of the formula, or of its negation, with fairness written out.
    ///
    /// Terms of negated atoms are made in `store`, which extends the flow's.
    pub fn labelled(&self, is_negated: bool, store: &mut Store) -> Vec<Node> {
        let mut out = Compiled { problem: self, store, nodes: Vec::new(), fair: None };
        if self.fairness.is_some() {
            let all = vec![TermId::TRUE; self.flow.locations.len()];
            let none = vec![TermId::FALSE; self.flow.locations.len()];
            let (all, none) = (out.push(Node::Atom(all)), out.push(Node::Atom(none)));
            out.fair = Some(out.push(Node::Weak(Runs::Some, all, none)));
        }
        out.node(self.nodes.len() - 1, is_negated);
        out.nodes
    }

    /// Checks the type's invariant; the flow's is its own.
    pub fn validate(&self) -> Result<(), String> {
        if self.nodes.is_empty() {
            return Err("there is no formula".to_owned());
        }
        for (position, node) in self.nodes.iter().enumerate() {
            let children: Vec<NodeId> = match node {
                Node::Atom(formulas) => {
                    self.validate_atom(formulas)?;
                    Vec::new()
                }
                Node::Next(_, a) => vec![*a],
                Node::And(a, b) | Node::Or(a, b) => vec![*a, *b],
                Node::Until(_, a, b) | Node::Weak(_, a, b) => vec![*a, *b],
            };
            if children.iter().any(|&child| child >= position) {
                return Err("a formula has a part that does not come before it".to_owned());
            }
        }
        match &self.fairness {
            Some(fairness) => {
                self.validate_atom(&fairness.often)?;
                self.validate_atom(&fairness.then)
            }
            None => Ok(()),
        }
    }

    fn validate_atom(&self, formulas: &[TermId]) -> Result<(), String> {
        let store = &self.flow.terms;
        if formulas.len() != self.flow.locations.len() {
            return Err("an atom has not one formula for each location".to_owned());
        }
        for &formula in formulas {
            if store.sort(formula) != SortId::BOOL {
                return Err("an atom is not Boolean".to_owned());
            }
            if store.has_apply(formula) || store.has_quantifier(formula) {
                return Err("an atom has a declared function or a quantifier".to_owned());
            }
            if store.free_vars(&[formula]).iter().any(|var| !self.flow.vars.contains(var)) {
                return Err("an atom has a variable that is not the flow's".to_owned());
            }
        }
        Ok(())
    }
}

/// Nodes that are being made.
struct Compiled<'a> {
    problem: &'a Temporal,
    store: &'a mut Store,
    nodes: Vec<Node>,
    /// That a fair run begins here.
    fair: Option<NodeId>,
}

impl Compiled<'_> {
    fn push(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// A node with the condition that a fair run follows, where one is asked for.
    fn fairly(&mut self, runs: Runs, node: NodeId) -> NodeId {
        match (runs, self.fair) {
            (Runs::Some, Some(fair)) => self.push(Node::And(node, fair)),
            _ => node,
        }
    }

    fn node(&mut self, node: NodeId, is_negated: bool) -> NodeId {
        let problem = self.problem;
        match &problem.nodes[node] {
            Node::Atom(formulas) if is_negated => {
                let formulas = formulas.iter().map(|&formula| self.store.not(formula)).collect();
                self.push(Node::Atom(formulas))
            }
            Node::Atom(formulas) => self.push(Node::Atom(formulas.clone())),
            &(Node::And(a, b) | Node::Or(a, b)) => {
                let is_and = matches!(problem.nodes[node], Node::And(..)) != is_negated;
                let (a, b) = (self.node(a, is_negated), self.node(b, is_negated));
                self.push(if is_and { Node::And(a, b) } else { Node::Or(a, b) })
            }
            &Node::Next(runs, a) => {
                let runs = turned(runs, is_negated);
                let a = self.node(a, is_negated);
                let a = self.fairly(runs, a);
                self.push(Node::Next(runs, a))
            }
            &(Node::Until(runs, a, b) | Node::Weak(runs, a, b)) => {
                let is_until = matches!(problem.nodes[node], Node::Until(..)) != is_negated;
                let runs = turned(runs, is_negated);
                let (a, b) = match is_negated {
                    false => (self.node(a, false), self.node(b, false)),
                    // Not (a until b): not b, until neither holds.
                    true => {
                        let (a, b) = (self.node(a, true), self.node(b, true));
                        (b, self.push(Node::And(a, b)))
                    }
                };
                let b = self.fairly(runs, b);
                self.push(if is_until { Node::Until(runs, a, b) } else { Node::Weak(runs, a, b) })
            }
        }
    }
}

fn turned(runs: Runs, is_negated: bool) -> Runs {
    match (runs, is_negated) {
        (Runs::All, false) | (Runs::Some, true) => Runs::All,
        (Runs::Some, false) | (Runs::All, true) => Runs::Some,
    }
}
