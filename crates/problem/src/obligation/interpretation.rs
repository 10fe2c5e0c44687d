//! What is refuted where evidence chooses what a system leaves open: its clauses under a choice of sorts, beside
//! what arrays are defined to be.
//!
//! A clause that speaks of all arrays can be had at any of them, and arrays are all the total maps: also at one that no
//! term is, x ↦ x + 1 say. So evidence may give arrays names, and say what they are at all indices. No clause has
//! these names, and for whatever a definition says there is an array that is so; what contradicts the
//! clauses together with definitions contradicts the clauses.
//!
//! Where a system is to be safe for *every* interpretation of declared sorts (`Horn::every_sort`), one under which
//! its clauses contradict each other falsifies it. So evidence may also say whose values the elements of a
//! declared sort are: of a sort that the system has, so that what there is to prove depends on the system alone.
//!
//! Engines and the checker both call this file, and get the same terms.

use super::horn::formulas;
use crate::evidence::horn::{Definition, Interpretation};
use crate::horn::{Clause, Head, Horn};
use alphorn_term::{FuncId, Op, Sort, SortId, Store, TermId};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// The most sorts that one is made of where it is put for a declared one: sorts are written out.
const MAX_NODES: u64 = 64;

/// The formulas that contradict each other: the clauses of a system that has its sorts chosen (`with_sorts`), and
/// what defines arrays, whose parts the caller knows to fit.
pub fn assertions(horn: &Horn, chosen: &Interpretation, store: &mut Store) -> Vec<TermId> {
    let mut all = formulas(horn, store);
    for (array, Definition { params, body }) in &chosen.arrays {
        let read = params.iter().fold(*array, |array, &index| store.select(array, index));
        let is_so = store.eq(read, *body);
        all.push(store.forall(params, is_so));
    }
    all
}

/// The system with values of other sorts for elements of declared ones, or why there is none.
///
/// It depends on the system and the sorts alone. Clauses and predicates keep their positions, and clauses the order of
/// their variables.
pub fn with_sorts<'h>(horn: &'h Horn, sorts: &[(SortId, SortId)]) -> Result<Cow<'h, Horn>, String> {
    if sorts.is_empty() {
        return Ok(Cow::Borrowed(horn));
    }
    if !horn.every_sort {
        let reason = "the system is to be safe for some interpretation of its sorts, not for every";
        return Err(reason.to_owned());
    }
    if !horn.quantified.is_empty() {
        return Err("clauses have instances of what was read, and keep their sorts".to_owned());
    }
    let mut roots: Vec<TermId> = Vec::new();
    for clause in &horn.clauses {
        roots.extend(clause.vars.iter().chain([&clause.body]));
        if let Head::Atom(_, args) = &clause.head {
            roots.extend(args);
        }
    }
    let terms = horn.terms.subterms(&roots);
    let is_var = |term: &TermId| matches!(horn.terms.op(*term), Op::Var(_));
    let mut store = horn.terms.clone();
    let mut replacing = Replacing {
        sorts: checked_sorts(&mut store, sorts)?,
        store,
        kept: BTreeSet::new(),
        vars: terms.iter().copied().filter(is_var).collect(),
        preds: BTreeMap::new(),
        done: BTreeMap::new(),
    };
    let mut result = Horn::default();
    for pred in &horn.preds {
        let declared = replacing.store.func(pred.func).clone();
        let args = declared.args.iter().map(|&sort| replacing.sort(sort));
        let args = args.collect::<Result<Vec<SortId>, String>>()?;
        let name = replacing.store.name(declared.name).to_owned();
        let func = replacing.store.declare(&name, &args, declared.result);
        replacing.preds.insert(pred.func, func);
        result.add_pred(func, pred.span);
    }
    for &term in &terms {
        let seen = replacing.term(term)?;
        replacing.done.insert(term, seen);
    }
    let all = |terms: &[TermId]| terms.iter().map(|term| replacing.done[term]).collect();
    for clause in &horn.clauses {
        let head = match &clause.head {
            Head::False => Head::False,
            Head::Atom(pred, args) => Head::Atom(*pred, all(args)),
        };
        let body = replacing.done[&clause.body];
        let vars = all(&clause.vars);
        result.clauses.push(Clause { vars, body, head, ..clause.clone() });
    }
    (result.allows_more, result.every_sort) = (horn.allows_more, horn.every_sort);
    result.terms = replacing.store;
    Ok(Cow::Owned(result))
}

/// Declared sorts with what is put for them, if there is one sort for each, made of sorts that stay and of declared ones
/// before it.
fn checked_sorts(
    store: &mut Store,
    sorts: &[(SortId, SortId)],
) -> Result<BTreeMap<SortId, SortId>, String> {
    let all: BTreeMap<SortId, SortId> = sorts.iter().copied().collect();
    let (mut known, mut sizes) = (BTreeMap::new(), BTreeMap::new());
    for &(from, to) in sorts {
        if [from, to].iter().any(|sort| sort.index() >= store.sort_count()) {
            return Err("the system has no such sort".to_owned());
        }
        let name = store.show_sort(from);
        if !matches!(store.sort_of(from), Sort::Uninterpreted(..)) {
            return Err(format!("{name} is not a declared sort"));
        }
        let size = array_size(store, to, &sizes);
        if size > MAX_NODES {
            return Err(format!("what is put for {name} is too large a sort"));
        }
        let seen = with_known(store, to, &known);
        if mentions(store, seen, &all) {
            return Err(format!("what is put for {name} is made of sorts that are replaced"));
        }
        sizes.insert(from, size);
        if known.insert(from, seen).is_some() {
            return Err(format!("{name} is given two sorts"));
        }
    }
    Ok(known)
}

/// Of how many sorts a sort is made by arrays, written out, where some are known.
fn array_size(store: &Store, sort: SortId, known: &BTreeMap<SortId, u64>) -> u64 {
    match (known.get(&sort), store.sort_of(sort)) {
        (Some(&size), _) => size,
        (None, &Sort::Array(index, element)) => {
            let parts = [index, element].map(|part| array_size(store, part, known));
            parts.into_iter().fold(1, u64::saturating_add)
        }
        _ => 1,
    }
}

/// A sort with others in arrays and by itself; a sort that its parts are in otherwise is left as it is.
fn with_known(store: &mut Store, sort: SortId, known: &BTreeMap<SortId, SortId>) -> SortId {
    match (known.get(&sort), store.sort_of(sort)) {
        (Some(&other), _) => other,
        (None, &Sort::Array(index, element)) => {
            let (index, element) =
                (with_known(store, index, known), with_known(store, element, known));
            store.array_sort(index, element)
        }
        _ => sort,
    }
}

/// Whether values of a sort have parts of one that is replaced.
fn mentions(store: &Store, sort: SortId, replaced: &BTreeMap<SortId, SortId>) -> bool {
    let (mut seen, mut stack) = (BTreeSet::from([sort]), vec![sort]);
    while let Some(sort) = stack.pop() {
        if replaced.contains_key(&sort) {
            return true;
        }
        let parts: Vec<SortId> = match store.sort_of(sort) {
            Sort::Array(index, element) => vec![*index, *element],
            Sort::Uninterpreted(_, args) => args.clone(),
            Sort::Data(data) => {
                let ctors = store.data(*data).ctors.iter();
                ctors.flat_map(|&ctor| store.ctor(ctor).fields.iter().map(|f| f.1)).collect()
            }
            Sort::Bool | Sort::Int | Sort::Real | Sort::BitVec(_) => Vec::new(),
        };
        stack.extend(parts.into_iter().filter(|&part| seen.insert(part)));
    }
    false
}

/// Terms with other sorts.
struct Replacing {
    store: Store,
    sorts: BTreeMap<SortId, SortId>,
    /// Sorts that stay as they are.
    kept: BTreeSet<SortId>,
    /// The variables of the system, and those that take their places.
    vars: BTreeSet<TermId>,
    preds: BTreeMap<FuncId, FuncId>,
    done: BTreeMap<TermId, TermId>,
}

impl Replacing {
    fn sort(&mut self, sort: SortId) -> Result<SortId, String> {
        if self.kept.contains(&sort) {
            return Ok(sort);
        }
        let seen = with_known(&mut self.store, sort, &self.sorts);
        if mentions(&self.store, seen, &self.sorts) {
            let name = self.store.show_sort(sort);
            return Err(format!("{name} is made of a sort that is replaced"));
        }
        if seen == sort {
            self.kept.insert(sort);
        }
        Ok(seen)
    }

    /// A term whose arguments are done.
    fn term(&mut self, term: TermId) -> Result<TermId, String> {
        let args: Vec<TermId> = self.store.args(term).iter().map(|arg| self.done[arg]).collect();
        let (old, op) = (self.store.sort(term), self.store.op(term));
        let sort = self.sort(old)?;
        Ok(match op {
            Op::Var(_) if sort == old => term,
            Op::Var(_) => self.var(term, sort),
            Op::ConstArray => self.store.const_array(sort, args[0]),
            Op::Apply(func) => match self.preds.get(&func) {
                Some(&pred) => self.store.mk(Op::Apply(pred), &args),
                None => self.fitting(op, &args)?,
            },
            _ if args == self.store.args(term) => term,
            _ => self.fitting(op, &args)?,
        })
    }

    fn fitting(&mut self, op: Op, args: &[TermId]) -> Result<TermId, String> {
        let made = self.store.app(op, args);
        made.map_err(|error| format!("a term keeps its sorts: {}", error.describe(&self.store)))
    }

    /// A variable of another sort by the name of one, or by a longer one if the system has a variable that is so.
    fn var(&mut self, var: TermId, sort: SortId) -> TermId {
        let mut name = self.store.var_name(var).unwrap_or("x").to_owned();
        loop {
            let other = self.store.var(&name, sort);
            if self.vars.insert(other) {
                return other;
            }
            name.push('_');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::with_sorts;
    use crate::Span;
    use crate::horn::{Clause, ClauseId, Head, Horn};
    use alphorn_term::{Op, Sort, SortId};

    /// `P(h) ∧ h ≠ k → false` over a declared sort, with a variable of the name that `k` gets.
    fn system() -> (Horn, SortId) {
        let mut horn = Horn::default();
        horn.every_sort = true;
        let name = horn.terms.symbol("H");
        let sort = horn.terms.sort_id(Sort::Uninterpreted(name, Vec::new()));
        let pred = horn.declare_pred("P", &[sort, SortId::INT]);
        let (h, k) = (horn.terms.var("h", sort), horn.terms.var("k", sort));
        let number = horn.terms.var("k", SortId::INT);
        let atom = horn.terms.mk(Op::Apply(horn.pred(pred).func), &[h, number]);
        let same = horn.terms.eq(h, k);
        let differ = horn.terms.not(same);
        let body = horn.terms.and(&[atom, differ]);
        let (vars, head) = (vec![h, k, number], Head::False);
        horn.clauses.push(Clause { vars, body, head, name: None, span: Span::NONE });
        (horn, sort)
    }

    #[test]
    fn elements_become_values_and_variables_stay_apart() {
        let (horn, sort) = system();
        let seen = with_sorts(&horn, &[(sort, SortId::INT)]).expect("it fits");
        assert!(seen.terms.extends(&horn.terms) && seen.validate().is_ok());
        let clause = seen.clause(ClauseId(0));
        let mut vars = clause.vars.clone();
        assert!(vars.iter().all(|&var| seen.terms.sort(var) == SortId::INT));
        vars.dedup();
        assert_eq!(vars.len(), 3);
        let again = with_sorts(&horn, &[(sort, SortId::INT)]).expect("it fits");
        assert_eq!(again.clauses, seen.clauses);
    }

    #[test]
    fn only_declared_sorts_are_replaced_once_and_where_every_one_is_meant() {
        let (mut horn, sort) = system();
        let int = SortId::INT;
        let own = horn.terms.array_sort(int, sort);
        let mut larger = horn.terms.clone();
        let none = larger.array_sort(own, own);
        for sorts in
            [vec![(int, SortId::BOOL)], vec![(sort, int), (sort, SortId::BOOL)], vec![(sort, own)]]
        {
            assert!(with_sorts(&horn, &sorts).is_err(), "{sorts:?}");
        }
        assert!(with_sorts(&horn, &[(sort, none)]).is_err());
        horn.every_sort = false;
        assert!(with_sorts(&horn, &[(sort, int)]).is_err());
        assert!(with_sorts(&horn, &[]).is_ok());
    }
}
