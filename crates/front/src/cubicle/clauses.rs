//! The clauses of a protocol: about all processes of a number, or about any few of any number.
//!
//! *All* of n: a predicate of the variables and of all elements; each transition of each choice of processes is a
//! clause. Exact.
//!
//! *Any k*: a predicate `seen` of the variables and of k processes, in their order, which stands for: whichever k
//! processes are looked at, their state is so. A transition changes what k processes are seen as, whoever it is of: of
//! some of the k, or of others that are looked at besides, and then all sets of k among those that are there are so.
//! By induction all that can be reached satisfies it, for every number of processes of at least k; those below are
//! treated exactly, each by a predicate of its own.

use super::file::{File, Formula, Kinds, Transition};
use super::scene::{Place, Scene, sort_of};
use crate::diag::{Code, Diagnostic};
use crate::infix::Fallible;
use crate::views::{self, Processes, choices, subsets};
use alphorn_problem::horn::{Head, PredId};
use alphorn_problem::{Horn, Span};
use alphorn_term::{Op, SortId, Store, TermId};

/// The most clauses.
const MAX_CLAUSES: usize = 20_000;

/// The clauses of a file.
pub(super) fn clauses(file: &File, text: &[u8], processes: Processes) -> Fallible<Horn> {
    let mut kinds = file.globals.iter().chain(&file.arrays).map(|symbol| symbol.kind);
    let has_ids = kinds.any(|kind| kind == Kinds::Proc);
    let mut maker = Maker { file, text, horn: Horn::default(), has_ids };
    match processes {
        Processes::Just(number) => maker.all(number)?,
        Processes::Any(seen) => {
            for number in 1..seen {
                maker.all(number)?;
            }
            maker.few(seen)?;
            maker.horn.allows_more = true;
        }
    }
    Ok(maker.horn)
}

struct Maker<'f> {
    file: &'f File,
    text: &'f [u8],
    horn: Horn,
    /// Whether something holds processes, so that they need names.
    has_ids: bool,
}

impl<'f> Maker<'f> {
    /// A scene of so many processes. Whoever takes it hands its terms back.
    fn scene(&mut self, count: usize, is_all: bool) -> Scene<'f> {
        let mut store = std::mem::take(&mut self.horn.terms);
        let var = |store: &mut Store, name: &str, kind| store.var(name, sort_of(kind));
        let globals: Vec<TermId> = self
            .file
            .globals
            .iter()
            .map(|symbol| var(&mut store, &symbol.name, symbol.kind))
            .collect();
        let mut places = Vec::new();
        for at in 1..=count {
            let id = match is_all {
                true => store.int(at as i64),
                false => store.var(&format!("#{at}"), SortId::INT),
            };
            let mut local = |symbol: &super::file::Symbol| {
                var(&mut store, &format!("{}[{at}]", symbol.name), symbol.kind)
            };
            let locals = self.file.arrays.iter().map(&mut local).collect();
            places.push(Place { id, locals });
        }
        Scene { file: self.file, text: self.text, store, globals, places, is_all }
    }

    /// A predicate of the variables and of so many processes.
    fn pred(&mut self, name: &str, count: usize, has_ids: bool) -> PredId {
        let mut sorts: Vec<SortId> =
            self.file.globals.iter().map(|symbol| sort_of(symbol.kind)).collect();
        for _ in 0..count {
            sorts.extend(has_ids.then_some(SortId::INT));
            sorts.extend(self.file.arrays.iter().map(|symbol| sort_of(symbol.kind)));
        }
        self.horn.declare_pred(name, &sorts)
    }

    fn push(
        &mut self,
        store: Store,
        parts: &[TermId],
        head: Head,
        (name, span): (&str, Span),
    ) -> Fallible<()> {
        self.horn.terms = store;
        if self.horn.clauses.len() >= MAX_CLAUSES {
            let message = format!("the protocol has more than {MAX_CLAUSES} clauses");
            return Err(Box::new(Diagnostic::unsupported(Code::CubicleUntreated, span, message)));
        }
        views::push(&mut self.horn, parts, head, Some(name), span);
        Ok(())
    }

    /// What holds at first of the processes of a scene.
    fn start(&mut self, scene: &mut Scene<'f>) -> Fallible<Vec<TermId>> {
        let file = self.file;
        let mut parts = Vec::new();
        let Formula { params, tree } = file.init.as_ref().expect("a file has an init");
        match params.first() {
            Some(name) => {
                for place in 0..scene.places.len() {
                    parts.push(scene.formula(tree, &vec![(name.as_str(), place)])?);
                }
            }
            None => parts.push(scene.formula(tree, &Vec::new())?),
        }
        for (at, symbol) in file.globals.iter().enumerate() {
            let global = scene.globals[at];
            parts.push(scene.range(global, symbol.kind));
        }
        for place in 0..scene.places.len() {
            for (at, symbol) in file.arrays.iter().enumerate() {
                let local = scene.places[place].locals[at];
                parts.push(scene.range(local, symbol.kind));
            }
        }
        Ok(parts)
    }

    /// Exactly so many processes.
    fn all(&mut self, number: usize) -> Fallible<()> {
        let file = self.file;
        let pred = self.pred(&format!("all{number}"), number, false);
        let func = self.horn.pred(pred).func;
        let mut scene = self.scene(number, true);
        let start = self.start(&mut scene)?;
        let here = state(&scene.globals, &scene.places, false);
        let atom = scene.store.mk(Op::Apply(func), &here);
        let Scene { store, .. } = scene;
        self.push(store, &start, Head::Atom(pred, here.clone()), ("init", Span::NONE))?;
        for step in &file.transitions {
            for who in choices(number, step.params.len()) {
                let mut scene = self.scene(number, true);
                let (mut body, after) = scene.fire(step, &who)?;
                body.insert(0, atom);
                let mut next = after.globals;
                after.locals.into_iter().for_each(|locals| next.extend(locals));
                self.push(scene.store, &body, Head::Atom(pred, next), (&step.name, step.span))?;
            }
        }
        for bad in &file.bad {
            for who in choices(number, bad.params.len()) {
                let mut scene = self.scene(number, true);
                let query = scene.formula(&bad.tree, &named(bad, &who))?;
                let parts = [atom, query];
                self.push(scene.store, &parts, Head::False, ("unsafe", bad.tree.span))?;
            }
        }
        Ok(())
    }

    /// Any few of any number of processes.
    fn few(&mut self, seen: usize) -> Fallible<()> {
        let file = self.file;
        let pred = self.pred("seen", seen, self.has_ids);
        let mut scene = self.scene(seen, false);
        let mut start = self.start(&mut scene)?;
        start.extend(order(&mut scene, self.has_ids));
        let here = state(&scene.globals, &scene.places, self.has_ids);
        self.push(scene.store, &start, Head::Atom(pred, here), ("init", Span::NONE))?;
        for step in &file.transitions {
            for others in 0..=step.params.len() {
                self.steps(pred, seen, others, step)?;
            }
        }
        for bad in &file.bad {
            let count = seen.max(bad.params.len());
            for who in choices(count, bad.params.len()) {
                let mut scene = self.scene(count, false);
                let mut body = self.atoms(&mut scene, pred, seen);
                body.push(scene.formula(&bad.tree, &named(bad, &who))?);
                self.push(scene.store, &body, Head::False, ("unsafe", bad.tree.span))?;
            }
        }
        Ok(())
    }

    /// What a transition does to those that are seen, if so many others take part.
    fn steps(
        &mut self,
        pred: PredId,
        seen: usize,
        others: usize,
        step: &Transition,
    ) -> Fallible<()> {
        let count = seen + others;
        for kept in subsets(count, seen) {
            for who in choices(count, step.params.len()) {
                // Who is not seen takes part.
                if (0..count).any(|place| !kept.contains(&place) && !who.contains(&place)) {
                    continue;
                }
                let mut scene = self.scene(count, false);
                let (guard, after) = scene.fire(step, &who)?;
                let mut body = self.atoms(&mut scene, pred, seen);
                body.extend(order(&mut scene, self.has_ids));
                body.extend(guard);
                let mut next = after.globals;
                for &place in &kept {
                    next.extend(self.has_ids.then_some(scene.places[place].id));
                    next.extend(&after.locals[place]);
                }
                self.push(scene.store, &body, Head::Atom(pred, next), (&step.name, step.span))?;
            }
        }
        Ok(())
    }

    /// That all sets of processes of a scene that can be seen at once are as they are seen.
    fn atoms(&self, scene: &mut Scene<'f>, pred: PredId, seen: usize) -> Vec<TermId> {
        let func = self.horn.pred(pred).func;
        let sets = subsets(scene.places.len(), seen).into_iter();
        let atom = |set: Vec<usize>| {
            let places: Vec<Place> = set.iter().map(|&at| scene.places[at].clone()).collect();
            let args = state(&scene.globals, &places, self.has_ids);
            scene.store.mk(Op::Apply(func), &args)
        };
        sets.map(atom).collect()
    }
}

/// The arguments of a predicate.
fn state(globals: &[TermId], places: &[Place], has_ids: bool) -> Vec<TermId> {
    let mut state = globals.to_vec();
    for place in places {
        state.extend(has_ids.then_some(place.id));
        state.extend(&place.locals);
    }
    state
}

/// That the names of processes are ordered as they are.
fn order(scene: &mut Scene<'_>, has_ids: bool) -> Vec<TermId> {
    if !has_ids {
        return Vec::new();
    }
    let ids: Vec<TermId> = scene.places.iter().map(|place| place.id).collect();
    ids.windows(2).map(|pair| scene.store.lt(pair[0], pair[1])).collect()
}

fn named<'n>(bad: &'n Formula, who: &[usize]) -> Vec<(&'n str, usize)> {
    bad.params.iter().map(String::as_str).zip(who.iter().copied()).collect()
}
