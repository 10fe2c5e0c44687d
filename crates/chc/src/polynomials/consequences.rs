//! Linear equations that follow from polynomial ones.
//!
//! The equations of a clause, and their products with the unknowns that occur in products, are rows over monomials. Brought into
//! echelon form with the products first, the rows that have none left are what they imply about the unknowns
//! themselves: from `b = e·a`, `a = f·g`, `d = c·g`, `c = e·f` follows `b = d`. So engines that know of
//! no products hear of it.
//!
//! The matrices of Macaulay (1902), of one degree more than the equations have.

use crate::settings::{POLYNOMIALS_MAX_MONOMIALS, POLYNOMIALS_MAX_ROWS};
use alphorn_engine::{Ctx, Stop};
use alphorn_smt::{Linear, rows};
use alphorn_term::{Op, Rat, Store, TermId};
use std::collections::{BTreeMap, BTreeSet};

/// Equations without products that follow from equations, and do not from those that have none already.
pub(super) fn linear_ones(
    store: &mut Store,
    equations: &[Linear],
    ctx: &mut Ctx<'_>,
) -> Result<Vec<Linear>, Stop> {
    let has_product = |store: &Store, equation: &Linear| {
        equation.terms.iter().any(|(atom, _)| factors(store, *atom).len() > 1)
    };
    let (curved, mut flat): (Vec<Linear>, Vec<Linear>) =
        equations.iter().cloned().partition(|equation| has_product(store, equation));
    if curved.is_empty() {
        return Ok(Vec::new());
    }
    let unknowns: BTreeSet<TermId> = (curved.iter())
        .flat_map(|equation| equation.terms.iter().map(|(atom, _)| *atom))
        .filter(|&atom| factors(store, atom).len() > 1)
        .flat_map(|atom| factors(store, atom))
        .collect();
    let mut all = equations.to_vec();
    for equation in equations {
        for &unknown in &unknowns {
            if all.len() >= POLYNOMIALS_MAX_ROWS.size() {
                break;
            }
            all.push(equation.times(store, &Linear::atom(unknown)));
        }
    }
    let Some(reduced) = reduced(store, &all, ctx)? else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for equation in reduced {
        if has_product(store, &equation) {
            continue;
        }
        // Those that say something new are added to what is known, one by one.
        flat.push(equation.clone());
        let Some(rows) = self::reduced(store, &flat, ctx)? else { break };
        match rows.len() == flat.len() {
            true => found.push(equation),
            false => {
                flat.pop();
            }
        }
    }
    Ok(found)
}

/// Equations in echelon form, products of most factors first; nothing where there are too many monomials.
fn reduced(
    store: &Store,
    equations: &[Linear],
    ctx: &mut Ctx<'_>,
) -> Result<Option<Vec<Linear>>, Stop> {
    let mut atoms: Vec<TermId> = (equations.iter())
        .flat_map(|equation| equation.terms.iter().map(|(atom, _)| *atom))
        .collect();
    atoms.sort_by_key(|&atom| (std::cmp::Reverse(factors(store, atom).len()), atom));
    atoms.dedup();
    if atoms.len() > POLYNOMIALS_MAX_MONOMIALS.size() {
        return Ok(None);
    }
    let columns: BTreeMap<TermId, usize> =
        atoms.iter().enumerate().map(|(at, &atom)| (atom, at)).collect();
    let row = |equation: &Linear| {
        let mut row = vec![Rat::ZERO; atoms.len() + 1];
        row[atoms.len()] = equation.constant.clone();
        for (atom, factor) in &equation.terms {
            row[columns[atom]] = factor.clone();
        }
        row
    };
    let mut matrix: Vec<Vec<Rat>> = equations.iter().map(row).collect();
    ctx.tick(1 + (matrix.len() * atoms.len()) as u64 / 8)?;
    rows::reduce(&mut matrix);
    let polynomial = |row: Vec<Rat>| {
        let mut sum = Linear::constant(row[atoms.len()].clone());
        for (&atom, factor) in atoms.iter().zip(&row) {
            sum.add_scaled(&Linear::atom(atom), factor);
        }
        sum.scale(&super::points::whole_factor(&sum));
        sum
    };
    Ok(Some(matrix.into_iter().map(polynomial).collect()))
}

/// The factors of a product, or the term itself.
fn factors(store: &Store, atom: TermId) -> Vec<TermId> {
    match store.op(atom) {
        Op::Mul => store.args(atom).to_vec(),
        _ => vec![atom],
    }
}
