//! The query as a program that is run on values, small ones first.
//!
//! A false theorem about a functional program has a small counterexample more often than not. Where clauses compute
//! one argument of a predicate from the others (`sld::modes`), the query's other variables are inputs: they are given values
//! in the order of size, and its atoms are calls. What a call computes is kept, so that functions of many cases that
//! each ask for the same are run once. Several inputs are enumerated together, such that the product of
//! their values' numbers is bounded; a test of the first few is made before the next gets its value.
//! (Runciman, Naylor, Lindblad, *SmallCheck and Lazy SmallCheck*, Haskell 2008; tables: Tamaki, Sato,
//! *OLD resolution with tabulation*, ICLP 1986.) It refutes and does not prove.
//!
//! - `heap`: values that are shared
//! - `sizes`: the values of a sort, small ones first
//! - `order`: the order in which a rule is run
//! - `tables`: calls, and what they computed
//! - `answer`: the derivation

mod answer;
mod heap;
mod order;
mod sizes;
mod tables;
#[cfg(test)]
mod tests;

use crate::settings::{ENUMERATE_BITS, ENUMERATE_FIRST_BITS};
use crate::sld::program;
use alphorn_engine::{Card, Ctx, Engine, Event, Stop};
use alphorn_problem::{Finding, Horn};
use order::Orders;
use tables::Tables;

/// Registry entry.
pub const CARD: Card<Horn> = Card {
    name: "enumerate",
    about: "runs the query as a program on values, small ones first, and keeps what calls compute [RNL08, TS86]",
    proves: false,
    refutes: true,
    build: || Box::new(Enumerate),
};

struct Enumerate;

impl Engine<Horn> for Enumerate {
    fn run(&mut self, horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Finding<Horn>, Stop> {
        let mut store = horn.terms.clone();
        let program = program::program(horn, &mut store)?;
        let orders = Orders::new(&store, &program);
        let query = program.len() - 1;
        if orders.of(query, 0).iter().all(Option::is_none) {
            return Err(Stop::Unsupported("no query is a program with inputs".to_owned()));
        }
        let mut tables = Tables::new(&store, &program, &orders);
        let mut bits = ENUMERATE_FIRST_BITS.get();
        loop {
            ctx.emit(Event::Remark(format!("inputs of {bits} bits")));
            let mut found = None;
            let mut has_more = false;
            for rule in 0..program[query].rules.len() {
                has_more |= tables.query(rule, 1 << bits.min(62), ctx, &mut |tables, answer| {
                    found = answer::derivation(horn, tables, answer);
                    found.is_some()
                })?;
                if let Some(derivation) = found.take() {
                    return Ok(Finding::Fails(derivation));
                }
            }
            if !has_more {
                return Err(Stop::Stuck("there are no more inputs to try".to_owned()));
            }
            bits += ENUMERATE_BITS.get();
        }
    }
}
