//! Predicates that are no functions, by what a query asks of them.
//!
//! Sorting by parts recurses on what other functions make of a list, not on its tail, and so is no function here. But a query
//! that is about such a predicate says what would be enough to know of it: that for all values of the other variables the
//! rest of the query does not hold. That is taken for the predicate's meaning, and for the meaning of those that it needs
//! and that have the same arguments. Then their clauses are what has to be proved, with the meaning of the calls as
//! hypotheses: inductions on derivations, in which laws about functions are used.
//!
//! Laws are looked for among equations of two or three functions at a time, since those that help relate what the
//! meaning is about with one function, or parts with the whole.

use super::clause::Rule;
use super::evaluate::Evaluator;
use super::generalize::named;
use super::goal;
use super::prove::{Theory, applied};
use super::recognize::{Body, Meaning};
use super::sums::Measure;
use crate::settings::{INDUCTION_MAX_LAWS, INDUCTION_TOGETHER_TERM};
use alphorn_engine::{Ctx, Event, Stop};
use alphorn_horn::folds::{Effort, refute};
use alphorn_problem::Horn;
use alphorn_problem::horn::PredId;
use alphorn_problem::obligation::fold::axioms;
use alphorn_term::{FuncId, Op, Store, Substitution, TermId};
use std::collections::BTreeSet;

/// A predicate, and what a query asks of it.
pub(super) struct Wish {
    pred: PredId,
    meaning: Meaning,
}

impl Wish {
    /// What a query asks of the one predicate in it that is taken for true of everything.
    pub(super) fn of(
        store: &mut Store,
        horn: &Horn,
        query: &Rule,
        meanings: &[Meaning],
    ) -> Option<Wish> {
        let mut open =
            (0..query.calls.len()).filter(|&at| meanings[query.calls[at].0.index()].is_true());
        let at = open.next()?;
        if open.next().is_some() {
            return None;
        }
        let mut rest = query.clone();
        let (pred, args) = rest.calls.remove(at);
        let different: BTreeSet<TermId> = args.iter().copied().collect();
        let are_vars = args.iter().all(|&arg| matches!(store.op(arg), Op::Var(_)));
        if args.is_empty() || !are_vars || different.len() < args.len() {
            return None;
        }
        let asked = goal(store, &rest, |pred| &meanings[pred.index()])?;
        let free = store.free_vars(&[asked]);
        // What is computed of the arguments cannot be one of them.
        if !free.iter().any(|var| args.contains(var)) {
            return None;
        }
        let others: Vec<TermId> = free.into_iter().filter(|var| !args.contains(var)).collect();
        let fresh: Vec<TermId> =
            others.iter().map(|&var| store.fresh_var("w", store.sort(var))).collect();
        let asked = store.rename(asked, &others, &fresh);
        let asked = if fresh.is_empty() { asked } else { store.forall(&fresh, asked) };
        let params: Vec<TermId> =
            horn.pred_args(pred).iter().map(|&sort| store.fresh_var("a", sort)).collect();
        let asked = store.rename(asked, &args, &params);
        let meaning = Meaning::Call { output: None, body: Body::Term(params, asked) };
        Some(Wish { pred, meaning })
    }
}

impl Theory {
    /// Whether samples refute a goal, so that no law helps.
    pub(super) fn is_wrong(&mut self, goal: TermId, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        let functions = self.folds.functions.clone();
        let mut evaluator = Evaluator::new(&functions);
        Ok(evaluator.on_samples(&mut self.store, goal, ctx)? == Some(false))
    }

    /// Proves the clauses of a predicate and of those that it needs with a wish for their meaning, looking for laws; if that
    /// works it is their meaning.
    pub(super) fn grant(
        &mut self,
        horn: &Horn,
        rules: &[Rule],
        wish: &Wish,
        meanings: &mut [Meaning],
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        let wished = alike(horn, rules, wish.pred, meanings);
        ctx.emit(Event::Remark(format!("wished of {} predicates", wished.len())));
        let before = meanings.to_vec();
        for pred in &wished {
            meanings[pred.index()] = wish.meaning.clone();
        }
        let is_own = |rule: &&Rule| rule.head.as_ref().is_some_and(|(of, _)| wished.contains(of));
        let mut open: Vec<&Rule> = rules.iter().filter(is_own).collect();
        if self.settle(&mut open, meanings, Effort::thorough(), ctx)? {
            return Ok(true);
        }
        if let Some(measure) = wish.measure(&mut self.store) {
            for add in self.adders(self.store.sort(measure.term), ctx)? {
                let mut laws: BTreeSet<TermId> = BTreeSet::new();
                for rule in &open {
                    laws.extend(self.sums(rule, measure, add, meanings));
                }
                for law in laws {
                    if !self.is_wrong(law, ctx)?
                        && !self.follows(law, ctx)?
                        && !self.by_induction(law, Effort::thorough(), ctx)?
                    {
                        self.with_conjectures(law, 1, ctx)?;
                    }
                }
                if self.settle(&mut open, meanings, Effort::thorough(), ctx)? {
                    return Ok(true);
                }
            }
        }
        let functions: BTreeSet<FuncId> =
            open.iter().flat_map(|rule| self.called(rule, meanings)).collect();
        let functions: Vec<FuncId> = functions.into_iter().collect();
        let mut tried: BTreeSet<TermId> = BTreeSet::new();
        let Meaning::Call { body: Body::Term(_, asked), .. } = wish.meaning else {
            return Ok(false);
        };
        let asked = applied(&self.store, asked);
        let mut groups = groups(&functions);
        // What the wish is about comes first.
        groups.sort_by_key(|group| !group.iter().any(|func| asked.contains(func)));
        for group in groups {
            let mut search = self.exploration(&self.using(group), ctx);
            let mut is_new = false;
            while let Some(equation) =
                self.explore(&mut search, INDUCTION_TOGETHER_TERM.size(), ctx)?
            {
                if self.folds.laws.len() as u64 >= INDUCTION_MAX_LAWS.get() {
                    break;
                }
                let name = named(&mut self.store, equation);
                if !tried.insert(name)
                    || self.follows(equation, ctx)?
                    || !self.by_induction(equation, Effort::quick(), ctx)?
                {
                    continue;
                }
                is_new = true;
            }
            if is_new && self.settle(&mut open, meanings, Effort::thorough(), ctx)? {
                return Ok(true);
            }
        }
        meanings.clone_from_slice(&before);
        Ok(false)
    }

    /// Leaves the rules that are not proved with some meanings; whether there is none.
    fn settle(
        &mut self,
        open: &mut Vec<&Rule>,
        meanings: &[Meaning],
        effort: Effort,
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        let mut left = Vec::new();
        for rule in open.drain(..) {
            if !self.keeps(rule, |pred| &meanings[pred.index()], effort, ctx)? {
                left.push(rule);
            }
        }
        *open = left;
        ctx.emit(Event::Remark(format!("{} clauses are open", open.len())));
        Ok(open.is_empty())
    }

    /// Whether a rule is proved with some meanings and what is known of functions.
    pub(super) fn keeps<'m>(
        &mut self,
        rule: &Rule,
        meaning: impl Fn(PredId) -> &'m Meaning,
        effort: Effort,
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        let Theory { store, folds, .. } = self;
        let Some((pred, args)) = &rule.head else { return Ok(false) };
        let mut parts = rule.guards.clone();
        for (of, args) in &rule.calls {
            let Some(formula) = meaning(*of).formula(store, args) else { return Ok(false) };
            parts.push(formula);
        }
        let Some(head) = meaning(*pred).formula(store, args) else { return Ok(false) };
        parts.push(store.not(head));
        parts.extend(axioms(folds, store));
        Ok(refute(store, &parts, effort, ctx)?.is_some())
    }

    /// The functions that a rule is about: those of calls whose results are used.
    fn called(&mut self, rule: &Rule, meanings: &[Meaning]) -> BTreeSet<FuncId> {
        let mut rule = rule.clone();
        rule.calls.retain(|(of, _)| !meanings[of.index()].is_true());
        loop {
            let count = |var: TermId| {
                let mut all: Vec<TermId> = rule.guards.clone();
                all.extend(rule.calls.iter().chain(&rule.head).flat_map(|(_, args)| args));
                all.iter().filter(|term| self.store.free_vars(&[**term]).contains(&var)).count()
            };
            let is_idle = |(of, args): &(PredId, Vec<TermId>)| match meanings[of.index()].output() {
                Some(at) => matches!(self.store.op(args[at]), Op::Var(_)) && count(args[at]) == 1,
                None => false,
            };
            let Some(idle) = rule.calls.iter().position(is_idle) else { break };
            rule.calls.remove(idle);
        }
        let mut found = BTreeSet::new();
        for (of, args) in rule.calls.iter().chain(&rule.head) {
            let formula = meanings[of.index()].formula(&mut self.store, args);
            found
                .extend(formula.map(|formula| applied(&self.store, formula)).into_iter().flatten());
        }
        found
    }
}

impl Wish {
    /// What the wish says to be the same of two arguments.
    fn measure(&self, store: &mut Store) -> Option<Measure> {
        let Meaning::Call { body: Body::Term(params, asked), .. } = &self.meaning else {
            return None;
        };
        let param = |store: &Store, side: TermId| {
            let free = store.free_vars(&[side]);
            let mut own = free.into_iter().filter(|var| params.contains(var));
            own.next().filter(|_| own.next().is_none())
        };
        for equation in store.subterms(&[*asked]) {
            let (Op::Eq, &[left, right]) = (store.op(equation), store.args(equation)) else {
                continue;
            };
            let (Some(var), Some(other)) = (param(store, left), param(store, right)) else {
                continue;
            };
            let map: Substitution = [(other, var)].into_iter().collect();
            if var != other && store.substitute(right, &map) == left {
                return Some(Measure { var, term: left });
            }
        }
        None
    }
}

/// Two or three functions at a time.
fn groups(functions: &[FuncId]) -> Vec<Vec<FuncId>> {
    let mut groups: Vec<Vec<FuncId>> = functions.iter().map(|&func| vec![func]).collect();
    for size in 2..=3 {
        let last =
            |group: &Vec<FuncId>| functions.iter().position(|func| group.last() == Some(func));
        let longer: Vec<Vec<FuncId>> = (groups.iter().filter(|group| group.len() + 1 == size))
            .flat_map(|group| {
                let rest = last(group).map_or(&functions[..0], |at| &functions[at + 1..]);
                rest.iter().map(|&func| [&group[..], &[func]].concat()).collect::<Vec<_>>()
            })
            .collect();
        groups.extend(longer);
    }
    groups.retain(|group| group.len() > 1 || functions.len() == 1);
    groups
}

/// The predicates that a predicate needs and that are taken for true like itself, with arguments of the same sorts.
fn alike(horn: &Horn, rules: &[Rule], pred: PredId, meanings: &[Meaning]) -> BTreeSet<PredId> {
    let (mut found, mut open) = (BTreeSet::from([pred]), vec![pred]);
    while let Some(pred) = open.pop() {
        let own = |rule: &&Rule| rule.head.as_ref().is_some_and(|(of, _)| *of == pred);
        for (of, _) in rules.iter().filter(own).flat_map(|rule| &rule.calls) {
            let is_alike = horn.pred_args(*of) == horn.pred_args(pred);
            if is_alike && meanings[of.index()].is_true() && found.insert(*of) {
                open.push(*of);
            }
        }
    }
    found
}
