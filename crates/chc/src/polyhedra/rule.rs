//! What a clause concludes from places: models, their implicants as polyhedra, and hulls of those.
//!
//! A model of the body at some places that concludes something new gives an implicant, which is a polyhedron of
//! instances of the clause; its corners, seen as facts, join the hull at the place of the head. The question is asked
//! again until nothing new is concluded, so no body is ever multiplied out (path focusing: Monniaux, Gonnord, "Using
//! bounded model checking to focus fixpoint iterations", SAS 2011).

use super::cone::{Description, Vector};
use super::instances::{Input, back, instances};
use super::places::{Key, Layout, Place, Places};
use super::polyhedron::{Hull, Row};
use crate::rule_body::{Atom, RuleBody};
use crate::settings::POLYHEDRA_CONFLICTS;
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::ask::ask_within;
use alphorn_problem::Horn;
use alphorn_problem::horn::{Clause, Head};
use alphorn_smt::project::{Polyhedron, prime_implicant};
use alphorn_smt::{Answer, Linear, Options, Smt};
use alphorn_term::{Model, Op, Rat, SortId, Store, TermId, Value, eval};
use std::collections::BTreeSet;

/// A clause.
pub(super) struct Rule {
    pub(super) body: RuleBody,
    /// The predicate of the head and its arguments; none for a query.
    pub(super) head: Option<(usize, Vec<TermId>)>,
    /// Variables for the numbers among the head's arguments.
    named: Vec<TermId>,
    /// The same for each atom of the body.
    given: Vec<Vec<TermId>>,
    /// What these variables are.
    pub(super) names: Vec<TermId>,
}

/// The formulas of a body at places.
pub(super) struct BodyAt {
    /// What the body and the control arguments are.
    pub(super) plain: Vec<TermId>,
    /// What is known of the numbers; bounds alone where that is much.
    pub(super) rows: Vec<TermId>,
    /// Whether that is all that is known.
    is_exact: bool,
}

/// A place for each atom of a body; none for an atom that the body does not use.
pub(super) type Choice = Vec<Option<Key>>;

/// How hulls grow.
#[derive(Clone, Copy)]
pub(super) struct Growth {
    /// The number of the round.
    pub(super) round: usize,
    /// After so many rounds with a growth a hull is widened.
    pub(super) delay: u64,
}

/// What came of a clause at places.
#[derive(Default)]
pub(super) struct Concluded {
    /// Keys of the head whose places grew.
    pub(super) grown: BTreeSet<Key>,
    /// Whether one was widened.
    pub(super) is_widened: bool,
    /// An argument of the head that is no control: nothing else counts then.
    pub(super) demoted: Option<usize>,
}

impl Rule {
    /// A clause as a rule; none if its body is false.
    pub(super) fn of(
        horn: &Horn,
        clause: &Clause,
        store: &mut Store,
    ) -> Result<Option<Rule>, Stop> {
        let Some(body) = RuleBody::of(horn, clause, store)? else { return Ok(None) };
        let head = match &clause.head {
            Head::False => None,
            Head::Atom(pred, args) => Some((pred.index(), args.clone())),
        };
        let mut names = Vec::new();
        let mut name = |store: &mut Store, args: &[TermId]| -> Vec<TermId> {
            let mut named = Vec::with_capacity(args.len());
            for &arg in args {
                let sort = store.sort(arg);
                if !sort.is_arithmetic() {
                    named.push(arg);
                    continue;
                }
                let name = store.fresh_var("n", sort);
                names.push(store.eq(name, arg));
                named.push(name);
            }
            named
        };
        let named = head.as_ref().map_or(Vec::new(), |(_, args)| name(store, args));
        let atoms = body.atoms.iter();
        let given = atoms.map(|atom| name(store, &atom.args)).collect();
        Ok(Some(Rule { body, head, named, given, names }))
    }

    /// The formulas that say that the body holds at places.
    pub(super) fn body_at(
        &self,
        store: &mut Store,
        (layouts, places): (&[Layout], &[Places]),
        choice: &Choice,
    ) -> BodyAt {
        let mut plain = vec![self.body.body];
        let (mut rows, mut is_exact) = (Vec::new(), true);
        plain.extend(&self.names);
        for (atom, key) in self.body.atoms.iter().zip(choice) {
            let place = key.as_ref().and_then(|key| Some((key, places[atom.pred].get(key)?)));
            let Some((key, place)) = place else {
                plain.push(store.not(atom.used));
                continue;
            };
            let layout = &layouts[atom.pred];
            plain.extend([atom.used, layout.at(store, &atom.args, key)]);
            is_exact &= place.hull.is_small();
            match place.hull.is_small() {
                true => rows.extend(layout.rows(store, &atom.args, &place.hull)),
                false => rows.extend(layout.rows(store, &atom.args, &place.hull.bounds())),
            }
        }
        BodyAt { plain, rows, is_exact }
    }

    /// Whether the body can hold at places.
    pub(super) fn is_possible(
        &self,
        store: &mut Store,
        (at, inputs): (&BodyAt, &[Option<Input>]),
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        let mut smt = at.solver(store);
        loop {
            let answer = ask_within(&mut smt, store, &[], POLYHEDRA_CONFLICTS.get(), ctx)?;
            if known(answer)? == Answer::Unsat || at.is_exact {
                return Ok(answer == Answer::Sat);
            }
            let model = self.model(store, &smt);
            let part = self.part(store, (at, inputs), &model, &Layout::default(), ctx)?;
            if part.facts.has_point() {
                return Ok(true);
            }
            smt.assert(store, part.others);
        }
    }

    /// Lets the places of the head grow by what the rule concludes at places.
    pub(super) fn conclude(
        &self,
        store: &mut Store,
        (at, inputs): (&BodyAt, &[Option<Input>]),
        (layout, places): (&mut Layout, &mut Places),
        growth: Growth,
        ctx: &mut Ctx<'_>,
    ) -> Result<Concluded, Stop> {
        let mut found = Concluded::default();
        let mut looked_at = BTreeSet::new();
        let mut smt = at.solver(store);
        loop {
            ctx.tick(1)?;
            let answer = ask_within(&mut smt, store, &[], POLYHEDRA_CONFLICTS.get(), ctx)?;
            if known(answer)? == Answer::Unsat {
                return Ok(found);
            }
            let model = self.model(store, &smt);
            let Some(key) = self.key(store, layout, &model) else {
                return Err(Stop::Stuck("a truth value is not determined".to_owned()));
            };
            // What is known at the place may be all there is, so it is looked at first.
            let is_small = at.is_exact && places.get(&key).is_some_and(|it| it.hull.is_small());
            if !looked_at.insert(key.clone()) || !is_small {
                let part = self.part(store, (at, inputs), &model, layout, ctx)?;
                let here = layout.at(store, &self.named, &key);
                let elsewhere = store.not(here);
                let others = store.or(&[part.others, elsewhere]);
                smt.assert(store, others);
                if !part.facts.has_point() {
                    continue;
                }
                let values = layout.control.clone();
                let mut values = values.iter().zip(&key);
                let is_one_too_many = |(arg, value): (&usize, &i128)| {
                    let is_number = store.sort(self.named[*arg]) == SortId::INT;
                    (is_number && !layout.sees(*arg, *value)).then_some(*arg)
                };
                let demoted = part.moving.or_else(|| values.find_map(is_one_too_many));
                if demoted.is_some() {
                    return Ok(Concluded { demoted, ..found });
                }
                let width = layout.numbers.len() + 1;
                grow(places, (&key, &part.facts), width, growth, &mut found, ctx)?;
            }
            if places.get(&key).is_some_and(|place| place.hull.is_small()) {
                let inside = self.inside(store, layout, places, &key);
                let outside = store.not(inside);
                smt.assert(store, outside);
            }
        }
    }

    /// What says that the head is a fact of a place.
    fn inside(&self, store: &mut Store, layout: &Layout, places: &Places, key: &Key) -> TermId {
        let mut parts = vec![layout.at(store, &self.named, key)];
        if let Some(place) = places.get(key) {
            parts.extend(layout.rows(store, &self.named, &place.hull));
        }
        store.and(&parts)
    }

    pub(super) fn model(&self, store: &Store, smt: &Smt) -> Model {
        let mut model = smt.model(store);
        for &var in self.body.vars.iter().chain(&self.named).chain(self.given.iter().flatten()) {
            if !model.vars.contains_key(&var)
                && let Some(value) = Value::default_of(store, store.sort(var))
            {
                model.set(var, value);
            }
        }
        model
    }

    /// The values of the head's control arguments.
    pub(super) fn key(&self, store: &Store, layout: &Layout, model: &Model) -> Option<Key> {
        let value = |&arg: &usize| match eval(store, self.named[arg], model).ok()? {
            Value::Bool(value) => Some(i128::from(value)),
            Value::Int(value) => value.to_i64().map(i128::from),
            _ => None,
        };
        layout.control.iter().map(value).collect()
    }

    /// What is known of the numbers of each atom at places.
    pub(super) fn inputs(
        &self,
        (layouts, places): (&[Layout], &[Places]),
        choice: &Choice,
    ) -> Vec<Option<Input>> {
        let input = |((atom, given), key): ((&Atom, &Vec<TermId>), &Option<Key>)| {
            let place = places[atom.pred].get(key.as_ref()?)?;
            let numbers = layouts[atom.pred].numbers.iter().map(|&arg| given[arg]).collect();
            Some(Input { numbers, hull: place.hull.clone() })
        };
        self.body.atoms.iter().zip(&self.given).zip(choice).map(input).collect()
    }

    /// The instances of the rule that an implicant of the model has.
    fn part(
        &self,
        store: &mut Store,
        (at, inputs): (&BodyAt, &[Option<Input>]),
        model: &Model,
        layout: &Layout,
        ctx: &mut Ctx<'_>,
    ) -> Result<Part, Stop> {
        let Some(step) = self.step(store, (&at.plain, inputs), model, layout) else {
            return Err(Stop::Stuck("a body cannot be evaluated".to_owned()));
        };
        ctx.tick(step.literals.len() as u64)?;
        let all = store.and(&step.literals);
        let others = store.not(all);
        let counted = layout.counted(store, &self.named);
        let (values, rest) = step.values.split_at(layout.numbers.len());
        let (counts, given) = rest.split_at(counted.len());
        let moving = counts.iter().position(|count| !count.is_constant()).map(|at| counted[at]);
        let facts = instances(&step.rows, values, given, inputs, ctx)?;
        Ok(Part { facts, others, moving })
    }

    /// What an implicant of the model says of the numbers of the head, then of its numbers that are control, then of the
    /// numbers of the inputs.
    fn step(
        &self,
        store: &mut Store,
        (plain, inputs): (&[TermId], &[Option<Input>]),
        model: &Model,
        layout: &Layout,
    ) -> Option<Polyhedron> {
        let literals = prime_implicant(store, plain, model)?;
        let literals = ordered(store, literals, model);
        let counted = layout.counted(store, &self.named);
        let concluded = layout.numbers.iter().chain(&counted).map(|&arg| self.named[arg]);
        let given = inputs.iter().flatten().flat_map(|input| input.numbers.iter().copied());
        let asked: Vec<TermId> = concluded.chain(given).collect();
        let first: BTreeSet<TermId> = asked.iter().copied().collect();
        Some(Polyhedron::new(store, &literals, model, &asked, &first))
    }

    /// What must not be negative of the numbers of the only input so that no instance like the model's is there: that the
    /// row of the head that it breaks is not broken, or what contradicts a row of the body.
    pub(super) fn demands(
        &self,
        store: &mut Store,
        (plain, inputs): (&[TermId], &[Option<Input>]),
        model: &Model,
        broken: Option<(&Layout, &Row)>,
    ) -> Vec<Vector> {
        let none = Layout::default();
        let layout = broken.map_or(&none, |(layout, _)| layout);
        let Some(step) = self.step(store, (plain, inputs), model, layout) else {
            return Vec::new();
        };
        let given = &step.values[layout.numbers.len() + layout.counted(store, &self.named).len()..];
        let mut demands = Vec::new();
        if let Some((_, row)) = broken {
            let mut demand = Linear::constant(Rat::from(row.vector[0] as i64));
            for (value, &factor) in step.values.iter().zip(&row.vector[1..]) {
                demand.add_scaled(value, &Rat::from(factor as i64));
            }
            demands.extend(back(&demand, given));
        }
        for row in step.rows.iter().filter(|row| row.is_over_integers(store)) {
            let mut demand = row.negated();
            demand.constant = &demand.constant - &Rat::ONE;
            demands.extend(back(&demand, given));
        }
        demands
    }
}

/// Some instances of a rule.
struct Part {
    /// The numbers of what they conclude, as generators.
    facts: Description,
    /// The formula that the instance is none of them.
    others: TermId,
    /// A control argument of the head that does not have one value.
    moving: Option<usize>,
}

impl BodyAt {
    fn solver(&self, store: &mut Store) -> Smt {
        let mut smt = Smt::new(Options::default());
        for &formula in self.plain.iter().chain(&self.rows) {
            smt.assert(store, formula);
        }
        smt
    }
}

/// Literals with the sides on which numbers are in a model in the place of inequations, so that they are convex.
fn ordered(store: &mut Store, literals: Vec<TermId>, model: &Model) -> Vec<TermId> {
    let mut all = Vec::with_capacity(literals.len());
    for literal in literals {
        let inside = if store.op(literal) == Op::Not { store.args(literal)[0] } else { literal };
        let is_inequation = match store.op(inside) {
            Op::Eq => inside != literal,
            Op::Distinct => inside == literal,
            _ => false,
        };
        let args = store.args(inside).to_vec();
        if !is_inequation || !args.iter().all(|&arg| store.sort(arg).is_arithmetic()) {
            all.push(literal);
            continue;
        }
        for (at, &left) in args.iter().enumerate() {
            for &right in &args[at + 1..] {
                let is_less = store.lt(left, right);
                let is_true = eval(store, is_less, model) == Ok(Value::Bool(true));
                all.push(if is_true { is_less } else { store.lt(right, left) });
            }
        }
    }
    all
}

/// Joins facts to a place.
fn grow(
    places: &mut Places,
    (key, facts): (&Key, &Description),
    width: usize,
    growth: Growth,
    found: &mut Concluded,
    ctx: &mut Ctx<'_>,
) -> Result<(), Stop> {
    let Some(place) = places.get_mut(key) else {
        found.grown.insert(key.clone());
        if let Some(hull) = Hull::generated(facts, width, ctx)? {
            places.insert(key.clone(), Place { hull, growths: 0, round: growth.round });
        }
        return Ok(());
    };
    if place.hull.contains(facts) {
        return Ok(());
    }
    found.grown.insert(key.clone());
    if place.round != growth.round {
        (place.round, place.growths) = (growth.round, place.growths + 1);
    }
    let mut hull = place.hull.joined(facts, ctx)?;
    if place.growths > growth.delay {
        hull = place.hull.widened(&hull, ctx)?;
        found.is_widened = true;
    }
    place.hull = hull;
    Ok(())
}

/// An answer that is one.
pub(super) fn known(answer: Answer) -> Result<Answer, Stop> {
    match answer {
        Answer::Unknown => Err(Stop::Stuck("the solver cannot tell".to_owned())),
        answer => Ok(answer),
    }
}
