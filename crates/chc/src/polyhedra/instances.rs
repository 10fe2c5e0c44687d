//! The facts that instances of a clause conclude, as generators.
//!
//! The instances of an implicant are points of a space with a coordinate for each number of the atoms and for each
//! dimension that the implicant speaks of. What is known of one atom is there by its generators, so that the implicant
//! only has to cut it, and clauses that just move and add numbers cut nothing: their conclusions are the images of the
//! corners.

use super::cone::{Description, Vector, dot, primitive, too_large};
use super::places::vectors;
use super::polyhedron::Hull;
use crate::settings::{POLYHEDRA_MAX_CORNERS, POLYHEDRA_MAX_DIMENSIONS};
use alphorn_engine::{Ctx, Stop};
use alphorn_smt::Linear;
use alphorn_term::{Rat, TermId};
use std::collections::BTreeSet;

/// What is known of the numbers of an atom.
pub(super) struct Input {
    /// Variables that are the numbers.
    pub(super) numbers: Vec<TermId>,
    pub(super) hull: Hull,
}

/// The generators of the facts with these values where rows are not negative, and where the numbers of the inputs, one
/// after the other, are what is given.
pub(super) fn instances(
    rows: &[Linear],
    values: &[Linear],
    given: &[Linear],
    inputs: &[Option<Input>],
    ctx: &mut Ctx<'_>,
) -> Result<Description, Stop> {
    let (rows, dimensions) = connected(rows, values.iter().chain(given));
    let hulls: Vec<&Hull> = inputs.iter().flatten().map(|input| &input.hull).collect();
    let width = 1 + given.len() + dimensions.len();
    if width > POLYHEDRA_MAX_DIMENSIONS.size() {
        return Err(Stop::Stuck("a clause speaks of too many numbers".to_owned()));
    }
    // The dimensions come after the numbers of the inputs.
    let placed = |vector: &[i128], at: usize| -> Vector {
        let mut placed = vec![0; width];
        placed[0] = vector[0];
        placed[at..at + vector.len() - 1].copy_from_slice(&vector[1..]);
        placed
    };
    let mut more = Description::default();
    for (at, value) in given.iter().enumerate() {
        let (by, vector) = vectors(std::slice::from_ref(value), &dimensions)?;
        let mut equation = placed(&vector[0], 1 + given.len());
        equation[1 + at] = -by;
        more.lines.push(primitive(equation)?);
    }
    for row in &rows {
        let (_, vector) = vectors(std::slice::from_ref(row), &dimensions)?;
        more.rays.push(primitive(placed(&vector[0], 1 + given.len()))?);
    }
    // The input with the most corners is there by its generators, the others by their rows.
    let size = |at: &usize| hulls[*at].corners.rays.len();
    let chosen = (0..hulls.len()).max_by_key(size);
    let (mut start, mut old) = (Description::default(), Description::default());
    let mut is_free = vec![true; width];
    is_free[0] = false;
    let mut at = 1;
    for (number, hull) in hulls.iter().enumerate() {
        let embed = |all: &[Vector]| all.iter().map(|it| placed(it, at)).collect::<Vec<Vector>>();
        let (lines, rays) = (embed(&hull.rows.lines), embed(&hull.rows.rays));
        let end = at + hull.dimensions();
        if Some(number) == chosen {
            is_free[at..end].fill(false);
            old = Description { lines, rays };
            start.lines.extend(embed(&hull.corners.lines));
            start.rays.extend(embed(&hull.corners.rays));
        } else {
            more.lines.extend(lines);
            more.rays.extend(rays);
        }
        at = end;
    }
    let unit = |at: usize| -> Vector { (0..width).map(|it| i128::from(it == at)).collect() };
    if chosen.is_none() {
        start.rays.push(unit(0));
        old.rays.push(unit(0));
    }
    start.lines.extend((0..width).filter(|&at| is_free[at]).map(unit));
    let corners = start.cut(&old, &more, POLYHEDRA_MAX_CORNERS.size(), ctx)?;
    images(&corners, values, &dimensions, 1 + given.len())
}

/// What generators are as facts with these values, over dimensions from some place on.
fn images(
    corners: &Description,
    values: &[Linear],
    dimensions: &[TermId],
    from: usize,
) -> Result<Description, Stop> {
    let (by, values) = vectors(values, dimensions)?;
    let image = |corner: &Vector| -> Result<Vector, Stop> {
        let mut seen = vec![corner[0]];
        seen.extend(&corner[from..]);
        let first = corner[0].checked_mul(by).ok_or_else(too_large)?;
        let rest = values.iter().map(|value| dot(value, &seen));
        primitive(std::iter::once(first).chain(rest).collect())
    };
    let all = |corners: &[Vector]| -> Result<Vec<Vector>, Stop> {
        let all = corners.iter().map(image).collect::<Result<BTreeSet<Vector>, Stop>>()?;
        Ok(all.into_iter().filter(|it| it.iter().any(|value| *value != 0)).collect())
    };
    Ok(Description { lines: all(&corners.lines)?, rays: all(&corners.rays)? })
}

/// The rows that say something about what values depend on, and the dimensions of both.
fn connected<'a>(
    rows: &[Linear],
    values: impl Iterator<Item = &'a Linear>,
) -> (Vec<Linear>, Vec<TermId>) {
    let mut dimensions: BTreeSet<TermId> = BTreeSet::new();
    dimensions.extend(values.flat_map(|value| value.terms.iter().map(|(atom, _)| *atom)));
    let mut open: Vec<&Linear> = rows.iter().collect();
    let mut taken = Vec::new();
    loop {
        let touches = |row: &Linear| row.terms.iter().any(|(atom, _)| dimensions.contains(atom));
        let (near, far): (Vec<&Linear>, Vec<&Linear>) = open.iter().partition(|row| touches(row));
        if near.is_empty() {
            return (taken, dimensions.into_iter().collect());
        }
        for row in near {
            dimensions.extend(row.terms.iter().map(|(atom, _)| *atom));
            taken.push(row.clone());
        }
        open = far;
    }
}

/// A form over dimensions as a form over what is given, each of which has to be one dimension up to its sign and a constant.
pub(super) fn back(form: &Linear, given: &[Linear]) -> Option<Vector> {
    let mut rest = form.clone();
    let mut found = vec![Rat::ZERO; given.len()];
    for (value, factor) in given.iter().zip(&mut found) {
        let [(dimension, by)] = &value.terms[..] else { continue };
        let inverse = by.recip().filter(|_| by.abs().is_one())?;
        *factor = &rest.coefficient(*dimension) * &inverse;
        rest.add_scaled(value, &-factor.clone());
    }
    if !rest.is_constant() {
        return None;
    }
    let form = Linear { constant: rest.constant, terms: Vec::new() };
    let (by, constant) = vectors(&[form], &[]).ok()?;
    let mut vector = constant[0].clone();
    for factor in found {
        vector.push(i128::from((&factor * &Rat::from(by as i64)).to_int()?.to_i64()?));
    }
    primitive(vector).ok()
}
