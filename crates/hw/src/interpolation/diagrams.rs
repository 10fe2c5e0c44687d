//! Sets of states by decision diagrams, where these are smaller than what the proofs give.
//!
//! A proof says the same thing many times over, and sweeping finds only what is equal gate by gate. A diagram
//! has one form for each function. Where it has few nodes, which is so for many sets over few latches, it is
//! made a graph again, one choice for each node, and takes the place of the set if it is smaller.
//!
//! The order of the latches that was best for one set is the first for the next.
//!
//! After Cabodi, Loiacono, Vendraminetto, "Optimization Techniques for Craig Interpolant Compaction in Unbounded
//! Model Checking" (DATE 2013).

use crate::bdd::{Bdd, Bounded, to_edges};
use crate::settings::{
    INTERPOLATION_DIAGRAM_LATCHES, INTERPOLATION_DIAGRAM_NODES, INTERPOLATION_DIAGRAM_TICKS,
};
use alphorn_engine::{Ctx, Stop};
use alphorn_sat::aig::{Aig, Edge};

/// The smallest set that is looked at, in gates.
const SMALLEST: usize = 16;

/// The order of latches that has done best so far.
#[derive(Default)]
pub(crate) struct Diagrams {
    /// For each latch that was seen its place.
    places: Vec<u32>,
}

impl Diagrams {
    /// An equal set that is smaller, if its diagram is; `sets` may grow by it.
    pub(crate) fn smaller(
        &mut self,
        sets: &mut Aig,
        set: Edge,
        ctx: &mut Ctx<'_>,
    ) -> Result<Edge, Stop> {
        let size = sets.size(&[set]);
        let mut support = sets.support(&[set]);
        if size < SMALLEST || support.len() > INTERPOLATION_DIAGRAM_LATCHES.size() {
            return Ok(set);
        }
        let most = support.iter().map(|latch| *latch as usize + 1).max().unwrap_or(0);
        let known = self.places.len() as u32;
        self.places.extend(known..(most as u32).max(known));
        support.sort_by_key(|latch| self.places[*latch as usize]);
        let mut variables = vec![0; most];
        for (variable, latch) in support.iter().enumerate() {
            variables[*latch as usize] = variable;
        }
        let mut room = Bounded::new(Bdd::new(support.len()), INTERPOLATION_DIAGRAM_NODES.size());
        room.bdd.set_left(INTERPOLATION_DIAGRAM_TICKS.get());
        let made = room.of_edge(sets, set, |latch| variables[latch as usize], ctx)?;
        let Some(made) = made else { return Ok(set) };
        room.keep(made);
        room.order(ctx)?;
        self.note(&support, room.bdd.order());
        let equal = to_edges(&room.bdd, &[made], sets, |variable| support[variable])[0];
        Ok(if sets.size(&[equal]) < size { equal } else { set })
    }

    /// Notes the order of the variables of a diagram, which stand for these latches: they exchange the places
    /// that they had.
    fn note(&mut self, latches: &[u32], order: &[u32]) {
        let places: Vec<u32> = latches.iter().map(|latch| self.places[*latch as usize]).collect();
        for (place, variable) in places.into_iter().zip(order) {
            self.places[latches[*variable as usize] as usize] = place;
        }
    }
}
