//! Justification: the leaves of a circuit that explain a value, whatever the other leaves are.
//!
//! A true conjunction is explained by both inputs, a false one by any false input. Walking down
//! from the targets, what is forced is followed first. Choices wait: by the time they are made one
//! of the inputs may already be explained, and costs nothing. Otherwise the cheaper one is taken.
//! The cost of a leaf is the caller's, that of a true conjunction the sum of its inputs', that of a
//! false one the least of its false inputs'; shared parts are counted as often as they are met.
//!
//! Invariant: an explained value follows by the gates alone from explained values further down.
//!
//! After Niemetz, Preiner, Biere, "Turbo-Charging Lemmas on Demand with Don't Care Reasoning" (FMCAD
//! 2014). The order of choices is ours.

use crate::literal::{Lit, Var};

/// What a variable of a circuit is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Node {
    /// An input or a state variable.
    Leaf,
    /// Always the same, so that its value needs no explanation.
    Constant,
    /// The conjunction of two literals.
    And(Lit, Lit),
}

/// A circuit without cycles.
pub trait Netlist {
    /// What the variable is.
    fn node(&self, var: Var) -> Node;
}

impl<F: Fn(Var) -> Node> Netlist for F {
    fn node(&self, var: Var) -> Node {
        self(var)
    }
}

/// Memory for justifying, kept between calls.
#[derive(Default)]
pub struct Justifier {
    /// The last call that explained a variable.
    explained: Vec<u64>,
    /// The last call that computed a cost, and the cost.
    costs: Vec<(u64, u32)>,
    clock: u64,
    forced: Vec<Var>,
    choices: Vec<(Var, Var)>,
    stack: Vec<Var>,
}

impl Justifier {
    /// Finds leaf literals that force the variables of `targets` to the values they have.
    ///
    /// `value` is a total assignment that agrees with the gates; `weight` says how unwelcome a leaf
    /// is in the result. Costs time in proportion to the part of the cone that is looked at.
    ///
    /// ```
    /// use alphorn_sat::{Lit, Var};
    /// use alphorn_sat::cores::{Justifier, Node};
    ///
    /// let [a, b, c, and] = [0, 1, 2, 3].map(|index| Var(index).positive());
    /// // and = a ∧ ¬b, with a false, b true, c whatever.
    /// let netlist = |var: Var| if var == and.var() { Node::And(a, !b) } else { Node::Leaf };
    /// let value = |lit: Lit| [false, true, true, false][lit.var().index()] != lit.is_negated();
    /// let weight = |var: Var| if var == a.var() { 2 } else { 1 };
    /// let reasons = Justifier::default().justify(&netlist, value, weight, &[!and]);
    /// assert_eq!(reasons, [b]);
    /// ```
    pub fn justify(
        &mut self,
        netlist: &impl Netlist,
        value: impl Fn(Lit) -> bool,
        weight: impl Fn(Var) -> u32,
        targets: &[Lit],
    ) -> Vec<Lit> {
        self.clock += 1;
        let mut leaves = Vec::new();
        targets.iter().for_each(|lit| self.explain(lit.var()));
        loop {
            while let Some(var) = self.forced.pop() {
                let is_true = value(var.positive());
                match netlist.node(var) {
                    Node::Leaf => leaves.push(var.lit(is_true)),
                    Node::Constant => {}
                    Node::And(a, b) if is_true => {
                        self.explain(a.var());
                        self.explain(b.var());
                    }
                    Node::And(a, b) => match (value(a), value(b)) {
                        (false, false) => self.choices.push((a.var(), b.var())),
                        (false, true) => self.explain(a.var()),
                        (true, _) => self.explain(b.var()),
                    },
                }
            }
            let Some((a, b)) = self.choices.pop() else { return leaves };
            if self.is_explained(a) || self.is_explained(b) {
                continue;
            }
            let costs = [a, b].map(|var| self.cost(netlist, &value, &weight, var));
            self.explain(if costs[1] < costs[0] { b } else { a });
        }
    }

    fn is_explained(&self, var: Var) -> bool {
        self.explained.get(var.index()).is_some_and(|clock| *clock == self.clock)
    }

    fn explain(&mut self, var: Var) {
        if self.explained.len() <= var.index() {
            self.explained.resize(var.index() + 1, 0);
        }
        if self.explained[var.index()] != self.clock {
            self.explained[var.index()] = self.clock;
            self.forced.push(var);
        }
    }

    fn known_cost(&self, var: Var) -> Option<u32> {
        if self.is_explained(var) {
            return Some(0);
        }
        let (clock, cost) = self.costs.get(var.index())?;
        (*clock == self.clock).then_some(*cost)
    }

    /// What it would cost to explain the variable.
    fn cost(
        &mut self,
        netlist: &impl Netlist,
        value: &impl Fn(Lit) -> bool,
        weight: &impl Fn(Var) -> u32,
        root: Var,
    ) -> u32 {
        self.stack.push(root);
        while let Some(&var) = self.stack.last() {
            if self.known_cost(var).is_some() {
                self.stack.pop();
                continue;
            }
            let cost = match netlist.node(var) {
                Node::Leaf => Some(weight(var)),
                Node::Constant => Some(0),
                Node::And(a, b) if value(var.positive()) => {
                    let costs = [a, b].map(|lit| self.cost_or_push(lit.var()));
                    costs[0].zip(costs[1]).map(|(a, b)| a.saturating_add(b))
                }
                Node::And(a, b) => match (value(a), value(b)) {
                    (false, false) => {
                        let costs = [a, b].map(|lit| self.cost_or_push(lit.var()));
                        costs[0].zip(costs[1]).map(|(a, b)| a.min(b))
                    }
                    (false, true) => self.cost_or_push(a.var()),
                    (true, _) => self.cost_or_push(b.var()),
                },
            };
            if let Some(cost) = cost {
                self.stack.pop();
                if self.costs.len() <= var.index() {
                    self.costs.resize(var.index() + 1, (0, 0));
                }
                self.costs[var.index()] = (self.clock, cost);
            }
        }
        self.known_cost(root).expect("the walk ends when the cost of its root is known")
    }

    /// The cost of an input, or nothing and a note to compute it first.
    fn cost_or_push(&mut self, var: Var) -> Option<u32> {
        let cost = self.known_cost(var);
        if cost.is_none() {
            self.stack.push(var);
        }
        cost
    }
}
