//! The system in which predicates speak of cells in the place of arrays.
//!
//! A predicate `P(x, a)` becomes `P'(x, i, a[i])`, and means `∀i. P'(x, i, a[i])`: some indices that
//! stand for all, with the elements that all arrays have there. A clause's head has fresh indices. Its
//! body's atoms become instances, at the head's indices and at every index at which the clause reads
//! an array of the atom; what the clause says about arrays otherwise is said about the elements read.
//!
//! Every model of the result is one of the system as given. The converse does not hold: a body has
//! finitely many instances, and invariants that relate more elements of an array than there are
//! indices are not found.
//!
//! After Monniaux and Gonnord, "Cell morphing" (SAS 2016), and Bjørner, McMillan and Rybalchenko,
//! "On solving universally quantified Horn clauses" (SAS 2013). Where we differ: all arrays of a
//! predicate are read at the same indices, each counted from where it begins (`bases`).

use super::bases::{Bases, bases};
use super::mirrors::{Sum, mirrors};
use super::reading::{Path, Reading, dimensions, is_plain, ordered};
use super::strides::{Stride, strides};
use crate::settings::{CELLS_MAX_INSTANCES, CELLS_MAX_ROUNDS};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Horn;
use alphorn_problem::horn::{Clause, Head, PredId};
use alphorn_smt::Linear;
use alphorn_term::{FuncId, Int, Op, Rat, SortId, Store, TermId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// A dimension of arrays: how deep it is nested, and the sort of its indices.
pub(super) type Slot = (usize, SortId);

/// How a predicate's arguments become those of the predicate of cells.
pub(super) struct Shape {
    /// The predicate of cells.
    pub(super) func: FuncId,
    /// The arguments that are kept.
    pub(super) plain: Vec<usize>,
    /// The arrays.
    pub(super) arrays: Vec<Lines>,
    /// The dimensions of all arrays.
    pub(super) slots: Vec<Slot>,
    /// The sum of an index and its image, by positions among the arguments that are kept, where cells have images.
    mirror: Option<Sum>,
}

/// An argument that is an array.
#[derive(Clone)]
pub(super) struct Lines {
    /// The argument.
    pub(super) at: usize,
    /// The slots of its dimensions.
    slots: Vec<usize>,
    /// Which of the arguments that are kept is added to its first index, and the distance from one
    /// cell to the next.
    base: Option<(usize, Int)>,
}

impl Lines {
    /// The index of a cell.
    fn index(&self, store: &mut Store, plain: &[TermId], cell: TermId) -> TermId {
        let Some((base, step)) = &self.base else { return cell };
        let step = store.int(step.clone());
        let distance = store.mul(&[step, cell]);
        store.add(&[plain[*base], distance])
    }

    /// The cell at an index; none if it is not known to be one.
    fn cell(
        &self,
        store: &mut Store,
        plain: &[TermId],
        index: TermId,
        quotients: &BTreeMap<TermId, (Stride, TermId)>,
    ) -> Option<TermId> {
        let Some((base, step)) = &self.base else { return Some(index) };
        let distance = store.sub(index, plain[*base]);
        if step.is_one() {
            return Some(ordered(store, distance));
        }
        let mut form = Linear::of(store, distance);
        for (&var, (stride, quotient)) in quotients {
            form = stride.put_in(form, var, *quotient);
        }
        form.scale(&Rat::from(step.clone()).recip()?);
        let mut numbers = form.terms.iter().map(|(_, factor)| factor).chain([&form.constant]);
        let is_cell = numbers.all(Rat::is_integer) && form.is_over_integers(store);
        is_cell.then(|| form.to_term(store, SortId::INT))
    }
}

/// How much a clause about cells says.
#[derive(Clone, Copy, Debug)]
pub(super) struct Detail {
    /// How many cells each array has.
    pub(super) copies: usize,
    /// Whether atoms have instances at all numbers that the clause has as arguments, and not only
    /// where arrays are read.
    pub(super) is_eager: bool,
    /// Whether a cell's image at the other end of an array is spoken of as well.
    pub(super) is_mirrored: bool,
}

/// The system of cells.
pub(super) struct Abstraction {
    /// The system.
    pub(super) horn: Horn,
    /// How each predicate's arguments became those of the system's.
    pub(super) shapes: Vec<Shape>,
    /// How many cells each array has.
    pub(super) copies: usize,
}

/// The abstraction of a system to some cells of each array.
pub(super) fn abstraction(
    horn: &Horn,
    detail: Detail,
    ctx: &mut Ctx<'_>,
) -> Result<Abstraction, Stop> {
    let mut store = horn.terms.clone();
    let copies = detail.copies;
    let (bases, mirrors) = match detail.is_mirrored {
        true => (Bases::new(), mirrors(horn)),
        false => (bases(horn), BTreeMap::new()),
    };
    if detail.is_mirrored && mirrors.is_empty() {
        return Err(Stop::Stuck("no indices mirror each other".to_owned()));
    }
    let shape = |pred| Shape::of(horn, &mut store, pred, copies, (&bases, mirrors.get(&pred)));
    let shapes: Vec<Shape> = horn.pred_ids().map(shape).collect();
    let mut clauses = Vec::with_capacity(horn.clauses.len());
    for clause in &horn.clauses {
        ctx.tick(1)?;
        let reading = Reading::default();
        let taken = FxHashMap::default();
        let quotients = BTreeMap::new();
        let mut work =
            Work { horn, store: &mut store, shapes: &shapes, detail, reading, quotients, taken };
        clauses.push(work.clause(clause)?);
    }
    let mut result = Horn::new(store);
    for (pred, shape) in horn.preds.iter().zip(&shapes) {
        result.add_pred(shape.func, pred.span);
    }
    result.clauses = clauses;
    Ok(Abstraction { horn: result, shapes, copies })
}

impl Shape {
    fn of(
        horn: &Horn,
        store: &mut Store,
        pred: PredId,
        copies: usize,
        (bases, mirror): (&Bases, Option<&Sum>),
    ) -> Shape {
        let (mut plain, mut arrays, mut slots) = (Vec::new(), Vec::new(), Vec::<Slot>::new());
        let (mut sorts, mut elements) = (Vec::new(), Vec::new());
        for (at, &sort) in horn.pred_args(pred).iter().enumerate() {
            if is_plain(store, sort) {
                plain.push(at);
                sorts.push(sort);
            } else if let Some((indices, element)) = dimensions(store, sort) {
                let mut own = Vec::with_capacity(indices.len());
                for slot in indices.into_iter().enumerate() {
                    let position = slots.iter().position(|&known| known == slot);
                    own.push(position.unwrap_or(slots.len()));
                    if position.is_none() {
                        slots.push(slot);
                    }
                }
                arrays.push(Lines { at, slots: own, base: None });
                elements.push(element);
            }
        }
        for lines in &mut arrays {
            let Some(base) = bases.get(&(pred, lines.at)) else { continue };
            let place = plain.iter().position(|&at| at == base.at);
            lines.base = place.map(|place| (place, base.step.clone()));
        }
        for _ in 0..copies {
            sorts.extend(slots.iter().map(|&(_, sort)| sort));
            sorts.extend(&elements);
        }
        let mirror = mirror.filter(|_| slots.len() == 1).and_then(|sum| sum.among(&plain));
        if mirror.is_some() {
            sorts.extend(&elements);
        }
        let func = store.declare(horn.pred_name(pred), &sorts, SortId::BOOL);
        Shape { func, plain, arrays, slots, mirror }
    }

    /// The arguments of the predicate of cells, made of the plain ones and of each copy's indices.
    pub(super) fn args(
        &self,
        store: &mut Store,
        plain: &[TermId],
        indices: &[Vec<TermId>],
        mut read: impl FnMut(&mut Store, usize, &[TermId]) -> TermId,
    ) -> Vec<TermId> {
        let mut args = plain.to_vec();
        for indices in indices {
            args.extend(indices);
            for lines in &self.arrays {
                let mut path: Path = lines.slots.iter().map(|&slot| indices[slot]).collect();
                path[0] = lines.index(store, plain, path[0]);
                args.push(read(store, lines.at, &path));
            }
        }
        if let (Some(mirror), Some(&[index])) = (&self.mirror, indices.first().map(Vec::as_slice)) {
            let image = mirror.image(store, |at| plain[at], index);
            args.extend(self.arrays.iter().map(|lines| read(store, lines.at, &[image])));
        }
        args
    }
}

/// One clause at work.
struct Work<'a> {
    horn: &'a Horn,
    store: &'a mut Store,
    shapes: &'a [Shape],
    detail: Detail,
    reading: Reading,
    /// Numbers of steps in the place of variables that step over cells.
    quotients: BTreeMap<TermId, (Stride, TermId)>,
    /// The instances of each atom, by indices.
    taken: FxHashMap<TermId, Vec<Vec<Vec<TermId>>>>,
}

impl Work<'_> {
    fn clause(&mut self, clause: &Clause) -> Result<Clause, Stop> {
        let atoms = self.horn.atoms(clause.body);
        self.refuse(clause)?;
        self.count_steps(clause);
        let head = match &clause.head {
            Head::False => Head::False,
            Head::Atom(pred, args) => Head::Atom(*pred, self.head(*pred, args)),
        };
        // What is read by constraints says where atoms are needed, so constraints come first.
        for part in self.store.subterms(&[clause.body]) {
            if self.store.sort(part) == SortId::BOOL && !self.store.has_apply(part) {
                self.reading.scalar(self.store, part);
            }
        }
        for &atom in &atoms {
            self.plain_args(atom);
        }
        for _ in 0..CELLS_MAX_ROUNDS.size() {
            let mut has_changed = self.reading.spread(self.store);
            for &atom in &atoms {
                has_changed |= self.choose_instances(atom);
            }
            if !has_changed {
                break;
            }
        }
        let body = self.body(clause.body);
        self.reading.congruence(self.store);
        let mut parts = vec![body];
        parts.append(&mut self.reading.constraints);
        let body = self.store.and(&parts);
        let mut result = Clause { body, head, ..clause.clone() };
        let mut roots = vec![result.body];
        if let Head::Atom(_, args) = &result.head {
            roots.extend(args);
        }
        let free: FxHashSet<TermId> = self.store.free_vars(&roots).into_iter().collect();
        result.vars.extend(&self.reading.fresh);
        result.vars.retain(|var| free.contains(var));
        Ok(result)
    }

    /// Gives variables that step over cells a number of steps.
    fn count_steps(&mut self, clause: &Clause) {
        let has_steps = |lines: &Lines| lines.base.as_ref().is_some_and(|(_, step)| !step.is_one());
        if !self.shapes.iter().any(|shape| shape.arrays.iter().any(has_steps)) {
            return;
        }
        for (var, stride) in strides(self.store, clause.body) {
            let quotient = self.reading.fresh(self.store, "steps", SortId::INT);
            let definition = stride.definition(self.store, var, quotient);
            self.reading.constraints.push(definition);
            self.quotients.insert(var, (stride, quotient));
        }
    }

    fn refuse(&self, clause: &Clause) -> Result<(), Stop> {
        let mut roots = vec![clause.body];
        if let Head::Atom(_, args) = &clause.head {
            roots.extend(args);
        }
        for term in self.store.subterms(&roots) {
            let what = match self.store.op(term) {
                Op::Forall | Op::Exists => "quantifiers in bodies",
                Op::Apply(func) if self.horn.pred_of(func).is_none() => "declared functions",
                _ => continue,
            };
            return Err(Stop::Unsupported(format!("{what} are not treated")));
        }
        Ok(())
    }

    fn shape(&self, atom: TermId) -> &'_ Shape {
        let pred = self.horn.atom(atom).expect("atoms are applications of predicates");
        &self.shapes[pred.index()]
    }

    fn head(&mut self, pred: PredId, args: &[TermId]) -> Vec<TermId> {
        let shapes = self.shapes;
        let (shape, store) = (&shapes[pred.index()], &mut *self.store);
        let reading = &mut self.reading;
        let plain =
            shape.plain.iter().map(|&at| reading.scalar(store, args[at])).collect::<Vec<_>>();
        let mut indices = Vec::with_capacity(self.detail.copies);
        for _ in 0..self.detail.copies {
            let own = shape.slots.iter().map(|&(_, sort)| reading.fresh(store, "i", sort));
            indices.push(own.collect::<Vec<_>>());
        }
        shape.args(store, &plain, &indices, |store, at, path| reading.read(store, args[at], path))
    }

    /// The arguments of an atom that are no arrays.
    fn plain_args(&mut self, atom: TermId) -> Vec<TermId> {
        let plain = self.shape(atom).plain.clone();
        let args = self.store.args(atom).to_vec();
        plain.into_iter().map(|at| self.reading.scalar(self.store, args[at])).collect()
    }

    /// Chooses instances of an atom at all places where its arrays are read by now; whether there are
    /// more than before.
    fn choose_instances(&mut self, atom: TermId) -> bool {
        let args = self.store.args(atom).to_vec();
        let shapes = self.shapes;
        let pred = self.horn.atom(atom).expect("atoms are applications of predicates");
        let shape = &shapes[pred.index()];
        let plain = self.plain_args(atom);
        let mut singles = self.singles(shape, &args, &plain);
        if singles.is_empty() {
            if self.taken.contains_key(&atom) {
                return false;
            }
            let sorts = shape.slots.iter();
            let any = sorts.map(|&(_, sort)| self.reading.fresh(self.store, "i", sort)).collect();
            singles.push(any);
        }
        let taken = self.taken.entry(atom).or_default();
        let mut has_changed = false;
        for indices in choices(&singles, self.detail.copies) {
            if taken.len() >= CELLS_MAX_INSTANCES.size() || taken.contains(&indices) {
                continue;
            }
            let (store, reading) = (&mut *self.store, &mut self.reading);
            shape.args(store, &plain, &indices, |store, at, path| {
                reading.read(store, args[at], path)
            });
            taken.push(indices);
            has_changed = true;
        }
        has_changed
    }

    /// The indices at which arrays of an atom are read, for each dimension.
    fn singles(&mut self, shape: &Shape, args: &[TermId], plain: &[TermId]) -> Vec<Vec<TermId>> {
        let mut partial: Vec<Vec<Option<TermId>>> = Vec::new();
        for lines in &shape.arrays {
            for mut path in self.reading.paths(self.store, args[lines.at]) {
                let Some(cell) = lines.cell(self.store, plain, path[0], &self.quotients) else {
                    continue;
                };
                path[0] = cell;
                let mut indices = vec![None; shape.slots.len()];
                for (&slot, &index) in lines.slots.iter().zip(&path) {
                    indices[slot] = Some(index);
                }
                if !partial.contains(&indices) {
                    partial.push(indices);
                }
            }
        }
        if self.detail.is_eager {
            for (slot, &(_, sort)) in shape.slots.iter().enumerate() {
                for &arg in plain {
                    if self.store.sort(arg) != sort {
                        continue;
                    }
                    let mut indices = vec![None; shape.slots.len()];
                    indices[slot] = Some(ordered(self.store, arg));
                    if !partial.contains(&indices) {
                        partial.push(indices);
                    }
                }
            }
        }
        let first_of = |slot: usize| partial.iter().find_map(|indices| indices[slot]);
        let first: Option<Vec<TermId>> = (0..shape.slots.len()).map(first_of).collect();
        let Some(first) = first else { return Vec::new() };
        let mut found: Vec<Vec<TermId>> = Vec::new();
        for indices in &partial {
            let given = indices.iter().zip(&first);
            let indices: Vec<TermId> =
                given.map(|(index, &first)| index.unwrap_or(first)).collect();
            if !found.contains(&indices) {
                found.push(indices);
            }
        }
        found
    }

    /// The body, with instances in the place of atoms.
    fn body(&mut self, body: TermId) -> TermId {
        let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
        for part in self.store.subterms(&[body]) {
            if self.store.sort(part) != SortId::BOOL {
                continue;
            }
            let result = if self.horn.atom(part).is_some() {
                self.instances(part)
            } else if self.store.has_apply(part) {
                let args = self.store.args(part).to_vec();
                let args: Vec<TermId> = args.iter().map(|arg| done[arg]).collect();
                self.store.rebuild(part, &args)
            } else {
                self.reading.scalar(self.store, part)
            };
            done.insert(part, result);
        }
        done[&body]
    }

    fn instances(&mut self, atom: TermId) -> TermId {
        let plain = self.plain_args(atom);
        let args = self.store.args(atom).to_vec();
        let shapes = self.shapes;
        let pred = self.horn.atom(atom).expect("atoms are applications of predicates");
        let shape = &shapes[pred.index()];
        let mut parts = Vec::new();
        for indices in self.taken.remove(&atom).unwrap_or_default() {
            let (store, reading) = (&mut *self.store, &mut self.reading);
            let args = shape.args(store, &plain, &indices, |store, at, path| {
                reading.read(store, args[at], path)
            });
            parts.push(store.mk(Op::Apply(shape.func), &args));
        }
        self.store.and(&parts)
    }
}

/// Indices for each copy, chosen from single ones: with two copies and several indices, all pairs of
/// different ones in both orders.
fn choices(singles: &[Vec<TermId>], copies: usize) -> Vec<Vec<Vec<TermId>>> {
    if copies == 1 || singles.len() == 1 {
        return singles.iter().map(|single| vec![single.clone(); copies]).collect();
    }
    let mut found = Vec::new();
    for late in 1..singles.len() {
        for early in 0..late {
            for (one, other) in [(early, late), (late, early)] {
                let mut choice = vec![singles[one].clone(), singles[other].clone()];
                choice.resize(copies, singles[other].clone());
                found.push(choice);
            }
        }
    }
    found
}
