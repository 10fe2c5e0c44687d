//! Clauses over parts instead of values of datatypes.
//!
//! Every term becomes its parts: variables become variables for the parts, constructors, fields and
//! testers go, and reads and writes of arrays are reads and writes of columns. A field of a value that
//! another constructor may have made is anything then, as in the semantics. Tags of variables and of
//! elements that are read are kept in their bounds, and slots that are not used hold their default,
//! where no fact says so already: so a clause holds of parts if and only if it holds of the values.
//!
//! Invariant: clauses and predicates keep their positions; the recipe of a clause puts values together
//! from parts, and the meaning of a predicate takes its parameters apart.

use super::super::change::{Case, Change, Instance, Meaning, Recipe, Values};
use super::super::system::{System, conjuncts, head_args};
use super::parts::{default_term, parts_of, term_of_parts};
use super::{Choice, Columns, Kind, Layout, Layouts};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::horn::{Clause, Head, Pred, PredId};
use alphorn_term::{CtorId, FuncId, Op, SortId, Store, TermId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Subterms per tick.
const PER_TICK: u64 = 16;

/// The system over the parts of datatypes of some kind; none if it has no such values, or some terms
/// stand in the way.
pub(in crate::transform) fn flatten(
    kind: Kind,
    system: &System,
    store: &mut Store,
    ctx: &mut Ctx<'_>,
) -> Result<Option<Change>, Stop> {
    let mut layouts = Layouts::new(kind);
    if !has_work(system, store, &mut layouts) {
        return Ok(None);
    }
    let mut preds = Vec::with_capacity(system.preds.len());
    let mut meanings = Vec::with_capacity(system.preds.len());
    let mut columns = Columns::new(kind != Kind::Records);
    for (at, pred) in system.preds.iter().enumerate() {
        let id = PredId(at as u32);
        let of: Vec<Arc<Layout>> = layouts_of(system, store, &mut layouts, id);
        if of.iter().all(|layout| layout.is_same()) {
            preds.push(pred.clone());
            meanings.push(Some(Meaning::same(system, store, id, id)));
            continue;
        }
        let sorts: Vec<SortId> = of.iter().flat_map(|layout| layout.sorts()).collect();
        let name = store.name(store.func(pred.func).name).to_owned();
        preds.push(Pred { func: store.declare(&name, &sorts, SortId::BOOL), span: pred.span });
        let params = system.params(store, id);
        let mut args = Vec::with_capacity(sorts.len());
        for (layout, &param) in of.iter().zip(&params) {
            let parts = parts_of(store, layout, param, Some(&mut columns));
            args.extend(parts.expect("with columns all parts are terms"));
        }
        let case = Case::new(TermId::TRUE, Some((id, args)));
        meanings.push(Some(Meaning { params, cases: vec![case] }));
    }
    let mut clauses = Vec::with_capacity(system.clauses.len());
    for (at, clause) in system.clauses.iter().enumerate() {
        let size = store.dag_size(&[clause.body]) as u64;
        ctx.tick(1 + size / PER_TICK)?;
        let mut work = Work::new(system, &preds, store, &mut layouts);
        let Some((flat, of_vars)) = work.clause(clause) else { return Ok(None) };
        let values = Values::Parts(of_vars);
        let recipe = Recipe::of(vec![Instance::root(at, values)]);
        clauses.push((flat, recipe));
    }
    let keys = vec![None; system.preds.len()];
    let mut change = Change::new(preds, clauses, meanings, keys);
    change.columns = columns;
    Ok(Some(change))
}

/// Whether an argument or a variable has parts.
fn has_work(system: &System, store: &mut Store, layouts: &mut Layouts) -> bool {
    let preds = 0..system.preds.len() as u32;
    let mut sorts: FxHashSet<SortId> =
        preds.flat_map(|pred| system.sorts(store, PredId(pred))).collect();
    let vars = system.clauses.iter().flat_map(|clause| &clause.vars);
    sorts.extend(vars.map(|&var| store.sort(var)));
    let is_work = |layout: &Layout, kind| match kind {
        // Records and enumerations alone are the matter of others.
        Kind::All => layout.has_variants(),
        _ => !layout.is_same(),
    };
    let kind = layouts.kind;
    sorts.into_iter().any(|sort| is_work(&layouts.of(store, sort), kind))
}

fn layouts_of(
    system: &System,
    store: &mut Store,
    layouts: &mut Layouts,
    pred: PredId,
) -> Vec<Arc<Layout>> {
    let sorts = system.sorts(store, pred);
    sorts.into_iter().map(|sort| layouts.of(store, sort)).collect()
}

/// A variable's layout and its parts.
pub(in crate::transform) type VarParts = (Arc<Layout>, Vec<TermId>);

/// A clause at work.
struct Work<'a> {
    system: &'a System,
    preds: &'a [Pred],
    store: &'a mut Store,
    layouts: &'a mut Layouts,
    /// The parts of terms.
    done: FxHashMap<TermId, Vec<TermId>>,
    /// The variables of the flat clause.
    vars: Vec<TermId>,
    /// What holds of them.
    also: Vec<TermId>,
    /// Constructors that have made a value, in all instances that matter.
    guards: FxHashSet<(CtorId, TermId)>,
}

impl<'a> Work<'a> {
    fn new(
        system: &'a System,
        preds: &'a [Pred],
        store: &'a mut Store,
        layouts: &'a mut Layouts,
    ) -> Work<'a> {
        Work {
            system,
            preds,
            store,
            layouts,
            done: FxHashMap::default(),
            vars: Vec::new(),
            also: Vec::new(),
            guards: FxHashSet::default(),
        }
    }

    fn layout(&mut self, term: TermId) -> Arc<Layout> {
        let sort = self.store.sort(term);
        self.layouts.of(self.store, sort)
    }

    fn clause(&mut self, clause: &Clause) -> Option<(Clause, Vec<VarParts>)> {
        self.collect_guards(clause.body);
        let given: FxHashSet<TermId> = (self.system.atoms(self.store, clause.body).into_iter())
            .flat_map(|atom| self.store.args(atom).to_vec())
            .collect();
        let mut of_vars = Vec::with_capacity(clause.vars.len());
        for &var in &clause.vars {
            let layout = self.layout(var);
            let parts = self.variable(var, &layout);
            if !layout.is_same() {
                self.keep_in_domain(&layout, &parts, !given.contains(&var));
            }
            of_vars.push((layout, parts.clone()));
            self.done.insert(var, parts);
        }
        let mut roots = vec![clause.body];
        roots.extend(head_args(clause));
        for term in self.store.subterms(&roots) {
            if !self.done.contains_key(&term) {
                let parts = self.term(term)?;
                self.done.insert(term, parts);
            }
        }
        let head = match &clause.head {
            Head::False => Head::False,
            Head::Atom(pred, args) => {
                Head::Atom(*pred, args.iter().flat_map(|arg| self.done[arg].clone()).collect())
            }
        };
        let mut body = vec![self.done[&clause.body][0]];
        body.append(&mut self.also);
        let body = self.store.and(&body);
        let vars = std::mem::take(&mut self.vars);
        let flat = Clause { vars, body, head, name: clause.name.clone(), span: clause.span };
        Some((flat, of_vars))
    }

    /// Notes which constructors the body says have made a value.
    fn collect_guards(&mut self, body: TermId) {
        for conjunct in conjuncts(self.store, body) {
            let args = self.store.args(conjunct).to_vec();
            match self.store.op(conjunct) {
                Op::Is(ctor) => {
                    self.guards.insert((ctor, args[0]));
                }
                Op::Not => {
                    if let Op::Is(ctor) = self.store.op(args[0]) {
                        let all = &self.store.data(self.store.ctor(ctor).data).ctors;
                        let others: Vec<CtorId> =
                            all.iter().copied().filter(|&other| other != ctor).collect();
                        if let [other] = others[..] {
                            self.guards.insert((other, self.store.args(args[0])[0]));
                        }
                    }
                }
                Op::Eq => {
                    for (left, right) in [(args[0], args[1]), (args[1], args[0])] {
                        if let Op::Construct(ctor) = self.store.op(right) {
                            self.guards.insert((ctor, left));
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// The parts of a variable.
    fn variable(&mut self, var: TermId, layout: &Layout) -> Vec<TermId> {
        let parts = match layout {
            Layout::Same(_) => vec![var],
            _ => {
                let name = self.store.var_name(var).unwrap_or("x").to_owned();
                let sorts = layout.sorts().into_iter();
                sorts.map(|sort| self.store.fresh_var(&name, sort)).collect()
            }
        };
        self.vars.extend(&parts);
        parts
    }

    /// That tags are tags, and perhaps that slots that are not used hold their default.
    fn keep_in_domain(&mut self, layout: &Layout, parts: &[TermId], with_slots: bool) {
        match layout {
            Layout::Same(_) | Layout::Array { .. } => {}
            Layout::Record(_, fields) => {
                let mut rest = parts;
                for field in fields {
                    let (own, others) = rest.split_at(field.sorts().len());
                    self.keep_in_domain(field, own, with_slots);
                    rest = others;
                }
            }
            Layout::Choice(choice) => {
                self.bound(choice, parts[0]);
                if with_slots {
                    self.clear_slots(choice, parts);
                }
            }
        }
    }

    fn bound(&mut self, choice: &Choice, tag: TermId) {
        if choice.tag_sort() == SortId::INT {
            let (least, most) = (self.store.int(0), self.store.int(choice.ctors.len() as i64 - 1));
            let claims = [self.store.le(least, tag), self.store.le(tag, most)];
            self.also.extend(claims);
        }
    }

    fn clear_slots(&mut self, choice: &Choice, parts: &[TermId]) {
        for (slot, &sort) in choice.slots.iter().enumerate() {
            let Some(default) = default_term(self.store, sort) else { continue };
            let mut ways = vec![self.store.eq(parts[1 + slot], default)];
            for place in (0..choice.ctors.len()).filter(|&place| choice.uses(place, slot)) {
                ways.push(choice.is_at(self.store, parts[0], place));
            }
            if ways.len() <= choice.ctors.len() {
                let claim = self.store.or(&ways);
                self.also.push(claim);
            }
        }
    }

    /// The parts of a term whose arguments are done.
    fn term(&mut self, term: TermId) -> Option<Vec<TermId>> {
        let (op, args) = (self.store.op(term), self.store.args(term).to_vec());
        if let Some(pred) = self.system.atom(self.store, term) {
            let flat: Vec<TermId> = args.iter().flat_map(|arg| self.done[arg].clone()).collect();
            let func: FuncId = self.preds[pred.index()].func;
            return Some(vec![self.store.mk(Op::Apply(func), &flat)]);
        }
        let layout = self.layout(term);
        let is_flat = |work: &mut Self, arg: &TermId| work.layout(*arg).is_same();
        if layout.is_same() && args.iter().all(|arg| is_flat(self, arg)) {
            let flat: Vec<TermId> = args.iter().map(|arg| self.done[arg][0]).collect();
            let same = flat == args;
            return Some(vec![if same { term } else { self.store.rebuild(term, &flat) }]);
        }
        match op {
            Op::Eq => Some(vec![self.equation(args[0], args[1])]),
            Op::Distinct => {
                let mut parts = Vec::new();
                for (at, &left) in args.iter().enumerate() {
                    for &right in &args[at + 1..] {
                        let same = self.equation(left, right);
                        parts.push(self.store.not(same));
                    }
                }
                Some(vec![self.store.and(&parts)])
            }
            Op::Ite => {
                let condition = self.done[&args[0]][0];
                let pairs =
                    self.done[&args[1]].clone().into_iter().zip(self.done[&args[2]].clone());
                Some(pairs.map(|(a, b)| self.store.ite(condition, a, b)).collect())
            }
            Op::Construct(ctor) if !layout.is_same() => self.construct(&layout, ctor, &args),
            Op::Is(ctor) | Op::Field(ctor, _) if !self.layout(args[0]).is_same() => {
                let of = self.layout(args[0]);
                self.taken_apart(&of, op, ctor, args[0])
            }
            Op::Select if !self.layout(args[0]).is_same() => self.select(&args),
            Op::Store if !layout.is_same() => self.write(&layout, &args),
            Op::ConstArray if !layout.is_same() => {
                let parts = self.done[&args[0]].clone();
                let sorts = layout.sorts();
                let pairs = parts.into_iter().zip(sorts);
                Some(pairs.map(|(part, sort)| self.constant(sort, part)).collect())
            }
            Op::Forall | Op::Exists | Op::Apply(_) => None,
            _ => self.opaque(&layout, term, &args),
        }
    }

    fn equation(&mut self, left: TermId, right: TermId) -> TermId {
        let pairs = self.done[&left].clone().into_iter().zip(self.done[&right].clone());
        let same: Vec<TermId> = pairs.map(|(a, b)| self.store.eq(a, b)).collect();
        self.store.and(&same)
    }

    fn construct(&mut self, layout: &Layout, ctor: CtorId, args: &[TermId]) -> Option<Vec<TermId>> {
        let fields: Vec<Vec<TermId>> = args.iter().map(|arg| self.done[arg].clone()).collect();
        match layout {
            Layout::Record(..) => Some(fields.concat()),
            Layout::Choice(choice) => choice.made(self.store, choice.place(ctor)?, &fields),
            _ => None,
        }
    }

    /// A tester or a field of a value that has parts.
    fn taken_apart(
        &mut self,
        layout: &Layout,
        op: Op,
        ctor: CtorId,
        value: TermId,
    ) -> Option<Vec<TermId>> {
        let parts = self.done[&value].clone();
        match (layout, op) {
            (Layout::Record(..), Op::Is(_)) => Some(vec![TermId::TRUE]),
            (Layout::Record(_, fields), Op::Field(_, at)) => {
                let widths: Vec<usize> = fields.iter().map(|field| field.sorts().len()).collect();
                let from: usize = widths[..at as usize].iter().sum();
                Some(parts[from..from + widths[at as usize]].to_vec())
            }
            (Layout::Choice(choice), Op::Is(_)) => {
                Some(vec![choice.is_at(self.store, parts[0], choice.place(ctor)?)])
            }
            (Layout::Choice(choice), Op::Field(_, at)) => {
                let place = choice.place(ctor)?;
                let fields = choice.field(&parts, place, at as usize);
                if self.guards.contains(&(ctor, value)) {
                    return Some(fields);
                }
                let is_made = choice.is_at(self.store, parts[0], place);
                if is_made == TermId::TRUE {
                    return Some(fields);
                }
                let layout = Arc::clone(&choice.fields[place][at as usize].0);
                let mut otherwise = Vec::with_capacity(fields.len());
                for part in &fields {
                    let var = self.store.fresh_var("any", self.store.sort(*part));
                    self.vars.push(var);
                    otherwise.push(var);
                }
                self.keep_in_domain(&layout, &otherwise, true);
                let pairs = fields.into_iter().zip(otherwise);
                Some(pairs.map(|(a, b)| self.store.ite(is_made, a, b)).collect())
            }
            _ => None,
        }
    }

    fn select(&mut self, args: &[TermId]) -> Option<Vec<TermId>> {
        let layout = self.layout(args[0]);
        let Layout::Array { element, .. } = &*layout else { return None };
        let indices = self.done[&args[1]].clone();
        let columns = self.done[&args[0]].clone();
        let mut parts = Vec::with_capacity(columns.len());
        for column in columns {
            let read = |of, &at: &TermId| self.store.select(of, at);
            parts.push(indices.iter().fold(column, read));
        }
        self.keep_in_domain(element, &parts, false);
        Some(parts)
    }

    fn write(&mut self, layout: &Layout, args: &[TermId]) -> Option<Vec<TermId>> {
        let Layout::Array { .. } = layout else { return None };
        let indices = self.done[&args[1]].clone();
        let columns = self.done[&args[0]].clone();
        let pairs = columns.into_iter().zip(self.done[&args[2]].clone());
        Some(pairs.map(|(column, value)| self.written(column, &indices, value)).collect())
    }

    /// A column with a value at some indices, one after the other.
    fn written(&mut self, column: TermId, indices: &[TermId], value: TermId) -> TermId {
        let mut rows = Vec::with_capacity(indices.len());
        let mut row = column;
        for &index in indices {
            rows.push(row);
            row = self.store.select(row, index);
        }
        let pairs = rows.into_iter().zip(indices).rev();
        pairs.fold(value, |value, (row, &index)| self.store.store(row, index, value))
    }

    /// The array, or array of arrays, that has the same value everywhere.
    fn constant(&mut self, sort: SortId, value: TermId) -> TermId {
        let (mut sorts, mut of) = (Vec::new(), sort);
        while of != self.store.sort(value) {
            let alphorn_term::Sort::Array(_, element) = self.store.sort_of(of) else { break };
            sorts.push(of);
            of = *element;
        }
        sorts.into_iter().rev().fold(value, |value, sort| self.store.const_array(sort, value))
    }

    /// A term of an operator that knows nothing of parts: its arguments are put together, its value is
    /// taken apart.
    fn opaque(
        &mut self,
        layout: &Arc<Layout>,
        term: TermId,
        args: &[TermId],
    ) -> Option<Vec<TermId>> {
        let mut whole = Vec::with_capacity(args.len());
        for &arg in args {
            let of = self.layout(arg);
            let parts = self.done[&arg].clone();
            whole.push(term_of_parts(self.store, &of, &parts)?);
        }
        let rebuilt = self.store.rebuild(term, &whole);
        parts_of(self.store, layout, rebuilt, None)
    }
}
