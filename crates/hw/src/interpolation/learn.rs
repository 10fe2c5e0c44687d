//! Interpolants without proofs, learned clause by clause from cores.
//!
//! Of two contradictory formulas the first implies the interpolant, and the second contradicts it. While the
//! second has a model that satisfies what was learned, the values that the model gives to the *shared* functions
//! contradict the first formula; the core of that, made small, is a clause that the first implies. Shared
//! functions need not be variables: whatever both sides know may stand in a clause.
//!
//! The clauses are implied one by one, so that a clause more or less never makes the result wrong.
//!
//! After Bloem, Egly, Klampfl, Könighofer, Lonsing, "SAT-Based Methods for Circuit Synthesis" (FMCAD 2014),
//! where this is `IntLearn`; with the sides exchanged it negates a formula without new variables (`NegLearn`).

use crate::ask::ask;
use alphorn_engine::{Ctx, Stop};
use alphorn_sat::aig::{Aig, Edge, Encoder, Encoding, Polarity};
use alphorn_sat::{Lit, Solver};

/// One of the formulas, with literals for what is shared.
struct Side {
    solver: Solver,
    shared: Vec<Lit>,
}

impl Side {
    fn new(aig: &Aig, formula: Edge, shared: &[Edge]) -> Side {
        let mut solver = Solver::default();
        let mut encoder = Encoder::new(Encoding::PlaistedGreenbaum);
        let roots: Vec<_> = shared.iter().map(|edge| (*edge, Polarity::Both)).collect();
        encoder.encode_all(aig, &roots, &mut solver);
        encoder.assert(aig, formula, &mut solver);
        let known = |edge: &Edge| encoder.known(*edge).expect("roots are encoded");
        Side { shared: shared.iter().map(known).collect(), solver }
    }
}

/// Clauses over the shared edges that `implies` implies and that contradict `excludes`; none if there are more
/// than `most`. The formulas must contradict each other whatever the shared edges are.
pub(crate) fn learn(
    aig: &Aig,
    implies: Edge,
    excludes: Edge,
    shared: &[Edge],
    most: usize,
    ctx: &mut Ctx<'_>,
) -> Result<Option<Vec<Vec<Edge>>>, Stop> {
    let mut models = Side::new(aig, excludes, shared);
    let mut cores = Side::new(aig, implies, shared);
    let mut learned = Vec::new();
    while ask(&mut models.solver, &[], None, ctx)? {
        if learned.len() == most {
            return Ok(None);
        }
        let value = |lit: &Lit| models.solver.value(*lit) == Some(true);
        let values: Vec<bool> = models.shared.iter().map(value).collect();
        let cube: Vec<Lit> =
            cores.shared.iter().zip(&values).map(|(lit, value)| lit.xor(!*value)).collect();
        if ask(&mut cores.solver, &cube, None, ctx)? {
            return Err(Stop::Stuck("what is shared does not tell two formulas apart".into()));
        }
        let core = minimal(&mut cores.solver, &cube, ctx)?;
        let clause: Vec<Lit> = core.iter().map(|at| models.shared[*at].xor(values[*at])).collect();
        models.solver.add_clause(&clause);
        learned.push(core.iter().map(|at| shared[*at].xor(values[*at])).collect());
    }
    Ok(Some(learned))
}

/// The positions of literals of a cube that still contradict the formula, none of which can be left out.
fn minimal(solver: &mut Solver, cube: &[Lit], ctx: &mut Ctx<'_>) -> Result<Vec<usize>, Stop> {
    let mut core: Vec<usize> = (0..cube.len()).filter(|at| solver.is_failed(cube[*at])).collect();
    let mut kept = 0;
    while kept < core.len() {
        // The last ones first: what is deeper says more.
        let tried = core.len() - 1 - kept;
        let mut fewer = core.clone();
        fewer.remove(tried);
        let lits: Vec<Lit> = fewer.iter().map(|at| cube[*at]).collect();
        if ask(solver, &lits, None, ctx)? {
            kept += 1;
            continue;
        }
        let needed: Vec<usize> =
            fewer.iter().copied().filter(|at| solver.is_failed(cube[*at])).collect();
        let end = core.len() - kept;
        let is_kept = core[end..].iter().all(|at| needed.contains(at));
        core = if is_kept { needed } else { fewer };
    }
    Ok(core)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alphorn_engine::Stopper;
    use alphorn_sat::Random;
    use alphorn_sat::aig::COUNTING;

    #[test]
    fn what_is_learned_lies_between_two_formulas_and_negates_one() {
        let mut sink = |_| {};
        let mut ctx = Ctx::new(u64::MAX, Stopper::new(), 0, &mut sink);
        let mut random = Random::new(3);
        for _ in 0..200 {
            let mut aig = Aig::new();
            let inputs: Vec<Edge> = (0..6).map(|_| aig.add_input()).collect();
            let mut edges = inputs.clone();
            for _ in 0..15 {
                let mut pick = || {
                    let at = random.below(edges.len() as u32) as usize;
                    edges[at].xor(random.one_in(2))
                };
                let (left, right) = (pick(), pick());
                edges.push(aig.and(left, right));
            }
            let (first, other) = (edges[20], edges[19]);
            let second = aig.and(!first, other);
            let shared = [&inputs[..], &[edges[8]]].concat();
            for (implies, excludes) in [(first, second), (!first, first)] {
                let learned = learn(&aig, implies, excludes, &shared, usize::MAX, &mut ctx);
                let clauses = learned.expect("no limit").expect("no limit");
                let clauses: Vec<Edge> = clauses.into_iter().map(|c| aig.or_n(c)).collect();
                let made = aig.and_n(clauses);
                let values = aig.simulate(&COUNTING);
                assert_eq!(values.value(implies) & !values.value(made), 0);
                assert_eq!(values.value(excludes) & values.value(made), 0);
            }
        }
    }
}
