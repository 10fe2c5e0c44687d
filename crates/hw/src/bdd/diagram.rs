//! A function apart from its manager: what is kept of it costs the manager nothing and knows no order.
//!
//! Invariant: a node comes after those it refers to.

use super::{Bdd, Halt, Ref};
use alphorn_engine::{Ctx, Stop};
use rustc_hash::FxHashMap;

/// Variables are ordered again unless a function still has so many percent of its nodes.
const WORTHWHILE: usize = 95;

/// A place in a diagram, possibly negated; the first place is the constant true.
pub(crate) type Place = u32;

/// A node of a diagram: a variable, and what the function is where that is true and false.
#[derive(Clone, Copy)]
pub(crate) struct Choice {
    pub(crate) var: u32,
    pub(crate) high: Place,
    pub(crate) low: Place,
}

/// A function as a list of choices.
#[derive(Clone)]
pub(crate) struct Diagram {
    /// The node at place `2 * (at + 1)`, for each.
    pub(crate) nodes: Vec<Choice>,
    pub(crate) root: Place,
}

impl Diagram {
    /// A function as it is now.
    pub(crate) fn new(bdd: &Bdd, f: Ref) -> Diagram {
        let mut places: FxHashMap<Ref, Place> = FxHashMap::default();
        places.insert(Ref::TRUE, 0);
        let place = |places: &FxHashMap<Ref, Place>, f: Ref| {
            places[&f.positive()] | Place::from(f.is_negated())
        };
        let mut nodes = Vec::new();
        let mut stack = vec![(f.positive(), false)];
        while let Some((function, is_left)) = stack.pop() {
            let Some((var, high, low)) = bdd.parts(function) else { continue };
            if places.contains_key(&function) {
                continue;
            }
            if !is_left {
                stack.extend([(function, true), (high.positive(), false), (low.positive(), false)]);
                continue;
            }
            let (high, low) = (place(&places, high), place(&places, low));
            nodes.push(Choice { var: var as u32, high, low });
            places.insert(function, 2 * nodes.len() as Place);
        }
        Diagram { root: place(&places, f), nodes }
    }

    /// A function as it is under an order of the variables that is good for it alone, or as it is now where that
    /// makes it no smaller.
    pub(crate) fn alone(bdd: &Bdd, f: Ref, ctx: &mut Ctx<'_>) -> Result<Diagram, Stop> {
        let given = Diagram::new(bdd, f);
        let mut own = Bdd::ordered(bdd.order());
        let mut made = vec![Ref::TRUE];
        let at = |place: Place, made: &[Ref]| made[(place >> 1) as usize].xor(place & 1 == 1);
        for node in &given.nodes {
            let (high, low) = (at(node.high, &made), at(node.low, &made));
            made.push(own.make(node.var, high, low));
        }
        let root = at(given.root, &made);
        let mut size = given.nodes.len();
        loop {
            match own.reorder(&[root], ctx) {
                Ok(()) | Err(Halt::Full | Halt::Again) => {}
                Err(Halt::Stop(stop)) => return Err(stop),
            }
            let after = own.size(&[root]);
            let is_enough = after * 100 >= size * WORTHWHILE;
            size = size.min(after);
            if is_enough {
                break;
            }
        }
        Ok(if size < given.nodes.len() { Diagram::new(&own, root) } else { given })
    }

    /// The value under values of the variables.
    pub(crate) fn value(&self, value: impl Fn(usize) -> bool) -> bool {
        let mut at = self.root;
        let mut is_negated = at & 1 == 1;
        while at >> 1 != 0 {
            let Choice { var, high, low } = self.nodes[(at >> 1) as usize - 1];
            at = if value(var as usize) { high } else { low };
            is_negated ^= at & 1 == 1;
        }
        !is_negated
    }

    /// How often each node is referred to by others.
    pub(crate) fn readers(&self) -> Vec<u32> {
        let mut readers = vec![0; self.nodes.len()];
        for place in self.nodes.iter().flat_map(|node| [node.high, node.low]) {
            if place >> 1 != 0 {
                readers[(place >> 1) as usize - 1] += 1;
            }
        }
        readers
    }
}

/// Functions that have been made of a place of a diagram, for the values that matter.
type Made = FxHashMap<(Place, Ref), Ref>;

impl Bdd {
    /// A function that agrees with a diagram, whatever its order, where `care` holds; parts of the diagram that do
    /// not matter there cost nothing.
    pub(crate) fn agreeing(
        &mut self,
        diagram: &Diagram,
        care: Ref,
        ctx: &mut Ctx<'_>,
    ) -> Result<Ref, Stop> {
        self.whole(ctx, |bdd, ctx| {
            bdd.hold(care);
            bdd.agrees(diagram, diagram.root, care, &mut Made::default(), ctx)
        })
    }

    /// The same for a place; all that is remembered is held.
    fn agrees(
        &mut self,
        diagram: &Diagram,
        place: Place,
        care: Ref,
        made: &mut Made,
        ctx: &mut Ctx<'_>,
    ) -> Result<Ref, Halt> {
        let is_negated = place & 1 == 1;
        if place >> 1 == 0 || care == Ref::FALSE {
            return Ok(Ref::TRUE.xor(is_negated));
        }
        if let Some(known) = made.get(&(place >> 1, care)) {
            return Ok(known.xor(is_negated));
        }
        let Choice { var, high, low } = diagram.nodes[(place >> 1) as usize - 1];
        let one = self.with_value(care, var as usize, true, ctx)?;
        self.hold(one);
        let zero = self.with_value(care, var as usize, false, ctx)?;
        self.hold(zero);
        let function = if one == Ref::FALSE {
            self.agrees(diagram, low, zero, made, ctx)?
        } else if zero == Ref::FALSE {
            self.agrees(diagram, high, one, made, ctx)?
        } else {
            let high = self.agrees(diagram, high, one, made, ctx)?;
            let low = self.agrees(diagram, low, zero, made, ctx)?;
            let variable = self.variable(var as usize);
            self.hold(variable);
            self.choose(variable, high, low, ctx)?
        };
        self.hold(function);
        made.insert((place >> 1, care), function);
        Ok(function.xor(is_negated))
    }
}
