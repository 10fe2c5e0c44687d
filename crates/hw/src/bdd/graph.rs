//! Between decision diagrams and and-inverter graphs.
//!
//! A node of a diagram is a choice in a graph, and shared nodes are shared choices. The other way, gates become
//! conjunctions of diagrams in topological order, each of which is given up when all its readers have read it.

use super::{Bdd, Bounded, Ref};
use alphorn_engine::{Ctx, Stop};
use alphorn_sat::aig::{Aig, Edge, Node};
use rustc_hash::FxHashMap;

/// Functions as edges of a graph, of which `input` gives the input that each variable is.
pub(crate) fn to_edges(
    bdd: &Bdd,
    roots: &[Ref],
    aig: &mut Aig,
    input: impl Fn(usize) -> u32,
) -> Vec<Edge> {
    let mut made: FxHashMap<Ref, Edge> = FxHashMap::default();
    made.insert(Ref::TRUE, Edge::TRUE);
    made.insert(Ref::FALSE, Edge::FALSE);
    let mut stack: Vec<Ref> = roots.to_vec();
    while let Some(f) = stack.last().copied() {
        let Some((var, high, low)) = bdd.parts(f).filter(|_| !made.contains_key(&f)) else {
            stack.pop();
            continue;
        };
        match (made.get(&high).copied(), made.get(&low).copied()) {
            (Some(high), Some(low)) => {
                let edge = aig.ite(aig.input(input(var)), high, low);
                made.insert(f, edge);
                made.insert(!f, !edge);
            }
            (high_made, low_made) => {
                if high_made.is_none() {
                    stack.push(high);
                }
                if low_made.is_none() {
                    stack.push(low);
                }
            }
        }
    }
    roots.iter().map(|root| made[root]).collect()
}

impl Bounded {
    /// The diagram of an edge of a graph, where `variable` gives the variable of each input; none if there is no
    /// room for it. It is not kept.
    pub(crate) fn of_edge(
        &mut self,
        aig: &Aig,
        root: Edge,
        variable: impl Fn(u32) -> usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Ref>, Stop> {
        let mark = self.mark();
        let cone = aig.cone(&[root]);
        let places: FxHashMap<u32, usize> =
            cone.iter().enumerate().map(|(at, node)| (*node, mark + at)).collect();
        let operands = |node: u32| {
            let both = aig.operands(node).map(|(left, right)| [left, right]);
            both.into_iter().flatten()
        };
        let mut readers = vec![0u32; cone.len()];
        for edge in cone.iter().flat_map(|node| operands(*node)).chain([root]) {
            readers[places[&edge.node()] - mark] += 1;
        }
        for node in cone {
            let made = match aig.node(node) {
                Node::False => Ref::FALSE,
                Node::Input(input) => self.bdd.variable(variable(input)),
                Node::And(left, right) => {
                    let at = |edge: Edge| self.kept(places[&edge.node()]).xor(edge.is_negated());
                    let (f, g) = (at(left), at(right));
                    let Some(made) = self.make(ctx, |bdd, ctx| bdd.and(f, g, ctx))? else {
                        self.release(mark);
                        return Ok(None);
                    };
                    made
                }
            };
            self.keep(made);
            for edge in operands(node) {
                let place = places[&edge.node()];
                readers[place - mark] -= 1;
                if readers[place - mark] == 0 {
                    self.give_up(place);
                }
            }
        }
        let made = self.kept(places[&root.node()]).xor(root.is_negated());
        self.release(mark);
        Ok(Some(made))
    }
}
