//! Which of 64 runs are worth going on with.
//!
//! The distance of a state is how many of its latches stand between it and a bad step: inputs can have
//! any value, a latch costs nothing where it has the value that is wanted and one where it has not, a
//! conjunction costs what all its operands cost, and a disjunction what the cheapest costs. From time to
//! time the half of the runs that are furthest away end, and the nearest fork into their places. Among
//! runs as near as each other those whose state was not seen before in this round go first.
//!
//! A look at all runs takes as long as 64 steps, so large circuits are looked at seldom.
//!
//! The costs are those of testability analysis (Goldstein, Thigpen, SCOAP, 1980) without depth.

use super::Simulation;
use crate::settings::{SIM_GUIDE_GATES, SIM_GUIDE_LONGEST};
use alphorn_problem::Circuit;
use alphorn_problem::circuit::Lit;
use rustc_hash::{FxHashSet, FxHasher};
use std::hash::Hasher;

/// What no run can do.
const NEVER: u32 = 1 << 20;

/// The guide of a round.
pub(super) struct Guide {
    /// How many steps there are between two looks.
    period: u64,
    /// By variable: what it costs to be 0, and to be 1.
    costs: Vec<[u32; 2]>,
    seen: FxHashSet<u64>,
}

impl Guide {
    pub(super) fn new(circuit: &Circuit) -> Guide {
        Guide {
            period: ((circuit.ands.len() / SIM_GUIDE_GATES.size()) as u64)
                .clamp(1, SIM_GUIDE_LONGEST.get()),
            costs: vec![[0, 0]; circuit.max_var() as usize + 1],
            seen: FxHashSet::default(),
        }
    }

    /// Words of work that a step costs on average.
    pub(super) fn words(&self) -> u64 {
        64 / self.period
    }

    /// Whose run each lane continues after a step, if it is time for a look.
    pub(super) fn choose(
        &mut self,
        circuit: &Circuit,
        simulation: &Simulation<'_>,
        time: u64,
    ) -> Option<[u8; 64]> {
        if !time.is_multiple_of(self.period) {
            return None;
        }
        let mut order: Vec<(u32, bool, u8)> = Vec::with_capacity(64);
        for lane in 0..64u8 {
            let is_old = !self.seen.insert(state(simulation, lane));
            order.push((self.distance(circuit, simulation, lane), is_old, lane));
        }
        order.sort_unstable();
        let nearest = order.iter().take_while(|rank| rank.0 == order[0].0).count().min(32);
        let mut from: [u8; 64] = std::array::from_fn(|lane| lane as u8);
        for (place, (_, _, lane)) in order[32..].iter().enumerate() {
            from[*lane as usize] = order[place % nearest].2;
        }
        Some(from)
    }

    /// How far the state of a lane is from a bad step.
    fn distance(&mut self, circuit: &Circuit, simulation: &Simulation<'_>, lane: u8) -> u32 {
        let costs = &mut self.costs;
        costs[0] = [0, NEVER];
        for (index, word) in simulation.latches().iter().enumerate() {
            let is_one = word >> lane & 1 == 1;
            costs[circuit.latch(index).var() as usize] = [u32::from(is_one), u32::from(!is_one)];
        }
        let cost = |costs: &[[u32; 2]], lit: Lit, value: bool| {
            costs[lit.var() as usize][usize::from(value != lit.is_negated())]
        };
        for (index, gate) in circuit.ands.iter().enumerate() {
            let (left, right) = (gate.left, gate.right);
            let zero = cost(costs, left, false).min(cost(costs, right, false));
            let one = cost(costs, left, true).saturating_add(cost(costs, right, true));
            costs[circuit.gate(index).var() as usize] = [zero, one.min(NEVER)];
        }
        cost(costs, circuit.safety()[0], true)
    }
}

/// A hash of the state of a lane.
fn state(simulation: &Simulation<'_>, lane: u8) -> u64 {
    let mut hasher = FxHasher::default();
    let mut bits = 0u64;
    for (index, word) in simulation.latches().iter().enumerate() {
        bits = bits << 1 | (word >> lane & 1);
        if index % 64 == 63 {
            hasher.write_u64(bits);
        }
    }
    hasher.write_u64(bits);
    hasher.finish()
}
