//! Closed convex polyhedra, which may be empty, with both of their descriptions.
//!
//! A polyhedron is the part of a cone whose first coordinate is 1 (`cone`). Its hull with another has the generators of
//! both; its widening keeps the constraints that hold of both (Cousot, Halbwachs, POPL 1978).
//!
//! Invariant: both descriptions are minimal, and a polyhedron that is not empty has a corner.

use super::cone::{Description, Vector, dot};
use crate::settings::{POLYHEDRA_FEW_ROWS, POLYHEDRA_MAX_CORNERS};
use alphorn_engine::{Ctx, Stop};

/// A polyhedron that is not empty, in a space of one dimension less than its vectors have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hull {
    /// What is zero and what is not negative: the first coordinate of a row is its constant.
    pub(super) rows: Description,
    /// Lines, and rays: those with a first coordinate above zero are corners, with the denominator there.
    pub(super) corners: Description,
}

/// One constraint.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Row {
    pub(super) vector: Vector,
    /// Whether it is zero, or only not negative.
    pub(super) is_equation: bool,
}

impl Row {
    /// Whether it speaks of one number.
    pub(super) fn is_bound(&self) -> bool {
        self.size().0 == 1
    }
}

impl Row {
    /// How many numbers it speaks of, and how large its factors are.
    pub(super) fn size(&self) -> (usize, u128, Vector) {
        let count = self.vector[1..].iter().filter(|value| **value != 0).count();
        let sum = self.vector[1..].iter().map(|value| value.unsigned_abs()).sum();
        (count, sum, self.vector.clone())
    }

    /// The inequalities that it is.
    pub(super) fn inequalities(self) -> Vec<Row> {
        let is_equation = false;
        if !self.is_equation {
            return vec![self];
        }
        let negative = self.vector.iter().map(|value| -value).collect();
        [self.vector, negative].into_iter().map(|vector| Row { vector, is_equation }).collect()
    }

    /// Whether it is a weaker bound of a number than another one in the same direction.
    pub(super) fn is_weaker_bound(&self, other: &Row) -> bool {
        let factor = |row: &Row| row.vector[1..].iter().map(|value| value.abs()).sum::<i128>();
        self.vector[0] * factor(other) > other.vector[0] * factor(self)
    }
}

impl Hull {
    /// All constraints.
    pub(super) fn all_rows(&self) -> impl Iterator<Item = Row> + '_ {
        let lines = self.rows.lines.iter().map(|row| (row, true));
        let all = lines.chain(self.rows.rays.iter().map(|row| (row, false)));
        all.map(|(row, is_equation)| Row { vector: row.clone(), is_equation })
    }

    /// Whether a form is nowhere negative.
    pub(super) fn allows(&self, row: &Vector) -> bool {
        self.corners.lines.iter().all(|line| dot(row, line) == 0)
            && self.corners.rays.iter().all(|ray| dot(row, ray) >= 0)
    }

    /// The polyhedron of these generators; none if no point is among them.
    pub(super) fn generated(
        by: &Description,
        width: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Hull>, Stop> {
        if !by.has_point() {
            return Ok(None);
        }
        let most = POLYHEDRA_MAX_CORNERS.size();
        let rows = by.generators(width, most, ctx)?;
        let corners = rows.extreme(by)?;
        ctx.tick(corners.rays.len() as u64)?;
        Ok(Some(Hull { rows, corners }))
    }

    /// The generators of what these rows allow; without a point if that is nothing.
    pub(super) fn allowed(
        rows: &Description,
        width: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<Description, Stop> {
        let mut rows = rows.clone();
        rows.rays.push((0..width).map(|at| i128::from(at == 0)).collect());
        rows.generators(width, POLYHEDRA_MAX_CORNERS.size(), ctx)
    }

    /// The hull of the polyhedron and more generators.
    pub(super) fn joined(&self, more: &Description, ctx: &mut Ctx<'_>) -> Result<Hull, Stop> {
        let mut all = self.corners.clone();
        all.lines.extend(more.lines.iter().cloned());
        all.rays.extend(more.rays.iter().cloned());
        let width = self.width();
        Ok(Hull::generated(&all, width, ctx)?.unwrap_or_else(|| self.clone()))
    }

    /// What the rows of this polyhedron say that hold of a larger one as well.
    pub(super) fn widened(&self, larger: &Hull, ctx: &mut Ctx<'_>) -> Result<Hull, Stop> {
        let keeps = |row: &&Vector| larger.corners.rays.iter().all(|ray| dot(row, ray) >= 0);
        let is_free = |row: &&Vector| larger.corners.lines.iter().all(|line| dot(row, line) == 0);
        let mut rows = Description::default();
        for row in self.rows.lines.iter().filter(is_free) {
            // An equation is two inequalities, of which one may go on holding.
            let negative: Vector = row.iter().map(|value| -value).collect();
            rows.rays.extend([row, &negative].into_iter().filter(keeps).cloned());
        }
        rows.rays.extend(self.rows.rays.iter().filter(is_free).filter(keeps).cloned());
        let corners = Hull::allowed(&rows, self.width(), ctx)?;
        Ok(Hull::generated(&corners, self.width(), ctx)?.unwrap_or_else(|| larger.clone()))
    }

    /// Whether all generators are inside.
    pub(super) fn contains(&self, facts: &Description) -> bool {
        let is_zero = |row: &Vector, it: &Vector| dot(row, it) == 0;
        let Description { lines, rays } = &self.rows;
        lines.iter().all(|row| facts.lines.iter().chain(&facts.rays).all(|it| is_zero(row, it)))
            && rays.iter().all(|row| {
                let goes_on = |ray: &Vector| dot(row, ray) >= 0;
                facts.lines.iter().all(|it| is_zero(row, it)) && facts.rays.iter().all(goes_on)
            })
    }

    /// Whether the rows are few enough for a solver to be asked about all of them.
    pub(super) fn is_small(&self) -> bool {
        self.rows.lines.len() + self.rows.rays.len() <= POLYHEDRA_FEW_ROWS.size()
    }

    /// A polyhedron that has only the rows that speak of one number.
    pub(super) fn bounds(&self) -> Hull {
        let is_bound = |row: &&Vector| row[1..].iter().filter(|value| **value != 0).count() == 1;
        let of = |rows: &[Vector]| rows.iter().filter(is_bound).cloned().collect();
        let rows = Description { lines: of(&self.rows.lines), rays: of(&self.rows.rays) };
        Hull { rows, corners: Description::default() }
    }

    /// How many dimensions the space has.
    pub(super) fn dimensions(&self) -> usize {
        self.width() - 1
    }

    fn width(&self) -> usize {
        self.corners.rays.first().map_or(1, Vec::len)
    }
}
