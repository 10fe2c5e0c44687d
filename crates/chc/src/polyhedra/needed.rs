//! Which inequalities a model needs, of those that hold on the hulls.
//!
//! Found backwards: what excludes the queries, and for every clause what keeps the rows of its head that are needed.
//! Each question is asked with the rows that are needed already, and with bounds that many places share. Where an answer breaks a row of the
//! head, what the row is before the step (its weakest precondition) is one row that excludes it, if it holds on the
//! hull; else a row of the hull that the answer breaks. What the refutation takes of all that is needed from then on.

use super::places::{Key, Layout, Places};
use super::polyhedron::Row;
use super::rule::{Choice, Rule, known};
use super::{Search, choices};
use crate::rule_body::Atom;
use crate::settings::POLYHEDRA_CONFLICTS;
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::ask::ask_within;
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Model, SortId, Store, TermId, Value, eval};
use std::collections::{BTreeMap, BTreeSet};

/// Rows that are needed.
pub(super) struct Needed {
    /// For each predicate and place.
    rows: Vec<BTreeMap<Key, BTreeSet<Row>>>,
    /// Bounds of numbers that hold at all places of a predicate that have such a bound: steps often keep them.
    bounds: Vec<BTreeSet<Row>>,
}

/// A question: whether a rule keeps what is needed.
struct Question<'s> {
    rule: &'s Rule,
    smt: Smt,
    assumed: Vec<TermId>,
    offers: Vec<Offer>,
    /// Places of the head that the solver knows.
    told: BTreeSet<Key>,
}

/// A row that may be needed of a place of an atom.
struct Offer {
    pred: usize,
    key: Key,
    row: Row,
    /// What it says of the atom's arguments.
    says: TermId,
    /// Whether it is needed already.
    is_known: bool,
    /// The literal that makes the solver know it, once there is one.
    switch: Option<TermId>,
}

impl Needed {
    /// Rows that are enough for a model, where all together are one.
    pub(super) fn of(search: &mut Search, ctx: &mut Ctx<'_>) -> Result<Needed, Stop> {
        let bounds = search.places.iter().map(common_bounds).collect();
        let mut needed = Needed { rows: vec![BTreeMap::new(); search.places.len()], bounds };
        // Places that were found late are near the queries: they say what earlier ones have to do.
        let mut tasks: Vec<(usize, Choice)> = Vec::new();
        for (at, rule) in search.rules.iter().enumerate() {
            let all = choices(rule, &search.places, None)?;
            tasks.extend(all.into_iter().map(|choice| (at, choice)));
        }
        let round = |(at, choice): &(usize, Choice)| {
            let atoms = search.rules[*at].body.atoms.iter().zip(choice);
            let rounds = atoms
                .filter_map(|(atom, key)| Some(search.places[atom.pred].get(key.as_ref()?)?.round));
            (rounds.max(), search.rules[*at].head.is_none())
        };
        tasks.sort_by_key(|task| std::cmp::Reverse(round(task)));
        let mut is_open = true;
        while is_open {
            is_open = false;
            for (at, choice) in &tasks {
                is_open |= needed.settle(search, *at, choice, ctx)?;
            }
        }
        Ok(needed)
    }

    /// How many rows there are.
    pub(super) fn count(&self) -> usize {
        self.rows.iter().flat_map(BTreeMap::values).map(BTreeSet::len).sum()
    }

    /// Those of a place.
    pub(super) fn of_place(&self, pred: usize, key: &Key) -> impl Iterator<Item = &Row> {
        self.rows[pred].get(key).into_iter().flatten()
    }

    /// Adds what a rule needs at places to keep what is needed of its head; whether there was anything to add.
    fn settle(
        &mut self,
        search: &mut Search,
        at: usize,
        choice: &Choice,
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        let (body, inputs) = search.body_at(at, choice);
        let Search { store, rules, layouts, places, .. } = search;
        let rule = &rules[at];
        let mut question = Question::new(store, rule, &body.plain);
        let used: Vec<(&Atom, &Key)> = {
            let atoms = rule.body.atoms.iter().zip(choice);
            atoms.filter_map(|(atom, key)| Some((atom, key.as_ref()?))).collect()
        };
        for &(atom, key) in &used {
            let needed: BTreeSet<Row> = self.of_place(atom.pred, key).cloned().collect();
            let hull = &places[atom.pred][key].hull;
            let bounds = self.bounds[atom.pred].iter().filter(|row| hull.allows(&row.vector));
            let rows = hull.all_rows().flat_map(Row::inequalities).chain(bounds.cloned());
            let mut rows: Vec<Row> = rows.filter(|row| !needed.contains(row)).collect();
            rows.sort_by_key(Row::size);
            rows.dedup();
            for row in needed.iter().cloned().chain(rows) {
                let is_known = needed.contains(&row);
                let is_on = is_known || self.bounds[atom.pred].contains(&row);
                let says = layouts[atom.pred].says(store, &atom.args, &row);
                question.offer(store, (atom.pred, key, row), says, (is_known, is_on));
            }
        }
        loop {
            let so_many = question.assumed.len() + question.offers.len();
            ctx.tick(1 + so_many as u64 / 8)?;
            let Some(model) = question.answer(store, ctx)? else { break };
            let mut broken = None;
            if let Some((pred, args)) = &rule.head {
                let layout = &layouts[*pred];
                let key = rule.key(store, layout, &model);
                let key = key.filter(|key| places[*pred].contains_key(key));
                // A place of the head whose needed rows were not spoken of yet comes first.
                if let Some(key) = &key
                    && question.told.insert(key.clone())
                {
                    let mut parts = vec![layout.at(store, args, key)];
                    parts.extend(self.of_place(*pred, key).map(|it| layout.says(store, args, it)));
                    let inside = store.and(&parts);
                    let outside = store.not(inside);
                    question.smt.assert(store, outside);
                    continue;
                }
                let rows = key.iter().flat_map(|key| self.of_place(*pred, key));
                let mut rows = rows.map(|row| (layout, row));
                broken = rows.find(|(_, row)| {
                    let says = layout.says(store, args, row);
                    is_false(store, says, &model)
                });
            }
            if let &[(atom, key)] = &used[..] {
                let before = (&body.plain[..], &inputs[..]);
                let hull = &places[atom.pred][key].hull;
                let demand = rule.demands(store, before, &model, broken);
                if let Some(vector) = demand.into_iter().find(|vector| hull.allows(vector)) {
                    let row = Row { vector, is_equation: false };
                    let says = layouts[atom.pred].says(store, &atom.args, &row);
                    if is_false(store, says, &model) {
                        question.offer(store, (atom.pred, key, row), says, (false, true));
                        continue;
                    }
                }
            }
            question.take_broken(store, &model)?;
        }
        let taken = question.taken(store, ctx)?;
        let grown: BTreeSet<(usize, Key)> =
            taken.iter().map(|(pred, key, _)| (*pred, key.clone())).collect();
        for (pred, key, row) in taken {
            self.rows[pred].entry(key).or_default().insert(row);
        }
        for (pred, key) in &grown {
            self.thin_out(store, &layouts[*pred], (*pred, key), ctx)?;
        }
        Ok(!grown.is_empty())
    }

    /// Leaves out rows of a place that the others imply.
    fn thin_out(
        &mut self,
        store: &mut Store,
        layout: &Layout,
        (pred, key): (usize, &Key),
        ctx: &mut Ctx<'_>,
    ) -> Result<(), Stop> {
        let Some(rows) = self.rows[pred].get_mut(key) else { return Ok(()) };
        let params = layout.params(store);
        let (mut smt, mut switches) = (Smt::new(Options::default()), BTreeMap::new());
        for row in rows.iter() {
            let says = layout.says(store, &params, row);
            let switch = store.fresh_var("on", SortId::BOOL);
            let clause = store.eq(switch, says);
            smt.assert(store, clause);
            switches.insert(row.clone(), switch);
        }
        // Small numbers go first, since what is larger says more where numbers are not negative; bounds stay.
        let mut order: Vec<Row> = rows.iter().filter(|row| !row.is_bound()).cloned().collect();
        order.sort_by_key(|row| row.vector.iter().map(|value| value.unsigned_abs()).sum::<u128>());
        for row in order {
            let mut assumed = vec![store.not(switches[&row])];
            assumed.extend(rows.iter().filter(|other| **other != row).map(|it| switches[it]));
            let conflicts = POLYHEDRA_CONFLICTS.get();
            if ask_within(&mut smt, store, &assumed, conflicts, ctx)? == Answer::Unsat {
                rows.remove(&row);
            }
        }
        Ok(())
    }
}

impl<'s> Question<'s> {
    fn new(store: &mut Store, rule: &'s Rule, plain: &[TermId]) -> Question<'s> {
        let mut smt = Smt::new(Options::default());
        for &formula in plain {
            smt.assert(store, formula);
        }
        let (assumed, offers, told) = (Vec::new(), Vec::new(), BTreeSet::new());
        Question { rule, smt, assumed, offers, told }
    }

    /// Notes a row of a place of an atom, and assumes it if that is wanted.
    fn offer(
        &mut self,
        store: &mut Store,
        (pred, key, row): (usize, &Key, Row),
        says: TermId,
        (is_known, is_on): (bool, bool),
    ) {
        let key = key.clone();
        self.offers.push(Offer { pred, key, row, says, is_known, switch: None });
        if is_on {
            self.switch_on(store, self.offers.len() - 1);
        }
    }

    fn switch_on(&mut self, store: &mut Store, at: usize) {
        let switch = store.fresh_var("on", SortId::BOOL);
        let clause = store.implies(switch, self.offers[at].says);
        self.smt.assert(store, clause);
        self.offers[at].switch = Some(switch);
        self.assumed.push(switch);
    }

    /// A model of what is assumed.
    fn answer(&mut self, store: &mut Store, ctx: &mut Ctx<'_>) -> Result<Option<Model>, Stop> {
        let conflicts = POLYHEDRA_CONFLICTS.get();
        let answer = ask_within(&mut self.smt, store, &self.assumed, conflicts, ctx)?;
        Ok((known(answer)? == Answer::Sat).then(|| self.rule.model(store, &self.smt)))
    }

    /// Assumes a row that a model breaks.
    fn take_broken(&mut self, store: &mut Store, model: &Model) -> Result<(), Stop> {
        let is_broken =
            |offer: &Offer| offer.switch.is_none() && is_false(store, offer.says, model);
        let Some(at) = self.offers.iter().position(is_broken) else {
            return Err(Stop::Stuck("the clauses do not keep the hulls".to_owned()));
        };
        self.switch_on(store, at);
        Ok(())
    }

    /// The rows that the refutation takes and that were not needed before, as few as possible.
    fn taken(
        &mut self,
        store: &mut Store,
        ctx: &mut Ctx<'_>,
    ) -> Result<Vec<(usize, Key, Row)>, Stop> {
        let new = self.offers.iter().filter(|offer| !offer.is_known);
        let new: BTreeSet<TermId> = new.filter_map(|offer| offer.switch).collect();
        if new.is_empty() {
            return Ok(Vec::new());
        }
        let core = least(&mut self.smt, store, &new, ctx)?;
        let is_taken = |offer: &&Offer| {
            !offer.is_known && offer.switch.is_some_and(|switch| core.contains(&switch))
        };
        let taken = self.offers.iter().filter(is_taken);
        Ok(taken.map(|it| (it.pred, it.key.clone(), it.row.clone())).collect())
    }
}

/// For each number and direction the weakest of the bounds that places have.
fn common_bounds(places: &Places) -> BTreeSet<Row> {
    let mut weakest: BTreeMap<Vec<i128>, Row> = BTreeMap::new();
    for place in places.values() {
        let rows = place.hull.all_rows().filter(Row::is_bound);
        for row in rows.flat_map(Row::inequalities) {
            let signs: Vec<i128> = row.vector[1..].iter().map(|value| value.signum()).collect();
            let old = weakest.entry(signs).or_insert_with(|| row.clone());
            if row.is_weaker_bound(old) {
                *old = row;
            }
        }
    }
    weakest.into_values().collect()
}

fn is_false(store: &Store, formula: TermId, model: &Model) -> bool {
    eval(store, formula, model) == Ok(Value::Bool(false))
}

/// Of the assumptions of the last refutation some that are enough, with as few as possible of `new` ones.
fn least(
    smt: &mut Smt,
    store: &mut Store,
    new: &BTreeSet<TermId>,
    ctx: &mut Ctx<'_>,
) -> Result<Vec<TermId>, Stop> {
    let mut core = smt.failed();
    let mut at = 0;
    while at < core.len() {
        if !new.contains(&core[at]) {
            at += 1;
            continue;
        }
        let mut tried = core.clone();
        tried.remove(at);
        match ask_within(smt, store, &tried, POLYHEDRA_CONFLICTS.get(), ctx)? {
            Answer::Unsat => {
                // What is kept stays before what was not tried.
                let failed: BTreeSet<TermId> = smt.failed().into_iter().collect();
                let kept = tried[..at].iter().filter(|it| failed.contains(it)).count();
                tried.retain(|switch| failed.contains(switch));
                (core, at) = (tried, kept);
            }
            _ => at += 1,
        }
    }
    Ok(core)
}
