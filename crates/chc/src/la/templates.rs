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
use super::interpolants::interpolants;
use super::system::Pred;
use crate::ask::ask_within;
use alphorn_engine::{Ctx, Stop};
use alphorn_smt::interpolate::binary;
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{SortId, Store, Substitution, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

/// With more variables on both sides, only variables alone are templates.
const MOST_VARIABLES: usize = 10;
/// Conflicts that a question about templates may take.
const FEW_CONFLICTS: u64 = 500;

/// A variable, or a sum or difference of two, by the positions of parameters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Template {
    Single(usize),
    Difference(usize, usize),
    Sum(usize, usize),
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
    /// Variables for the values of parameters, and of templates, by sort.
    copies: FxHashMap<(SortId, usize), TermId>,
    /// Solvers of the recursive rules of predicates.
    solvers: FxHashMap<usize, Smt>,
}

impl Template {
    /// The template on arguments.
    fn on(self, store: &mut Store, args: &[TermId]) -> TermId {
        match self {
            Template::Single(at) => args[at],
            Template::Difference(left, right) => store.sub(args[left], args[right]),
            Template::Sum(left, right) => store.add(&[args[left], args[right]]),
        }
    }

    fn is_single(self) -> bool {
        matches!(self, Template::Single(_))
    }
}

impl Bounded<'_> {
    /// An interpolant about few templates; nothing if there is none that is better than any other.
    pub(super) fn by_templates(
        &mut self,
        (pred, args): (Pred, &[TermId]),
        prefix: &[TermId],
        suffix: &[TermId],
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<TermId>, Stop> {
        let shared = self.shared(args, prefix, suffix);
        let templates = self.ranked(pred, &shared, ctx)?;
        if templates.is_empty() {
            return Ok(None);
        }
        let mut apart = args.to_vec();
        let mut map = Substitution::default();
        for &place in &shared {
            apart[place] = self.copy(self.store.sort(args[place]), 2 * place);
            map.insert(args[place], apart[place]);
        }
        let other = self.store.substitute_all(suffix, &map);
        let Some(chosen) = self.enough(&templates, args, &apart, (prefix, &other), ctx)? else {
            return Ok(None);
        };
        let (mut inside, mut outside) = (prefix.to_vec(), other);
        let mut back = Substitution::default();
        for (number, &template) in chosen.iter().enumerate() {
            let (here, there) =
                (template.on(&mut self.store, args), template.on(&mut self.store, &apart));
            let value = self.copy(self.store.sort(here), 2 * number + 1);
            inside.push(self.store.eq(value, here));
            outside.push(self.store.eq(value, there));
            back.insert(value, here);
        }
        self.counts.interpolants += 1;
        let store = &mut self.store;
        let (inside, outside) = (store.and(&inside), store.and(&outside));
        let found = interpolants(ctx, 10 * FEW_CONFLICTS, |options| {
            binary(store, inside, outside, options)
        })?;
        let Some(found) = found.and_then(|mut found| found.pop()) else { return Ok(None) };
        Ok(Some(self.store.substitute(found, &back)))
    }

    /// The arguments that are numbers and variables of both sides, by their places.
    fn shared(&self, args: &[TermId], prefix: &[TermId], suffix: &[TermId]) -> Vec<usize> {
        let here: FxHashSet<TermId> = self.store.free_vars(prefix).into_iter().collect();
        let there: FxHashSet<TermId> = self.store.free_vars(suffix).into_iter().collect();
        let is_shared = |&place: &usize| {
            let arg = args[place];
            self.store.sort(arg).is_arithmetic() && here.contains(&arg) && there.contains(&arg)
        };
        (0..args.len()).filter(is_shared).collect()
    }

    /// The templates of variables that are worth a try, the best first.
    fn ranked(
        &mut self,
        pred: Pred,
        shared: &[usize],
        ctx: &mut Ctx<'_>,
    ) -> Result<Vec<(Rank, Template)>, Stop> {
        let mut all: Vec<Template> = shared.iter().map(|&at| Template::Single(at)).collect();
        if shared.len() <= MOST_VARIABLES {
            let params = &self.system.params[pred];
            for (number, &right) in shared.iter().enumerate() {
                for &left in &shared[..number] {
                    if self.store.sort(params[left]) == self.store.sort(params[right]) {
                        all.push(Template::Difference(left, right));
                        all.push(Template::Sum(left, right));
                    }
                }
            }
        }
        let mut ranked = Vec::with_capacity(all.len());
        for template in all {
            let rank = self.rank(pred, template, ctx)?;
            if rank < Rank::Any || !template.is_single() {
                ranked.push((rank, template));
            }
        }
        ranked.sort_unstable();
        Ok(ranked)
    }

    /// The templates that suffice for a contradiction between sides that are otherwise apart, of
    /// the best rank that does; no variables alone.
    fn enough(
        &mut self,
        ranked: &[(Rank, Template)],
        args: &[TermId],
        apart: &[TermId],
        (prefix, suffix): (&[TermId], &[TermId]),
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Vec<Template>>, Stop> {
        let mut smt = Smt::new(Options::default());
        for &part in prefix.iter().chain(suffix) {
            smt.assert(&mut self.store, part);
        }
        let mut equations = Vec::with_capacity(ranked.len());
        for &(_, template) in ranked {
            let (here, there) =
                (template.on(&mut self.store, args), template.on(&mut self.store, apart));
            equations.push(self.store.eq(here, there));
        }
        for rank in [Rank::Constant, Rank::Monotone, Rank::Any] {
            let end = ranked.partition_point(|&(other, _)| other <= rank);
            if rank != Rank::Constant && end > 0 && ranked[end - 1].0 < rank {
                continue;
            }
            let assumed = &equations[..end];
            if ask_within(&mut smt, &mut self.store, assumed, FEW_CONFLICTS, ctx)? != Answer::Unsat
            {
                continue;
            }
            let mut kept = smt.failed();
            let mut place = kept.len();
            while place > 0 {
                place -= 1;
                let mut fewer = kept.clone();
                fewer.remove(place);
                let answer = ask_within(&mut smt, &mut self.store, &fewer, FEW_CONFLICTS, ctx)?;
                if answer == Answer::Unsat {
                    kept = smt.failed();
                    place = place.min(kept.len());
                }
            }
            let is_kept = |place: &usize| kept.contains(&equations[*place]);
            let chosen = (0..end).filter(is_kept).map(|place| ranked[place].1).collect();
            return Ok(Some(chosen));
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
                    let after = template.on(&mut self.store, &head);
                    let before = template.on(&mut self.store, &before);
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
        Ok(ask_within(smt, store, &[formula], FEW_CONFLICTS, ctx)? == Answer::Unsat)
    }

    /// A variable for values, by its number.
    fn copy(&mut self, sort: SortId, number: usize) -> TermId {
        let store = &mut self.store;
        let copies = &mut self.templates.copies;
        *copies.entry((sort, number)).or_insert_with(|| store.fresh_var("t", sort))
    }
}
