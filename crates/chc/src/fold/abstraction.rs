//! A system over datatypes as one over the values of folds.
//!
//! Every term of a datatype becomes a vector, one entry per fold. A variable becomes variables that
//! satisfy the laws; an application of a constructor, the values that the folds' cases give; fields and
//! testers of anything else, unknowns that fit the cases. Equations become equations of vectors. Where
//! values that are different may have equal vectors, a disequality says nothing. So every clause is
//! implied by its abstraction with the folds put in, and a model of the abstract system is one of the
//! system; clauses keep their positions.
//!
//! Where a number is watched, it is the first argument of every predicate, and a model of the abstract system holds for
//! all of them: rules watch one number throughout, and queries one that they name.

use super::family::Family;
use alphorn_horn::folds::data::{ctors, is_data};
use alphorn_horn::folds::fields_of;
use alphorn_horn::transform::conjuncts;
use alphorn_problem::Horn;
use alphorn_problem::evidence::fold::FoldCase;
use alphorn_problem::horn::{Clause, Head};
use alphorn_term::{CtorId, Op, SortId, Store, Substitution, TermId};
use rustc_hash::FxHashMap;

/// The abstract system; an error in words if a sort stands in the way.
pub(super) fn abstracted(horn: &Horn, store: &Store, family: &Family) -> Result<Horn, String> {
    let mut store = store.clone();
    let mut preds = Vec::with_capacity(horn.preds.len());
    for pred in horn.pred_ids() {
        let mut sorts: Vec<SortId> = family.watched.iter().map(|_| SortId::INT).collect();
        for &sort in horn.pred_args(pred) {
            match family.of.get(&sort) {
                Some(folds) => sorts.extend(folds.iter().map(|&func| store.func(func).result)),
                None => sorts.push(sort),
            }
        }
        preds.push(store.declare(horn.pred_name(pred), &sorts, SortId::BOOL));
    }
    let mut clauses = Vec::with_capacity(horn.clauses.len());
    for (_, clause) in horn.clauses() {
        let mut work = Work {
            horn,
            family,
            store: &mut store,
            preds: &preds,
            done: FxHashMap::default(),
            vectors: FxHashMap::default(),
            testers: FxHashMap::default(),
            vars: Vec::new(),
            also: Vec::new(),
        };
        clauses.push(work.clause(clause)?);
    }
    let mut result = Horn::new(store);
    for (pred, &func) in horn.pred_ids().zip(&preds) {
        result.add_pred(func, horn.pred(pred).span);
    }
    result.clauses = clauses;
    Ok(result)
}

/// A clause at work.
struct Work<'a> {
    horn: &'a Horn,
    family: &'a Family,
    store: &'a mut Store,
    preds: &'a [alphorn_term::FuncId],
    /// What terms that are not of datatypes became.
    done: FxHashMap<TermId, TermId>,
    /// What terms of datatypes became.
    vectors: FxHashMap<TermId, Vec<TermId>>,
    /// The unknowns that say which constructor made a value.
    testers: FxHashMap<TermId, Vec<TermId>>,
    /// The variables of the abstract clause.
    vars: Vec<TermId>,
    /// What holds of them.
    also: Vec<TermId>,
}

impl Work<'_> {
    fn clause(&mut self, clause: &Clause) -> Result<Clause, String> {
        let mut parts = Vec::new();
        for conjunct in conjuncts(self.store, clause.body) {
            let args = self.store.args(conjunct).to_vec();
            if self.store.op(conjunct) == Op::Eq && is_data(self.store, self.store.sort(args[0])) {
                parts.push(self.same(args[0], args[1])?);
            } else {
                parts.push(self.term(conjunct)?);
            }
        }
        let head = match &clause.head {
            Head::False => Head::False,
            Head::Atom(pred, args) => Head::Atom(*pred, self.flat(args)?),
        };
        if clause.head == Head::False {
            parts.extend(self.watched_by(clause)?);
        }
        parts.append(&mut self.also);
        let body = self.store.and(&parts);
        for &var in &clause.vars {
            if !is_data(self.store, self.store.sort(var)) {
                self.vars.push(var);
            }
        }
        self.vars.extend(self.family.watched);
        let vars = std::mem::take(&mut self.vars);
        Ok(Clause { vars, body, head, name: clause.name.clone(), span: clause.span })
    }

    /// Which number a query watches: that of the variable that stands in most of its atoms. What holds of every
    /// number that is watched holds of this one.
    fn watched_by(&mut self, clause: &Clause) -> Result<Option<TermId>, String> {
        let Some(watched) = self.family.watched else { return Ok(None) };
        let atoms = self.horn.atoms(clause.body);
        let uses = |var: TermId| {
            let is_used = |atom: &&TermId| self.store.args(**atom).contains(&var);
            atoms.iter().filter(is_used).count()
        };
        let mut best: Option<(usize, TermId)> = None;
        for &var in &clause.vars {
            let sort = self.store.sort(var);
            let folds = self.family.of.get(&sort).map(Vec::as_slice).unwrap_or_default();
            let is_number = sort == SortId::INT
                || matches!(folds, &[only] if self.store.func(only).result == SortId::INT);
            let count = uses(var);
            if is_number && count > 0 && best.is_none_or(|(most, _)| most < count) {
                best = Some((count, var));
            }
        }
        let Some((_, var)) = best else { return Ok(None) };
        let number = match self.store.sort(var) == SortId::INT {
            true => self.term(var)?,
            false => self.vector(var)?[0],
        };
        Ok(Some(self.store.eq(watched, number)))
    }

    /// Arguments with vectors in the place of values of datatypes.
    fn flat(&mut self, args: &[TermId]) -> Result<Vec<TermId>, String> {
        let mut flat: Vec<TermId> = self.family.watched.into_iter().collect();
        for &arg in args {
            if is_data(self.store, self.store.sort(arg)) {
                flat.extend(self.vector(arg)?);
            } else {
                flat.push(self.term(arg)?);
            }
        }
        Ok(flat)
    }

    /// A term that is not of a datatype.
    fn term(&mut self, root: TermId) -> Result<TermId, String> {
        let mut stack = vec![(root, false)];
        while let Some((term, ready)) = stack.pop() {
            if self.done.contains_key(&term) || is_data(self.store, self.store.sort(term)) {
                continue;
            }
            if !ready {
                stack.push((term, true));
                stack.extend(self.store.args(term).iter().rev().map(|&arg| (arg, false)));
                continue;
            }
            let result = self.shallow(term)?;
            self.done.insert(term, result);
        }
        Ok(self.done[&root])
    }

    /// A term whose arguments are done, unless they are of datatypes.
    fn shallow(&mut self, term: TermId) -> Result<TermId, String> {
        let (op, args) = (self.store.op(term), self.store.args(term).to_vec());
        let about_data = args.iter().any(|&arg| is_data(self.store, self.store.sort(arg)));
        match op {
            Op::Apply(_) if self.horn.atom(term).is_some() => {
                let pred = self.horn.atom(term).expect("it is an atom");
                let flat = self.flat(&args)?;
                Ok(self.store.mk(Op::Apply(self.preds[pred.index()]), &flat))
            }
            Op::Forall | Op::Exists => Err("quantifiers are not abstracted".to_owned()),
            Op::Eq if about_data => self.equation(args[0], args[1]),
            Op::Distinct if about_data => {
                let mut parts = Vec::new();
                for (at, &left) in args.iter().enumerate() {
                    for &right in &args[at + 1..] {
                        let same = self.equation(left, right)?;
                        parts.push(self.store.not(same));
                    }
                }
                Ok(self.store.and(&parts))
            }
            Op::Is(ctor) => {
                let all = ctors(self.store, self.store.sort(args[0]));
                let testers = self.taken_apart(args[0])?;
                let at = all.iter().position(|&other| other == ctor);
                at.map(|at| testers[at]).ok_or_else(|| "a tester of another datatype".to_owned())
            }
            Op::Field(..) => {
                self.taken_apart(args[0])?;
                self.done.get(&term).copied().ok_or_else(|| "a field was not met".to_owned())
            }
            _ if about_data => Err("an operator on datatypes is not abstracted".to_owned()),
            Op::Var(_) => Ok(term),
            _ => {
                let sort = self.store.sort_of(self.store.sort(term)).clone();
                if let alphorn_term::Sort::Array(index, element) = sort
                    && (is_data(self.store, index) || is_data(self.store, element))
                {
                    return Err("arrays of datatypes are not abstracted".to_owned());
                }
                let args: Vec<TermId> = args.iter().map(|arg| self.done[arg]).collect();
                Ok(self.store.rebuild(term, &args))
            }
        }
    }

    /// Whether two values of a datatype are equal, as far as that can be told.
    fn equation(&mut self, left: TermId, right: TermId) -> Result<TermId, String> {
        let sort = self.store.sort(left);
        let same = self.same(left, right)?;
        if self.family.exact.contains(&sort) || same == TermId::FALSE {
            return Ok(same);
        }
        let flag = self.unknown("e", SortId::BOOL);
        let claim = self.store.implies(flag, same);
        self.also.push(claim);
        Ok(flag)
    }

    /// That two values of a datatype have equal vectors.
    fn same(&mut self, left: TermId, right: TermId) -> Result<TermId, String> {
        let (left, right) = (self.vector(left)?, self.vector(right)?);
        let pairs: Vec<TermId> =
            left.into_iter().zip(right).map(|(a, b)| self.store.eq(a, b)).collect();
        Ok(self.store.and(&pairs))
    }

    fn unknown(&mut self, hint: &str, sort: SortId) -> TermId {
        let var = self.store.fresh_var(hint, sort);
        self.vars.push(var);
        var
    }

    /// Unknown values of the folds of a value, which satisfy the laws.
    fn unknown_vector(&mut self, hint: &str, sort: SortId) -> Result<Vec<TermId>, String> {
        let folds = self.family.of.get(&sort).ok_or("a datatype has no folds")?;
        let mut map = Substitution::default();
        let laws: Vec<_> = (self.family.folds.laws.iter())
            .filter(|law| self.store.sort(law.var) == sort)
            .collect();
        let mut vector = Vec::with_capacity(folds.len());
        for &func in folds {
            let var = self.unknown(hint, self.store.func(func).result);
            for law in &laws {
                let value = self.family.applied(self.store, func, law.var);
                map.insert(value, var);
            }
            vector.push(var);
        }
        for law in laws {
            let holds = self.store.substitute(law.formula, &map);
            self.also.push(holds);
        }
        Ok(vector)
    }

    /// The values of the folds of a term.
    fn vector(&mut self, root: TermId) -> Result<Vec<TermId>, String> {
        let mut stack = vec![(root, false)];
        while let Some((term, ready)) = stack.pop() {
            if self.vectors.contains_key(&term) {
                continue;
            }
            let sort = self.store.sort(term);
            let (op, args) = (self.store.op(term), self.store.args(term).to_vec());
            let is_data_term = |store: &Store, arg: TermId| is_data(store, store.sort(arg));
            if !ready && matches!(op, Op::Construct(_) | Op::Ite) {
                stack.push((term, true));
                for &arg in args.iter().filter(|&&arg| is_data_term(self.store, arg)) {
                    stack.push((arg, false));
                }
                continue;
            }
            let vector = match op {
                Op::Var(_) => {
                    let name = self.store.var_name(term).unwrap_or("x").to_owned();
                    self.unknown_vector(&name, sort)?
                }
                Op::Ite => {
                    let condition = self.term(args[0])?;
                    let (then, otherwise) =
                        (self.vectors[&args[1]].clone(), self.vectors[&args[2]].clone());
                    let pairs = then.into_iter().zip(otherwise);
                    pairs.map(|(a, b)| self.store.ite(condition, a, b)).collect()
                }
                Op::Construct(ctor) => self.made(ctor, &args)?,
                Op::Field(..) => {
                    self.taken_apart(args[0])?;
                    self.vectors.get(&term).cloned().ok_or("a field was not met")?
                }
                _ => return Err("an operator on datatypes is not abstracted".to_owned()),
            };
            self.vectors.insert(term, vector);
        }
        Ok(self.vectors[&root].clone())
    }

    /// The values of the folds of what a constructor makes.
    fn made(&mut self, ctor: CtorId, args: &[TermId]) -> Result<Vec<TermId>, String> {
        let sort = self.store.data(self.store.ctor(ctor).data).sort;
        let at = ctors(self.store, sort).iter().position(|&other| other == ctor).unwrap_or(0);
        let mut plain = Vec::with_capacity(args.len());
        let mut vectors = Vec::with_capacity(args.len());
        for &arg in args {
            if is_data(self.store, self.store.sort(arg)) {
                vectors.push(Some(self.vector(arg)?));
                plain.push(None);
            } else {
                vectors.push(None);
                plain.push(Some(self.term(arg)?));
            }
        }
        let mut values = Vec::new();
        for func in self.family.of.get(&sort).cloned().unwrap_or_default() {
            let fold = self.family.folds.functions.iter().find(|fold| fold.func == func);
            let case = &fold.ok_or("a fold is missing")?.cases[at];
            let map = self.case_map(case, &plain, &vectors);
            values.push(self.store.substitute(case.value, &map));
        }
        Ok(values)
    }

    /// What the fields of a case, and the folds of the fields, are.
    fn case_map(
        &mut self,
        case: &FoldCase,
        plain: &[Option<TermId>],
        vectors: &[Option<Vec<TermId>>],
    ) -> Substitution {
        let mut map = Substitution::default();
        for (at, &field) in case.fields.iter().enumerate() {
            if let Some(term) = plain[at] {
                map.insert(field, term);
            }
            let Some(vector) = &vectors[at] else { continue };
            let folds = self.family.of.get(&self.store.sort(field)).cloned().unwrap_or_default();
            for (func, &value) in folds.into_iter().zip(vector) {
                let applied = self.family.applied(self.store, func, field);
                map.insert(applied, value);
            }
        }
        map
    }

    /// Which constructor made a value, as unknowns of which one is true; its fields become unknowns that
    /// fit.
    fn taken_apart(&mut self, term: TermId) -> Result<Vec<TermId>, String> {
        if let Some(testers) = self.testers.get(&term) {
            return Ok(testers.clone());
        }
        let sort = self.store.sort(term);
        let own = self.vector(term)?;
        let all = ctors(self.store, sort);
        let mut testers = Vec::with_capacity(all.len());
        for &ctor in &all {
            let fields = fields_of(self.store, ctor, term);
            for &field in &fields {
                let of = self.store.sort(field);
                let is_new = !self.vectors.contains_key(&field) && !self.done.contains_key(&field);
                if is_data(self.store, of) {
                    if is_new {
                        let vector = self.unknown_vector("f", of)?;
                        self.vectors.insert(field, vector);
                    }
                } else if is_new {
                    let unknown = self.unknown("f", of);
                    self.done.insert(field, unknown);
                }
            }
            let tester = match all.len() {
                1 => TermId::TRUE,
                _ => self.unknown("is", SortId::BOOL),
            };
            let values = self.made(ctor, &fields)?;
            let same: Vec<TermId> =
                own.iter().zip(values).map(|(&a, b)| self.store.eq(a, b)).collect();
            let same = self.store.and(&same);
            let fits = self.store.implies(tester, same);
            self.also.push(fits);
            testers.push(tester);
        }
        let some = self.store.or(&testers);
        self.also.push(some);
        for (at, &tester) in testers.iter().enumerate() {
            for &other in &testers[at + 1..] {
                let both = self.store.and(&[tester, other]);
                let not_both = self.store.not(both);
                self.also.push(not_both);
            }
        }
        self.testers.insert(term, testers.clone());
        Ok(testers)
    }
}
