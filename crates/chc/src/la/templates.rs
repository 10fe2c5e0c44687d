//! Interpolants in terms that loops leave alone.
//!
//! A conflict has many interpolants, and a proof gives the one it happens to need: bounds of single
//! variables, often, that are others after each turn of a loop. So the two sides are first told
//! little of one another: not the values of variables, but of *templates*, sums and differences of
//! two variables and variables alone. If that is enough for the contradiction, the interpolant is
//! about these templates only. Templates that every direct recursion of the predicate leaves
//! unchanged are tried first, then those that it only increases or only decreases, then all.
//!
//! After Leroux, Rümmer, Subotić, "Guiding Craig interpolation with domain-specific abstractions" (Acta
//! Informatica 2016). Where we differ: the cheapest templates come from a core instead of a search
//! in the lattice of abstractions.

use super::bounded::Bounded;
use super::increments::Form;
use super::interpolants::interpolants;
use super::system::Pred;
use crate::settings::{LA_MAX_VARIABLES, LA_TEMPLATE_CONFLICTS};
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::ask::ask_within;
use alphorn_smt::interpolate::binary;
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{SortId, Substitution, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

/// A variable, a sum or difference of two, by the positions of parameters, or a linear form.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Template {
    Single(usize),
    Difference(usize, usize),
    Sum(usize, usize),
    /// A linear form that recursion leaves unchanged, by its number.
    Form(usize),
}

/// What the direct recursions of a predicate do to a template.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Rank {
    /// Nothing.
    Constant,
    /// They only increase or only decrease it.
    Monotone,
    /// Anything, or there is no recursion.
    Any,
}

/// What is known of templates.
#[derive(Default)]
pub(crate) struct Templates {
    ranks: FxHashMap<(Pred, Template), Rank>,
    forms: FxHashMap<Pred, Vec<Form>>,
    /// Variables for the values of parameters, and of templates, by sort.
    copies: FxHashMap<(SortId, usize), TermId>,
    /// Solvers of the recursive rules of predicates.
    solvers: FxHashMap<usize, Smt>,
}

/// Templates that suffice for a contradiction.
struct Choice {
    templates: Vec<Template>,
    /// What of the two sides they need.
    core: Vec<TermId>,
}

/// An interpolant, and what it took of the suffix.
pub(super) struct Separated {
    /// The interpolant.
    pub(super) formula: TermId,
    /// The demands that it excludes.
    pub(super) suffix: Vec<TermId>,
}

impl Bounded<'_> {
    /// A template of a predicate on arguments.
    fn on(&mut self, pred: Pred, template: Template, args: &[TermId]) -> TermId {
        match template {
            Template::Single(at) => args[at],
            Template::Difference(left, right) => self.store.sub(args[left], args[right]),
            Template::Sum(left, right) => self.store.add(&[args[left], args[right]]),
            Template::Form(number) => {
                let form = self.templates.forms[&pred][number].clone();
                self.form_on(&form, args)
            }
        }
    }

    /// An interpolant about few templates between the demands of a rule, which derives a fact with
    /// the given arguments, and a suffix. The core is what a contradiction of both needed. Nothing if
    /// no templates are better than any others.
    pub(super) fn by_templates(
        &mut self,
        (pred, args): (Pred, &[TermId]),
        own: &[TermId],
        suffix: &[TermId],
        core: (&[TermId], &[TermId]),
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Separated>, Stop> {
        let templates = self.ranked(pred, args, core, ctx)?;
        if templates.is_empty() {
            return Ok(None);
        }
        let mut apart = args.to_vec();
        let mut map = Substitution::default();
        for place in self.numbers(args) {
            apart[place] = self.copy(self.store.sort(args[place]), 2 * place);
            map.insert(args[place], apart[place]);
        }
        let own = self.store.substitute_all(own, &map);
        let sides = (&own[..], suffix);
        let found = self.enough(pred, &templates, (args, &apart), sides, ctx)?;
        let Some(Choice { templates: chosen, core }) = found else { return Ok(None) };
        let (inside, suffix): (Vec<TermId>, Vec<TermId>) =
            core.into_iter().partition(|demand| own.contains(demand));
        let mut back = Substitution::default();
        for template in &chosen {
            if let &Template::Single(place) = template {
                back.insert(apart[place], args[place]);
                apart[place] = args[place];
            }
        }
        let mut inside = self.store.substitute_all(&inside, &back);
        let mut outside = suffix.clone();
        for (number, template) in chosen.iter().enumerate() {
            if let Template::Single(_) = template {
                continue;
            }
            let (here, there) = (self.on(pred, *template, &apart), self.on(pred, *template, args));
            let value = self.copy(self.store.sort(here), 2 * number + 1);
            inside.push(self.store.eq(value, here));
            outside.push(self.store.eq(value, there));
            back.insert(value, there);
        }
        self.counts.interpolants += 1;
        let store = &mut self.store;
        let (inside, outside) = (store.and(&inside), store.and(&outside));
        let found = interpolants(ctx, 10 * LA_TEMPLATE_CONFLICTS.get(), |options| {
            binary(store, inside, outside, options)
        })?;
        let Some(found) = found.and_then(|mut found| found.pop()) else { return Ok(None) };
        Ok(Some(Separated { formula: self.store.substitute(found, &back), suffix }))
    }

    /// How many linear forms of a predicate recursion leaves unchanged.
    fn forms(&mut self, pred: Pred, ctx: &mut Ctx<'_>) -> Result<usize, Stop> {
        if let Some(known) = self.templates.forms.get(&pred) {
            return Ok(known.len());
        }
        let mut forms = self.unchanged_forms(pred, SortId::INT, ctx)?;
        forms.extend(self.unchanged_forms(pred, SortId::REAL, ctx)?);
        let count = forms.len();
        self.templates.forms.insert(pred, forms);
        Ok(count)
    }

    /// The places of the arguments that are numbers.
    fn numbers(&self, args: &[TermId]) -> Vec<usize> {
        (0..args.len()).filter(|&place| self.store.sort(args[place]).is_arithmetic()).collect()
    }

    /// The templates that are worth a try, the best first: those that recursion respects, and sums
    /// and differences of variables that both sides of a contradiction have.
    fn ranked(
        &mut self,
        pred: Pred,
        args: &[TermId],
        core: (&[TermId], &[TermId]),
        ctx: &mut Ctx<'_>,
    ) -> Result<Vec<(Rank, Template)>, Stop> {
        let here: FxHashSet<TermId> = self.store.free_vars(core.0).into_iter().collect();
        let there: FxHashSet<TermId> = self.store.free_vars(core.1).into_iter().collect();
        let is_shared = |place: usize| here.contains(&args[place]) && there.contains(&args[place]);
        let mut places = self.numbers(args);
        if places.len() > LA_MAX_VARIABLES.size() {
            places.retain(|&place| is_shared(place));
        }
        let mut all: Vec<(Template, bool)> =
            places.iter().map(|&at| (Template::Single(at), false)).collect();
        if places.len() <= LA_MAX_VARIABLES.size() {
            for (number, &right) in places.iter().enumerate() {
                for &left in &places[..number] {
                    if self.store.sort(args[left]) == self.store.sort(args[right]) {
                        let both = is_shared(left) && is_shared(right);
                        all.push((Template::Difference(left, right), both));
                        all.push((Template::Sum(left, right), both));
                    }
                }
            }
        }
        let mut ranked = Vec::with_capacity(all.len());
        for (template, is_useful) in all {
            let rank = self.rank(pred, template, ctx)?;
            if rank < Rank::Any || is_useful {
                ranked.push((rank, template));
            }
        }
        for number in 0..self.forms(pred, ctx)? {
            ranked.push((Rank::Constant, Template::Form(number)));
        }
        ranked.sort_unstable();
        Ok(ranked)
    }

    /// The templates that suffice for a contradiction between sides that are otherwise apart, of the
    /// best rank that does, and what of the sides they need.
    fn enough(
        &mut self,
        pred: Pred,
        ranked: &[(Rank, Template)],
        (args, apart): (&[TermId], &[TermId]),
        (own, suffix): (&[TermId], &[TermId]),
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Choice>, Stop> {
        let mut equations = Vec::with_capacity(ranked.len());
        for &(_, template) in ranked {
            let (here, there) = (self.on(pred, template, apart), self.on(pred, template, args));
            equations.push(self.store.eq(here, there));
        }
        let mut end = 0;
        while let Some(&(rank, _)) = ranked.get(end) {
            end = ranked.partition_point(|&(other, _)| other <= rank);
            let mut demands = suffix.to_vec();
            demands.extend(own);
            demands.extend(&equations[..end]);
            if self.check(&demands, ctx)? != Answer::Unsat {
                continue;
            }
            let mut kept = self.smt.failed();
            for place in (0..end).rev() {
                let equation = equations[place];
                if kept.contains(&equation) {
                    let fewer: Vec<TermId> =
                        kept.iter().copied().filter(|&part| part != equation).collect();
                    if self.check(&fewer, ctx)? == Answer::Unsat {
                        kept = self.smt.failed();
                    }
                }
            }
            let (used, core): (Vec<TermId>, Vec<TermId>) =
                kept.into_iter().partition(|part| equations.contains(part));
            let is_used = |place: &usize| used.contains(&equations[*place]);
            let chosen = (0..end).filter(is_used).map(|place| ranked[place].1).collect();
            return Ok(Some(Choice { templates: chosen, core }));
        }
        Ok(None)
    }

    /// What the rules by which a predicate needs itself do to a template.
    fn rank(&mut self, pred: Pred, template: Template, ctx: &mut Ctx<'_>) -> Result<Rank, Stop> {
        if let Some(&known) = self.templates.ranks.get(&(pred, template)) {
            return Ok(known);
        }
        let (mut up, mut down, mut is_recursive) = (true, true, false);
        for rule in self.system.rules_of[pred].clone() {
            let Some((_, head)) = self.system.rules[rule].head.clone() else { continue };
            for place in 0..self.system.rules[rule].atoms.len() {
                let atom = &self.system.rules[rule].atoms[place];
                if atom.pred == pred {
                    is_recursive = true;
                    let before = atom.args.clone();
                    let after = self.on(pred, template, &head);
                    let before = self.on(pred, template, &before);
                    let (less, more) = (self.store.lt(after, before), self.store.lt(before, after));
                    up = up && self.is_impossible(rule, less, ctx)?;
                    down = down && self.is_impossible(rule, more, ctx)?;
                }
            }
        }
        let rank = match (is_recursive, up, down) {
            (true, true, true) => Rank::Constant,
            (true, true, false) | (true, false, true) => Rank::Monotone,
            _ => Rank::Any,
        };
        self.templates.ranks.insert((pred, template), rank);
        Ok(rank)
    }

    /// Whether a rule's body excludes a formula.
    fn is_impossible(
        &mut self,
        rule: usize,
        formula: TermId,
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        let store = &mut self.store;
        let body = self.system.rules[rule].body;
        let smt = self.templates.solvers.entry(rule).or_insert_with(|| {
            let mut smt = Smt::new(Options::default());
            smt.assert(store, body);
            smt
        });
        Ok(ask_within(smt, store, &[formula], LA_TEMPLATE_CONFLICTS.get(), ctx)? == Answer::Unsat)
    }

    /// A variable for values, by its number.
    fn copy(&mut self, sort: SortId, number: usize) -> TermId {
        let store = &mut self.store;
        let copies = &mut self.templates.copies;
        *copies.entry((sort, number)).or_insert_with(|| store.fresh_var("t", sort))
    }
}
