//! Which arrays of a system are functions, and the system with terms in their places.
//!
//! Where a system is to be safe for every interpretation, functions are arrays that predicates hand on to each other. An
//! array is such a function if it is the same wherever it is handed on, so that a derivation has one of
//! it, and if clauses do nothing but read it, at as many indices as it has.
//!
//! Invariant: with terms put for functions, clauses keep their positions, and their other variables the order.

use super::functions::read;
use super::templates::Template;
use alphorn_problem::Horn;
use alphorn_problem::horn::{Clause, Head, PredId};
use alphorn_term::{FuncId, Op, Sort, SortId, Store, Substitution, TermId};
use std::collections::{BTreeMap, BTreeSet};

/// An array that a derivation has one of.
#[derive(Clone, Debug)]
pub(super) struct Function {
    pub name: String,
    /// Its sort as an array, and those of arguments and result.
    pub sort: SortId,
    pub args: Vec<SortId>,
    pub result: SortId,
    /// Where clauses have it among their variables, by the clauses' positions.
    pub vars: BTreeMap<usize, usize>,
    /// Where predicates have it among their arguments.
    places: BTreeSet<(PredId, usize)>,
}

/// A place where an array stands: an argument of a predicate, or a variable of a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Arg(PredId, usize),
    Var(usize, TermId),
}

/// Places that have the same array.
#[derive(Default)]
struct Classes {
    parent: BTreeMap<Place, Place>,
    /// Places whose array is more than read.
    bare: BTreeSet<Place>,
    read: BTreeSet<Place>,
}

impl Classes {
    fn first(&self, mut place: Place) -> Place {
        while let Some(&above) = self.parent.get(&place) {
            place = above;
        }
        place
    }

    fn join(&mut self, left: Place, right: Place) {
        let (left, right) = (self.first(left), self.first(right));
        if left != right {
            self.parent.insert(left, right);
        }
    }
}

/// The functions of a system, in the order of their places.
pub(super) fn functions(horn: &Horn) -> Vec<Function> {
    let mut classes = Classes::default();
    let mut places: BTreeSet<Place> = BTreeSet::new();
    for (at, clause) in horn.clauses.iter().enumerate() {
        let vars: BTreeSet<TermId> = clause.vars.iter().copied().collect();
        for (pred, args) in atoms(horn, clause) {
            for (position, &arg) in args.iter().enumerate() {
                if !is_array(&horn.terms, arg) {
                    continue;
                }
                let place = Place::Arg(pred, position);
                places.insert(place);
                match vars.contains(&arg) {
                    true => classes.join(place, Place::Var(at, arg)),
                    false => _ = classes.bare.insert(place),
                }
            }
        }
        places.extend(
            (vars.iter().filter(|&&var| is_array(&horn.terms, var)))
                .map(|&var| Place::Var(at, var)),
        );
        uses(horn, at, clause, &mut classes);
    }
    let mut members: BTreeMap<Place, Vec<Place>> = BTreeMap::new();
    for place in places {
        members.entry(classes.first(place)).or_default().push(place);
    }
    members.into_values().filter_map(|own| function(horn, &classes, &own)).collect()
}

/// The atoms of a clause, that of the head as well.
fn atoms<'h>(horn: &'h Horn, clause: &'h Clause) -> Vec<(PredId, &'h [TermId])> {
    let body = horn.atoms(clause.body).into_iter();
    let mut all: Vec<(PredId, &[TermId])> =
        body.filter_map(|atom| Some((horn.atom(atom)?, horn.terms.args(atom)))).collect();
    if let Head::Atom(pred, args) = &clause.head {
        all.push((*pred, args));
    }
    all
}

fn is_array(store: &Store, term: TermId) -> bool {
    matches!(store.sort_of(store.sort(term)), Sort::Array(..))
}

/// Notes what a clause does with arrays outside of atoms.
fn uses(horn: &Horn, at: usize, clause: &Clause, classes: &mut Classes) {
    let store = &horn.terms;
    let mut roots = vec![clause.body];
    if let Head::Atom(_, args) = &clause.head {
        roots.extend(args);
    }
    for term in store.subterms(&roots) {
        if horn.atom(term).is_some() {
            continue;
        }
        let args = store.args(term);
        let (read_at, whole) = match store.op(term) {
            Op::Select => (Some(args[0]), &args[1..]),
            _ => (None, args),
        };
        if let Some((var, _)) = read_at.and_then(|array| read(store, array)) {
            classes.read.insert(Place::Var(at, var));
        }
        for &part in whole.iter().filter(|&&part| is_array(store, part)) {
            if let Some((var, _)) = read(store, part) {
                classes.bare.insert(Place::Var(at, var));
            }
        }
    }
    // Arguments of atoms are variables, or hand on something else.
    for (_, args) in atoms(horn, clause) {
        for &arg in args.iter().filter(|&&arg| is_array(store, arg)) {
            if let Some((var, indices)) = read(store, arg)
                && !indices.is_empty()
            {
                classes.bare.insert(Place::Var(at, var));
            }
        }
    }
}

/// The function that stands in these places, if there is one and it is read.
fn function(horn: &Horn, classes: &Classes, places: &[Place]) -> Option<Function> {
    let is_read = places.iter().any(|place| classes.read.contains(place));
    if !is_read || places.iter().any(|place| classes.bare.contains(place)) {
        return None;
    }
    let (mut vars, mut args) = (BTreeMap::new(), BTreeSet::new());
    let mut of = None;
    for &place in places {
        match place {
            Place::Arg(pred, position) => _ = args.insert((pred, position)),
            Place::Var(at, var) => {
                of = Some(var);
                let position = horn.clauses[at].vars.iter().position(|&own| own == var)?;
                if vars.insert(at, position).is_some() {
                    return None;
                }
            }
        }
    }
    let var = of?;
    let sort = horn.terms.sort(var);
    let (mut sorts, mut result) = (Vec::new(), sort);
    while let Sort::Array(index, element) = *horn.terms.sort_of(result) {
        sorts.push(index);
        result = element;
    }
    let name = horn.terms.var_name(var).unwrap_or("f").to_owned();
    Some(Function { name, sort, args: sorts, result, vars, places: args })
}

/// Systems with templates in the places of functions.
pub(super) struct Filled {
    /// The system, in which unknowns are free; it is no system by itself.
    pub open: Horn,
    /// The system with unknowns among the arguments of predicates.
    pub closed: Horn,
}

/// The systems with a template for each function; `store` has the templates' terms and extends the system's.
pub(super) fn filled(
    horn: &Horn,
    functions: &[Function],
    templates: &[Template],
    store: &Store,
) -> Filled {
    let unknowns: Vec<TermId> =
        templates.iter().flat_map(|template| template.unknowns.iter().copied()).collect();
    let with = |given: &[TermId]| {
        let mut filling = Filling { horn, functions, templates, given, store: store.clone() };
        filling.system()
    };
    Filled { open: with(&[]), closed: with(&unknowns) }
}

struct Filling<'a> {
    horn: &'a Horn,
    functions: &'a [Function],
    templates: &'a [Template],
    /// What predicates take in front of their other arguments.
    given: &'a [TermId],
    store: Store,
}

impl Filling<'_> {
    fn system(&mut self) -> Horn {
        let horn = self.horn;
        let mut result = Horn::default();
        let mut preds: BTreeMap<FuncId, FuncId> = BTreeMap::new();
        for pred in horn.pred_ids() {
            let own = horn.pred(pred);
            let given = self.given.iter().map(|&var| self.store.sort(var));
            let args: Vec<SortId> = given.chain(self.kept(pred, horn.pred_args(pred))).collect();
            let func = self.store.declare(horn.pred_name(pred), &args, SortId::BOOL);
            preds.insert(own.func, func);
            result.add_pred(func, own.span);
        }
        for (at, clause) in horn.clauses.iter().enumerate() {
            let gone: BTreeMap<TermId, usize> = (self.functions.iter().enumerate())
                .filter_map(|(number, function)| {
                    Some((clause.vars[*function.vars.get(&at)?], number))
                })
                .collect();
            let mut done: BTreeMap<TermId, TermId> = BTreeMap::new();
            let body = self.term(clause.body, &gone, &preds, &mut done);
            let head = match &clause.head {
                Head::False => Head::False,
                Head::Atom(pred, args) => {
                    let own: Vec<TermId> = self.kept(*pred, args).collect();
                    let own = own.iter().map(|&arg| self.term(arg, &gone, &preds, &mut done));
                    let own: Vec<TermId> = own.collect();
                    Head::Atom(*pred, [self.given, &own].concat())
                }
            };
            let others = clause.vars.iter().copied().filter(|var| !gone.contains_key(var));
            let vars = self.given.iter().copied().chain(others).collect();
            let body = without_closed_axioms(&mut self.store, body);
            result.clauses.push(Clause { vars, body, head, ..clause.clone() });
        }
        result.terms = self.store.clone();
        result
    }

    /// What a predicate has at the places of arguments that are no functions.
    fn kept<'t, T: Copy>(
        &self,
        pred: PredId,
        args: &'t [T],
    ) -> impl Iterator<Item = T> + use<'t, T> {
        let is_function = |place: &(PredId, usize)| {
            self.functions.iter().any(|function| function.places.contains(place))
        };
        let kept: Vec<bool> =
            (0..args.len()).map(|position| !is_function(&(pred, position))).collect();
        args.iter().zip(kept).filter(|(_, is_kept)| *is_kept).map(|(arg, _)| *arg)
    }

    /// A term of a clause in which these variables are functions.
    fn term(
        &mut self,
        root: TermId,
        gone: &BTreeMap<TermId, usize>,
        preds: &BTreeMap<FuncId, FuncId>,
        done: &mut BTreeMap<TermId, TermId>,
    ) -> TermId {
        for term in self.store.subterms(&[root]) {
            if done.contains_key(&term) {
                continue;
            }
            let args: Vec<TermId> = self.store.args(term).iter().map(|arg| done[arg]).collect();
            let seen = match self.store.op(term) {
                Op::Apply(func) if preds.contains_key(&func) => {
                    let pred = self.horn.pred_of(func).expect("it is one of the predicates");
                    let own: Vec<TermId> = self.kept(pred, &args).collect();
                    let args = [self.given, &own].concat();
                    self.store.mk(Op::Apply(preds[&func]), &args)
                }
                Op::Select => match read(&self.store, term) {
                    Some((var, at)) if gone.contains_key(&var) => {
                        let template = &self.templates[gone[&var]];
                        if at.len() == template.args.len() {
                            let at = at.iter().map(|index| done[index]);
                            let map: Substitution = template.args.iter().copied().zip(at).collect();
                            self.store.substitute(template.body, &map)
                        } else {
                            // It is read further above, and used nowhere else.
                            term
                        }
                    }
                    _ => self.store.select(args[0], args[1]),
                },
                op @ (Op::Forall | Op::Exists) => self.store.mk(op, &args),
                _ if args == self.store.args(term) => term,
                _ => self.store.rebuild(term, &args),
            };
            done.insert(term, seen);
        }
        done[&root]
    }
}

/// A body without quantified conjuncts that have no variables: they are true or false whatever the values are, and what
/// comes of them is proved in the end.
fn without_closed_axioms(store: &mut Store, body: TermId) -> TermId {
    let (axioms, mut others) = super::axioms::split(store, body);
    others.extend(axioms.into_iter().filter(|&axiom| !store.free_vars(&[axiom]).is_empty()));
    store.and(&others)
}
