//! The proof forest of a conflict in two colours, A and B.
//!
//! A step of a path has a colour if both of its ends are over the symbols of that side. Asserted
//! steps have their literal's colour. A congruence from f(a) over A to f(b) over B has none; but
//! the path from each aᵢ to bᵢ, coloured before it, changes sides at a term sᵢ over both, and f(s)
//! is over both, so it becomes the two steps from f(a) to f(s) and from f(s) to f(b).
//!
//! Invariant: edges are coloured oldest first, so what a step rests on is coloured already; the
//! ends of a step's premises have the step's colour, as they are arguments of its ends.
//!
//! After Fuchs, Goel, Grundy, Krstić, Tinelli, "Ground interpolation for the theory of equality"
//! (TACAS 2009).

use super::interpolate::Side;
use super::merge::Reason;
use super::terms::Terms;
use super::{AXIOM, Node};
use alphorn_term::{Store, TermId};
use rustc_hash::FxHashMap;

/// Which side's symbols something is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Colour {
    A,
    B,
    Both,
}

impl Colour {
    /// The colour of something that is in both of these.
    fn and(self, other: Colour) -> Option<Colour> {
        match (self, other) {
            (Colour::Both, colour) | (colour, Colour::Both) => Some(colour),
            _ => (self == other).then_some(self),
        }
    }
}

impl From<Side> for Colour {
    fn from(side: Side) -> Colour {
        match side {
            Side::A => Colour::A,
            Side::B => Colour::B,
            Side::Both => Colour::Both,
        }
    }
}

/// Two terms that are equal by a side alone, given the premises.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) from: TermId,
    pub(super) to: TermId,
    pub(super) colour: Colour,
    pub(super) premises: Vec<Path>,
}

/// A step in one of its directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hop {
    pub(super) step: usize,
    is_forward: bool,
}

/// Steps from one term to another.
pub(super) type Path = Vec<Hop>;

/// Whether all symbols of a term occur on a side.
pub(super) type Vocabulary<'a> = &'a dyn Fn(&Store, TermId) -> bool;

/// The coloured forest.
pub(super) struct Painter<'a> {
    pub(super) store: &'a mut Store,
    terms: Terms,
    sides: Vec<Side>,
    vocabularies: [Vocabulary<'a>; 2],
    colours: FxHashMap<TermId, Option<Colour>>,
    pub(super) steps: Vec<Step>,
    /// By edge, in the edge's direction.
    paths: FxHashMap<u32, Path>,
}

impl<'a> Painter<'a> {
    pub(super) fn new(
        store: &'a mut Store,
        terms: Terms,
        sides: Vec<Side>,
        vocabularies: [Vocabulary<'a>; 2],
    ) -> Painter<'a> {
        let (colours, paths) = (FxHashMap::default(), FxHashMap::default());
        Painter { store, terms, sides, vocabularies, colours, steps: Vec::new(), paths }
    }

    /// The coloured path between two equal nodes, if there is one.
    pub(super) fn paint(&mut self, v: Node, w: Node) -> Option<Path> {
        for edge in self.terms.edges_below(v, w) {
            let path = self.paint_edge(edge)?;
            self.paths.insert(edge, path);
        }
        Some(self.path(v, w))
    }

    /// The colour of a term; none if its symbols are of different sides.
    pub(super) fn colour(&mut self, term: TermId) -> Option<Colour> {
        let [is_a, is_b] = self.vocabularies;
        let store = &*self.store;
        *self.colours.entry(term).or_insert_with(|| match (is_a(store, term), is_b(store, term)) {
            (true, true) => Some(Colour::Both),
            (true, false) => Some(Colour::A),
            (false, true) => Some(Colour::B),
            (false, false) => None,
        })
    }

    /// The colour of a node's term.
    pub(super) fn node_colour(&mut self, node: Node) -> Option<Colour> {
        let term = self.terms.term(node);
        self.colour(term)
    }

    /// The colour of the end of an edge: a field of a constructor's application is over what the
    /// application is over, though its term is an argument.
    fn end_colour(&mut self, node: Node) -> Option<Colour> {
        match self.terms.field(node) {
            Some(_) => self.node_colour(self.terms.euf.argument(node, 0)),
            None => self.node_colour(node),
        }
    }

    fn path(&self, a: Node, b: Node) -> Path {
        let mut path = Vec::new();
        for step in self.terms.path(a, b) {
            let hops = &self.paths[&step.edge];
            if step.from == self.terms.edge(step.edge).a {
                path.extend_from_slice(hops);
            } else {
                path.extend(hops.iter().rev().map(|hop| hop.turned()));
            }
        }
        path
    }

    fn paint_edge(&mut self, edge: u32) -> Option<Path> {
        let at = self.terms.edge(edge);
        let (from, to) = (self.terms.term(at.a), self.terms.term(at.b));
        if at.reason == Reason::Asserted(AXIOM) {
            return Some(Vec::new());
        }
        let (x, y) = (self.end_colour(at.a)?, self.end_colour(at.b)?);
        let colour = match at.reason {
            Reason::Asserted(tag) => {
                let side = Colour::from(self.sides[tag as usize]);
                (side.and(x)? == side && side.and(y)? == side).then_some(side)?
            }
            Reason::Congruence { .. } => match x.and(y) {
                Some(colour) => colour,
                None => return self.split(edge, x, y),
            },
            Reason::Holds(equality) => self.node_colour(equality)?,
            Reason::Sides | Reason::Values(..) => self.node_colour(at.equality())?,
        };
        let mut premises = Vec::new();
        for (a, b) in self.terms.premises(edge) {
            for end in [a, b] {
                self.node_colour(end)?.and(colour).filter(|&both| both == colour)?;
            }
            premises.push(self.path(a, b));
        }
        Some(vec![self.add(Step { from, to, colour, premises })])
    }

    fn add(&mut self, step: Step) -> Hop {
        self.steps.push(step);
        Hop { step: self.steps.len() - 1, is_forward: true }
    }

    /// A congruence between the sides, by way of an application to terms of both.
    fn split(&mut self, edge: u32, x: Colour, y: Colour) -> Option<Path> {
        let at = self.terms.edge(edge);
        let mut pairs = Vec::new();
        self.terms.euf.premises(&at, |a, b| pairs.push((a, b)));
        let (mut before, mut after, mut shared) = (Vec::new(), Vec::new(), Vec::new());
        for (a, b) in pairs {
            let mut path = self.path(a, b);
            let mut meeting = self.terms.term(a);
            let mut cut = 0;
            while self.colour(meeting)? != Colour::Both {
                meeting = self.end(*path.get(cut)?);
                cut += 1;
            }
            shared.push(meeting);
            after.push(path.split_off(cut));
            before.push(path);
        }
        let (from, to) = (self.terms.term(at.a), self.terms.term(at.b));
        let middle = match self.terms.field(at.a).or(self.terms.field(at.b)) {
            Some(field) => self.store.mk(field, &shared),
            None => self.store.rebuild(from, &shared),
        };
        if self.colour(middle)? != Colour::Both {
            return None;
        }
        let first = self.add(Step { from, to: middle, colour: x, premises: before });
        let second = self.add(Step { from: middle, to, colour: y, premises: after });
        Some(vec![first, second])
    }

    /// The term a hop leads to.
    pub(super) fn end(&self, hop: Hop) -> TermId {
        self.start(hop.turned())
    }

    /// The term a hop comes from.
    pub(super) fn start(&self, hop: Hop) -> TermId {
        let step = &self.steps[hop.step];
        if hop.is_forward { step.from } else { step.to }
    }
}

impl Hop {
    fn turned(self) -> Hop {
        Hop { step: self.step, is_forward: !self.is_forward }
    }
}
