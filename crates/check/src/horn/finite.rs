//! Clauses with finitely many instances that matter, checked by evaluating each.
//!
//! Where a body's predicates are tables, an instance whose body is true uses facts of these
//! tables, and the facts usually determine everything else. So: take a fact for an atom, which
//! gives the variables among its arguments values; let equations `v = t` of the constraint give
//! more; where the body is a disjunction, take each side in turn. Variables of small sorts that are
//! still open range over all their values. Then evaluate: if what was taken is true, the head must
//! be.
//!
//! Invariant: every assignment that makes the body true extends the values of some branch and makes
//! all formulas of that branch true, so looking at all branches misses none. Variables that occur
//! neither in the branch nor in the head need no values: they are in sides that were not taken.
//!
//! There is no search for anything: all branches are visited, and the work of it is counted.

use super::table;
use alphorn_problem::Horn;
use alphorn_problem::evidence::horn::{Definition, HornModel};
use alphorn_problem::horn::{Clause, Head};
use alphorn_problem::obligation::horn::{instance, unfold};
use alphorn_term::eval::Table;
use alphorn_term::eval::bound::{self, Tables, size_of};
use alphorn_term::value::{cardinality, elements};
use alphorn_term::{EvalError, Exhausted, Meter, Model, Op, Store, TermId, Value, eval};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The largest sort whose values an open variable ranges over.
const MAX_DOMAIN: u64 = 1 << 16;

/// The ticks of listing a value of a sort.
const PER_ELEMENT: u64 = 16;

type Facts = Rc<BTreeSet<Vec<Value>>>;
type Values = BTreeMap<TermId, Value>;

/// Evaluation of clauses under the definitions of a model.
pub(super) struct Finite<'a> {
    horn: &'a Horn,
    definitions: &'a [Definition],
    /// The facts of the predicates that have tables, by the predicate's position.
    tables: Vec<Option<Facts>>,
    /// Background functions, choices and tables; the values of the branch at hand.
    model: Model,
    /// The variables of formulas.
    vars: FxHashMap<TermId, Rc<[TermId]>>,
    /// What is known of the model's tables.
    known: Tables,
    meter: &'a Meter,
}

/// What a clause's head is, ready to be evaluated.
enum Claim {
    False,
    Fact(usize, Vec<TermId>),
    Formula(TermId),
}

/// A part of a clause's assignments.
#[derive(Clone)]
struct Branch {
    values: Values,
    /// Formulas that hold in this branch and will not be split.
    conjuncts: Vec<TermId>,
    /// Formulas that hold and can be split further: atoms with facts, disjunctions.
    splits: Vec<TermId>,
}

impl<'a> Finite<'a> {
    pub(super) fn new(horn: &'a Horn, model: &'a HornModel, meter: &'a Meter) -> Finite<'a> {
        let mut own = Model {
            vars: BTreeMap::new(),
            funcs: model.funcs.clone(),
            choices: model.choices.clone(),
        };
        let known = Tables::of(&own);
        let mut tables = Vec::with_capacity(model.preds.len());
        for definition in &model.preds {
            tables.push(table::facts(&model.terms, definition, &own, (&known, meter)).map(Rc::new));
        }
        for (pred, facts) in horn.pred_ids().zip(&tables) {
            if let Some(facts) = facts {
                let entries = facts.iter().map(|fact| (fact.clone(), Value::Bool(true))).collect();
                let default = Some(Value::Bool(false));
                own.funcs
                    .insert(horn.pred(pred).func, Table { entries, default, ..Table::default() });
            }
        }
        let vars = FxHashMap::default();
        Finite { horn, definitions: &model.preds, tables, model: own, vars, known, meter }
    }

    /// Checks all instances of a clause and counts them.
    pub(super) fn check(&mut self, store: &mut Store, clause: &Clause) -> Result<u64, String> {
        let (horn, tables, definitions) = (self.horn, &self.tables, self.definitions);
        let before = store.effort();
        let body = unfold(horn, clause, store, |store, atom, args| {
            let pred = horn.atom(atom).expect("only atoms are unfolded").index();
            match tables[pred] {
                Some(_) => Ok(None),
                None => instance(clause, &definitions[pred], args, store).map(Some),
            }
        })?;
        self.spend(store.effort().saturating_sub(before))?;
        let claim = match &clause.head {
            Head::False => Claim::False,
            Head::Atom(pred, args) if tables[pred.index()].is_some() => {
                Claim::Fact(pred.index(), args.clone())
            }
            Head::Atom(pred, args) => {
                Claim::Formula(instance(clause, &definitions[pred.index()], args, store)?)
            }
        };
        let mut first =
            Branch { values: BTreeMap::new(), conjuncts: Vec::new(), splits: Vec::new() };
        self.assume(store, &mut first, body);
        let mut count = 0;
        let mut branches = vec![first];
        while let Some(mut branch) = branches.pop() {
            self.propagate(store, &mut branch)?;
            let open = self.open(store, &branch, &claim)?;
            let next = if open.is_empty() { None } else { self.next_split(store, &mut branch) };
            count += match next {
                Some(term) => self.split(store, &mut branch, term, &mut branches)?,
                None => self.check_branch(store, &mut branch, &open, &claim)?,
            };
        }
        Ok(count)
    }

    /// The variables of a branch and the claim that have no value, in order of occurrence.
    fn open(
        &mut self,
        store: &Store,
        branch: &Branch,
        claim: &Claim,
    ) -> Result<Vec<TermId>, String> {
        let formulas = branch.conjuncts.iter().chain(&branch.splits);
        let mut open: Vec<TermId> = Vec::new();
        let mut seen: BTreeSet<TermId> = BTreeSet::new();
        for &term in formulas.chain(claim.terms()) {
            if !self.vars.contains_key(&term) {
                bound::free_vars(store, &[term], self.meter)?;
            }
            let vars = self.vars.entry(term).or_insert_with(|| store.free_vars(&[term]).into());
            let vars = vars.clone();
            self.spend(1 + vars.len() as u64)?;
            let unknown = vars.iter().filter(|var| !branch.values.contains_key(var));
            open.extend(unknown.filter(|&&var| seen.insert(var)));
        }
        Ok(open)
    }

    fn spend(&self, work: u64) -> Result<(), Exhausted> {
        self.meter.spend(work)
    }

    /// Adds a formula that holds in the branch.
    fn assume(&self, store: &Store, branch: &mut Branch, formula: TermId) {
        let mut stack = vec![formula];
        while let Some(term) = stack.pop() {
            match store.op(term) {
                Op::And => stack.extend(store.args(term).iter().rev()),
                Op::Or => branch.splits.push(term),
                _ if self.facts(store, term).is_some() => branch.splits.push(term),
                _ => branch.conjuncts.push(term),
            }
        }
    }

    /// The facts of an atom whose predicate has a table.
    fn facts(&self, store: &Store, term: TermId) -> Option<Facts> {
        let Op::Apply(func) = store.op(term) else { return None };
        self.tables[self.horn.pred_of(func)?.index()].clone()
    }

    /// What to split on: an atom, as its facts give values at once, before a disjunction.
    fn next_split(&self, store: &Store, branch: &mut Branch) -> Option<TermId> {
        let atoms = |&term: &TermId| store.op(term) != Op::Or;
        let position = branch.splits.iter().position(atoms);
        let position = position.or(branch.splits.len().checked_sub(1))?;
        Some(branch.splits.swap_remove(position))
    }

    /// One branch for each fact of an atom, or for each side of a disjunction.
    fn split(
        &mut self,
        store: &Store,
        branch: &mut Branch,
        term: TermId,
        branches: &mut Vec<Branch>,
    ) -> Result<u64, String> {
        let Some(facts) = self.facts(store, term) else {
            for &side in store.args(term) {
                let mut one = branch.clone();
                self.assume(store, &mut one, side);
                self.spend(one.weight())?;
                branches.push(one);
            }
            return Ok(0);
        };
        branch.conjuncts.push(term);
        let mut args = Vec::with_capacity(store.args(term).len());
        for &arg in store.args(term) {
            args.push((arg, self.evaluate(store, arg, &mut branch.values)?.ok()));
        }
        for fact in facts.iter() {
            self.spend(1 + args.len() as u64)?;
            let mut new: Values = BTreeMap::new();
            let fits = args.iter().zip(fact).all(|((arg, known), value)| match known {
                Some(known) => known == value,
                // The same variable may stand at two places.
                None if matches!(store.op(*arg), Op::Var(_)) => {
                    new.entry(*arg).or_insert_with(|| value.clone()) == value
                }
                // Left to the evaluation of the whole body.
                None => true,
            });
            if fits {
                self.spend(branch.weight())?;
                let mut one = branch.clone();
                one.values.append(&mut new);
                branches.push(one);
            }
        }
        Ok(0)
    }

    /// Gives variables the values that equations of the branch say they have.
    fn propagate(&mut self, store: &Store, branch: &mut Branch) -> Result<(), String> {
        let equations: Vec<(TermId, TermId)> =
            branch.conjuncts.iter().flat_map(|&term| equations(store, term)).collect();
        loop {
            let before = branch.values.len();
            for &(var, term) in &equations {
                if !branch.values.contains_key(&var)
                    && let Ok(value) = self.evaluate(store, term, &mut branch.values)?
                {
                    branch.values.insert(var, value);
                }
            }
            if branch.values.len() == before {
                return Ok(());
            }
        }
    }

    /// Evaluates and counts the instances of a branch that is not split further; `open` are the
    /// variables without a value.
    fn check_branch(
        &mut self,
        store: &mut Store,
        branch: &mut Branch,
        open: &[TermId],
        claim: &Claim,
    ) -> Result<u64, String> {
        branch.conjuncts.append(&mut branch.splits);
        if !open.is_empty() && self.holds(store, branch)? == Ok(false) {
            return Ok(0);
        }
        let mut domains = Vec::with_capacity(open.len());
        let mut total = 1u64;
        for &var in open {
            let count = cardinality(store, store.sort(var)).filter(|&count| count <= MAX_DOMAIN);
            self.spend(count.unwrap_or(0) * PER_ELEMENT)?;
            let Some(domain) = elements(store, store.sort(var), MAX_DOMAIN) else {
                let name = store.var_name(var).unwrap_or("?");
                return Err(format!("{name} is not determined by the facts of the body"));
            };
            total = total.saturating_mul(domain.len() as u64);
            domains.push(domain);
        }
        // Each instance is work, so that looking at them would end in the same refusal.
        self.spend(total)?;
        for number in 0..total {
            let mut rest = number;
            for (&var, domain) in open.iter().zip(&domains) {
                let size = domain.len() as u64;
                branch.values.insert(var, domain[(rest % size) as usize].clone());
                rest /= size;
            }
            let holds = self.holds(store, branch)?.map_err(|error| error.describe(store))?;
            if holds && !self.claim_holds(store, claim, &mut branch.values)? {
                return Err(counterexample(store, &branch.values));
            }
        }
        Ok(total)
    }

    /// Whether all formulas of a branch are true; a false one counts more than an error.
    fn holds(
        &mut self,
        store: &Store,
        branch: &mut Branch,
    ) -> Result<Result<bool, EvalError>, String> {
        let mut result = Ok(true);
        for &conjunct in &branch.conjuncts {
            match self.evaluate(store, conjunct, &mut branch.values)? {
                Ok(Value::Bool(true)) => {}
                Ok(_) => return Ok(Ok(false)),
                Err(error) => result = Err(error),
            }
        }
        Ok(result)
    }

    /// Whether the head is true.
    fn claim_holds(
        &mut self,
        store: &Store,
        claim: &Claim,
        values: &mut Values,
    ) -> Result<bool, String> {
        let fail = |error: EvalError| error.describe(store);
        match claim {
            Claim::False => Ok(false),
            Claim::Formula(head) => {
                Ok(self.evaluate(store, *head, values)?.map_err(fail)? == Value::Bool(true))
            }
            Claim::Fact(pred, args) => {
                let mut fact = Vec::with_capacity(args.len());
                for &arg in args {
                    fact.push(self.evaluate(store, arg, values)?.map_err(fail)?);
                }
                Ok(self.tables[*pred].as_ref().is_some_and(|facts| facts.contains(&fact)))
            }
        }
    }

    /// The value of a term; the outer error says that it would take too much.
    fn evaluate(
        &mut self,
        store: &Store,
        term: TermId,
        values: &mut Values,
    ) -> Result<Result<Value, EvalError>, String> {
        if let Op::Var(_) = store.op(term) {
            self.spend(1)?;
            return Ok(values.get(&term).cloned().ok_or(EvalError::Unassigned(term)));
        }
        std::mem::swap(&mut self.model.vars, values);
        let result = bound::evaluation(store, &[term], &self.model, &self.known, self.meter)
            .map(|()| eval(store, term, &self.model));
        std::mem::swap(&mut self.model.vars, values);
        result
    }
}

impl Claim {
    fn terms(&self) -> &[TermId] {
        match self {
            Claim::False => &[],
            Claim::Fact(_, args) => args,
            Claim::Formula(head) => std::slice::from_ref(head),
        }
    }
}

impl Branch {
    /// The work of copying the branch.
    fn weight(&self) -> u64 {
        8 * (1 + self.values.len() + self.conjuncts.len() + self.splits.len()) as u64
    }
}

/// The variables that a conjunct gives a value, each with the term that has it.
fn equations(store: &Store, term: TermId) -> Vec<(TermId, TermId)> {
    let is_var = |term: TermId| matches!(store.op(term), Op::Var(_));
    match (store.op(term), store.args(term)) {
        (Op::Var(_), _) => vec![(term, TermId::TRUE)],
        (Op::Not, &[var]) if is_var(var) => vec![(var, TermId::FALSE)],
        (Op::Eq, &[left, right]) => {
            let sides = [(left, right), (right, left)];
            sides.into_iter().filter(|(var, _)| is_var(*var)).collect()
        }
        _ => Vec::new(),
    }
}

fn counterexample(store: &mut Store, values: &Values) -> String {
    const SHOWN: usize = 8;
    const LARGEST_SHOWN: u64 = 1 << 12;
    let mut text = "the body holds and the head does not".to_owned();
    for (position, (&var, value)) in values.iter().take(SHOWN).enumerate() {
        let value = (size_of(value) <= LARGEST_SHOWN).then(|| store.value_term(value)).flatten();
        let name = store.var_name(var).unwrap_or("?").to_owned();
        let value = value.map_or("?".to_owned(), |term| store.show(term));
        text.push_str(if position == 0 { " for " } else { ", " });
        text.push_str(&format!("{name} = {value}"));
    }
    text
}
