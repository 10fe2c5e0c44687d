//! Prints random terms with values for their variables and the value the term then has, as SMT-LIB
//! assertions that this is wrong: every one must be unsatisfiable to another solver.
//!
//! Run: `cargo run --release -p alphorn-term --example ground_terms -- COUNT SEED`. The first
//! lines declare the datatypes; then one assertion per line. Terms that meet a choice SMT-LIB
//! leaves open are left out. `fuzz/term_semantics.py` feeds the lines to a solver.

use alphorn_term::eval::Choices;
use alphorn_term::print::quote;
use alphorn_term::{Model, Op, Sort, TermId, eval};
use alphorn_testkit::terms::World;
use std::io::{BufWriter, Write};

/// A random application of the world, now and then a quantifier or a constant array.
fn random_term(world: &mut World) -> TermId {
    match world.rng.below(20) {
        0 => {
            let sort = world.rng.pick(&world.finite.clone());
            let var = world.vars[2 * world.position(sort) + world.rng.below(2)];
            let body = world.term(alphorn_term::SortId::BOOL);
            let op = world.rng.pick(&[Op::Forall, Op::Exists]);
            world.store.mk(op, &[var, body])
        }
        1 => {
            let sort = world.rng.pick(&world.arrays.clone());
            let Sort::Array(_, element) = *world.store.sort_of(sort) else {
                unreachable!("array sorts are sorts of arrays")
            };
            let value = world.term(element);
            world.store.const_array(sort, value)
        }
        _ => {
            let (op, args) = world.application();
            world.store.app(op, &args).expect("generated terms are well-sorted")
        }
    }
}

/// The assertion that `term` has another value than it has, if it has one.
fn assertion(world: &mut World, term: TermId, model: &Model) -> Option<String> {
    let value = eval(&world.store, term, model).ok()?;
    let value = world.store.value_term(&value)?;
    let mut bindings = String::new();
    for var in world.store.free_vars(&[term]) {
        let own = world.store.value_term(&model.vars[&var])?;
        let name = quote(world.store.var_name(var)?);
        bindings.push_str(&format!("({name} {})", world.store.show(own)));
    }
    let (term, value) = (world.store.show(term), world.store.show(value));
    Some(match bindings.as_str() {
        "" => format!("(assert (not (= {term} {value})))"),
        _ => format!("(assert (not (= (let ({bindings}) {term}) {value})))"),
    })
}

fn main() -> std::io::Result<()> {
    let mut args = std::env::args().skip(1).map(|arg| arg.parse::<u64>().ok());
    let count = args.next().flatten().unwrap_or(1000);
    let seed = args.next().flatten().unwrap_or(0);
    let mut out = BufWriter::new(std::io::stdout().lock());
    writeln!(out, "(declare-datatype Colour ((red) (green) (blue)))")?;
    writeln!(out, "(declare-datatype Stack ((empty) (push (top Int) (below Stack))))")?;
    writeln!(out, "(declare-datatype Point ((point (place (_ BitVec 2)) (marked Bool))))")?;
    let mut printed = 0;
    for round in 0.. {
        let mut world = World::new(seed * 1_000_003 + round).with_vars(2).with_values(3);
        for _ in 0..400 {
            let term = random_term(&mut world);
            let mut model = world.model();
            model.choices = Choices::default();
            if let Some(line) = assertion(&mut world, term, &model) {
                writeln!(out, "{line}")?;
                printed += 1;
            }
            if printed == count {
                return out.flush();
            }
            if world.store.dag_size(&[term]) < 30 {
                world.add(term);
            }
        }
    }
    Ok(())
}
