//! Templates: terms over the parameters of a symbol in which interpolants should be said.
//!
//! A cheap template is one that loops leave alone: a linear form that every direct recursion keeps. What
//! clauses compare comes next, then differences and sums of two parameters, then parameters
//! alone, which together can say everything. Facts of abstract interpretation by octagons, which hold, are cheap,
//! too. What the user names comes with a price of its own.

use crate::la::increments::{form_on, unchanged_forms};
use crate::la::system::{Pred, Rule, System};
use crate::settings::{CEGAR_MAX_PAIRED, CEGAR_MAX_TEMPLATES, CEGAR_OCTAGON_TICKS};
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::transform::octagon_facts;
use alphorn_problem::Horn;
use alphorn_term::{Op, SortId, Store, Substitution, TermId};
use rustc_hash::FxHashMap;

/// The price of a form that recursion leaves unchanged.
const UNCHANGED: u32 = 1;
/// The price of what a clause compares.
const COMPARED: u32 = 2;
/// The price of a difference.
const DIFFERENCE: u32 = 3;
/// The price of a sum.
const SUM: u32 = 4;
/// The price of a parameter.
const SINGLE: u32 = 6;

/// A term, or a formula of which only the truth counts, over the parameters of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Template {
    /// The term.
    pub(crate) term: TermId,
    /// How dear it is; the cheapest that suffice are taken.
    pub(crate) cost: u32,
    /// How what is below an abstract fact is tied to what is above it.
    pub(crate) tie: Tie,
}

/// How the two values of a template are tied together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tie {
    /// They are the same.
    Equal,
    /// If the formula holds below, it does above.
    Implied,
    /// The value below is at most that above, so lower bounds can be said.
    AtMost,
    /// The value below is at least that above, so upper bounds can be said.
    AtLeast,
}

impl Tie {
    /// That two values, the one below and the one above, are tied together.
    pub(super) fn holds(self, store: &mut Store, below: TermId, above: TermId) -> TermId {
        match self {
            Tie::Equal => store.eq(below, above),
            Tie::Implied => store.implies(below, above),
            Tie::AtMost => store.le(below, above),
            Tie::AtLeast => store.le(above, below),
        }
    }
}

/// The templates of all symbols.
#[derive(Default)]
pub(crate) struct Templates {
    /// What the user names, by symbol.
    pub(crate) given: FxHashMap<Pred, Vec<Template>>,
    known: FxHashMap<Pred, Vec<Template>>,
}

impl Templates {
    /// Adds what octagons say of the facts of each symbol, as far as that is found with little effort.
    pub(crate) fn learn(
        &mut self,
        horn: &Horn,
        system: &System,
        store: &mut Store,
        ctx: &mut Ctx<'_>,
    ) -> Result<(), Stop> {
        let ticks = CEGAR_OCTAGON_TICKS.get();
        let found = ctx.within(ticks, |ctx| octagon_facts(horn, store, ctx));
        // A flag that was raised is seen here.
        ctx.tick(1)?;
        for (pred, known) in found.into_iter().flatten().enumerate() {
            for fact in known.facts {
                let term = store.rename(fact, &known.params, &system.params[pred]);
                let octagon = Template { term, cost: UNCHANGED, tie: Tie::Implied };
                if !matches!(term, TermId::TRUE | TermId::FALSE) {
                    self.given.entry(pred).or_default().push(octagon);
                }
            }
        }
        Ok(())
    }

    /// The templates of a symbol, no term twice.
    pub(crate) fn of(
        &mut self,
        store: &mut Store,
        system: &System,
        pred: Pred,
        ctx: &mut Ctx<'_>,
    ) -> Result<&[Template], Stop> {
        if !self.known.contains_key(&pred) {
            let given = self.given.get(&pred).cloned().unwrap_or_default();
            let found = found(store, system, pred, given, ctx)?;
            self.known.insert(pred, found);
        }
        Ok(self.known.get(&pred).map_or(&[], Vec::as_slice))
    }
}

fn found(
    store: &mut Store,
    system: &System,
    pred: Pred,
    given: Vec<Template>,
    ctx: &mut Ctx<'_>,
) -> Result<Vec<Template>, Stop> {
    let params = system.params[pred].clone();
    let mut all = given;
    all.extend(compared(store, system, pred));
    let tie = Tie::Equal;
    for sort in [SortId::INT, SortId::REAL] {
        for form in unchanged_forms(store, system, pred, sort, ctx)? {
            let term = form_on(store, &form, &params);
            all.push(Template { term, cost: UNCHANGED, tie });
        }
        let places = params.iter().copied().filter(|&param| store.sort(param) == sort);
        let numbers: Vec<TermId> = places.collect();
        if numbers.len() <= CEGAR_MAX_PAIRED.size() {
            for (place, &left) in numbers.iter().enumerate() {
                for &right in &numbers[place + 1..] {
                    let term = store.sub(left, right);
                    all.push(Template { term, cost: DIFFERENCE, tie });
                    let term = store.add(&[left, right]);
                    all.push(Template { term, cost: SUM, tie });
                }
            }
        }
    }
    all.sort_by_key(|template| template.cost);
    let mut kept: Vec<Template> = Vec::new();
    let singles = params.iter().map(|&term| Template { term, cost: SINGLE, tie });
    for template in all.into_iter().take(CEGAR_MAX_TEMPLATES.size()).chain(singles) {
        if kept.iter().all(|other| other.term != template.term || other.tie != template.tie) {
            kept.push(template);
        }
    }
    kept.sort_by_key(|template| template.cost);
    Ok(kept)
}

/// What clauses compare, over the parameters of a symbol on whose arguments they do: whether it is so, and the
/// difference of two terms.
fn compared(store: &mut Store, system: &System, pred: Pred) -> Vec<Template> {
    let mut found: Vec<Template> = Vec::new();
    for &rule in &system.users_of[pred] {
        let rule = &system.rules[rule];
        for atom in rule.atoms.iter().filter(|atom| atom.pred == pred) {
            let mut map = Substitution::default();
            for (&arg, &param) in atom.args.iter().zip(&system.params[pred]) {
                if rule.vars.contains(&arg) {
                    map.entry(arg).or_insert(param);
                }
            }
            for comparison in comparisons(store, rule, &map) {
                let so = store.substitute(comparison, &map);
                let not_so = store.not(so);
                let cost = COMPARED;
                found.push(Template { term: so, cost, tie: Tie::Implied });
                found.push(Template { term: not_so, cost, tie: Tie::Implied });
                if let &[left, right] = store.args(so)
                    && store.free_vars(&[so]).len() > 1
                {
                    let term = store.sub(left, right);
                    found.push(Template { term, cost, tie: Tie::Equal });
                }
            }
        }
    }
    found
}

/// The comparisons of numbers in a rule that have no other variables than those of a map.
fn comparisons(store: &Store, rule: &Rule, map: &Substitution) -> Vec<TermId> {
    let mut found = Vec::new();
    for term in store.subterms(&[rule.body]) {
        if let (Op::Le | Op::Lt | Op::Eq, &[left, _]) = (store.op(term), store.args(term))
            && store.sort(left).is_arithmetic()
        {
            let vars = store.free_vars(&[term]);
            if !vars.is_empty() && vars.iter().all(|var| map.contains_key(var)) {
                found.push(term);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::Tie;
    use alphorn_smt::{Answer, Options, Smt};
    use alphorn_term::{SortId, Store, TermId};

    #[test]
    fn a_bound_excludes_what_is_on_its_side_and_nothing_else() {
        let mut store = Store::new();
        let below = store.fresh_var("below", SortId::INT);
        let above = store.fresh_var("above", SortId::INT);
        let (zero, one, two) = (store.int(0), store.int(1), store.int(2));
        let either = [store.eq(below, zero), store.eq(below, two)];
        let known = store.or(&either);
        let less = store.lt(above, zero);
        let more = store.lt(two, above);
        let between = store.eq(above, one);
        let expected = [
            (vec![], [false, false, false]),
            (vec![Tie::AtMost], [true, false, false]),
            (vec![Tie::AtLeast], [false, true, false]),
            (vec![Tie::AtMost, Tie::AtLeast], [true, true, true]),
            (vec![Tie::Equal], [true, true, true]),
        ];
        for (ties, expected) in expected {
            let tied: Vec<TermId> =
                ties.iter().map(|tie| tie.holds(&mut store, below, above)).collect();
            let found = [less, more, between].map(|violation| {
                let mut smt = Smt::new(Options::default());
                smt.assert(&mut store, known);
                smt.assert(&mut store, violation);
                smt.check(&mut store, &tied) == Answer::Unsat
            });
            assert_eq!(found, expected, "{ties:?}");
        }
    }
}
