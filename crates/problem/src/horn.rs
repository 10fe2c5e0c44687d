//! Constrained Horn clauses.
//!
//! A clause says: for all values of its variables, if its body holds then so does its head. The
//! body is *generalized* (large-block): one formula in which predicate atoms may stand under
//! conjunctions and disjunctions, but only positively. A head is a predicate applied to terms, or
//! false (a query). The system is *safe* when the predicates have an interpretation that
//! satisfies every clause, and *unsafe* when false can be derived.
//!
//! Predicates are declared functions with value Bool; atoms are ordinary applications, so
//! substitution and evaluation need to know nothing about Horn clauses. Declared functions that
//! are not predicates are background symbols: safe means that *some* interpretation of them, too,
//! satisfies all clauses. So it is with declared sorts, unless it is to be *every* one (`every_sort`).
//!
//! Invariant (`Horn::validate`): bodies are Boolean and mention predicates only positively and
//! outside quantifiers; heads fit their declarations and mention no predicate in arguments;
//! everything free in a clause is among its variables. A body that stands for one with quantified
//! predicates has instances of it (`quantified`).

mod validate;

use crate::Span;
use crate::quantified::Quantified;
use alphorn_term::{FuncId, Op, SortId, Store, TermId};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// A predicate of a Horn system, by its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PredId(pub u32);

impl PredId {
    /// The position.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A clause of a Horn system, by its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClauseId(pub u32);

impl ClauseId {
    /// The position.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A predicate: the declared function that stands for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pred {
    /// The function; its value is Bool.
    pub func: FuncId,
    /// Where it was declared.
    pub span: Span,
}

/// What a clause concludes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Head {
    /// A predicate on arguments, which may be any terms without predicates.
    Atom(PredId, Vec<TermId>),
    /// A contradiction: the clause is a query.
    False,
}

/// A Horn clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// The universally quantified variables.
    pub vars: Vec<TermId>,
    /// The body: a formula with predicate atoms in positive positions.
    pub body: TermId,
    /// What follows from the body.
    pub head: Head,
    /// The name given in the file.
    pub name: Option<String>,
    /// Where it stands in the file.
    pub span: Span,
}

/// A system of Horn clauses.
#[derive(Clone, Debug, Default)]
pub struct Horn {
    /// The terms of the clauses.
    pub terms: Store,
    /// The predicates, in the order of declaration.
    pub preds: Vec<Pred>,
    /// The clauses, in the order of the file.
    pub clauses: Vec<Clause>,
    /// Whether the clauses allow more than what they stand for: then a model is a proof, and a derivation
    /// of false is no violation.
    pub allows_more: bool,
    /// Whether the system is to be safe for every interpretation of its declared sorts, not for some: then what falsifies
    /// it may say what they are.
    pub every_sort: bool,
    /// Bodies as read where clauses have instances of what was read.
    pub quantified: BTreeMap<ClauseId, Quantified>,
    pred_of: BTreeMap<FuncId, PredId>,
}

impl Horn {
    /// A system without predicates and clauses over `terms`.
    pub fn new(terms: Store) -> Horn {
        Horn { terms, ..Horn::default() }
    }

    /// Makes a declared function a predicate.
    pub fn add_pred(&mut self, func: FuncId, span: Span) -> PredId {
        let id = PredId(u32::try_from(self.preds.len()).expect("fewer than 2^32 predicates"));
        self.preds.push(Pred { func, span });
        self.pred_of.insert(func, id);
        id
    }

    /// Declares a new predicate.
    pub fn declare_pred(&mut self, name: &str, args: &[SortId]) -> PredId {
        let func = self.terms.declare(name, args, SortId::BOOL);
        self.add_pred(func, Span::NONE)
    }

    /// The predicate a function stands for.
    pub fn pred_of(&self, func: FuncId) -> Option<PredId> {
        self.pred_of.get(&func).copied()
    }

    /// A predicate.
    pub fn pred(&self, pred: PredId) -> &Pred {
        &self.preds[pred.index()]
    }

    /// All predicates.
    pub fn pred_ids(&self) -> impl Iterator<Item = PredId> + use<> {
        (0..self.preds.len() as u32).map(PredId)
    }

    /// All clauses with their ids.
    pub fn clauses(&self) -> impl Iterator<Item = (ClauseId, &Clause)> {
        self.clauses.iter().enumerate().map(|(index, clause)| (ClauseId(index as u32), clause))
    }

    /// The clause of an id; ids are positions, and stay valid.
    pub fn clause(&self, clause: ClauseId) -> &Clause {
        &self.clauses[clause.index()]
    }

    /// The declared functions that a clause mentions and that are no predicates.
    pub fn functions(&self, clause: &Clause) -> BTreeSet<FuncId> {
        let mut roots = vec![clause.body];
        if let Head::Atom(_, args) = &clause.head {
            roots.extend(args);
        }
        let function = |term: TermId| match self.terms.op(term) {
            Op::Apply(func) if self.pred_of(func).is_none() => Some(func),
            _ => None,
        };
        self.terms.subterms(&roots).into_iter().filter_map(function).collect()
    }

    /// The body of a clause as read, which may quantify over predicates.
    pub fn body_as_read(&self, clause: ClauseId) -> TermId {
        self.quantified.get(&clause).map_or(self.clause(clause).body, |quantified| quantified.body)
    }

    /// The clauses as read, for those who print them: bodies may quantify over predicates.
    pub fn as_read(&self) -> Cow<'_, Horn> {
        if self.quantified.is_empty() {
            return Cow::Borrowed(self);
        }
        let mut read = self.clone();
        for (id, quantified) in std::mem::take(&mut read.quantified) {
            read.clauses[id.index()].body = quantified.body;
        }
        Cow::Owned(read)
    }

    /// A predicate's name.
    pub fn pred_name(&self, pred: PredId) -> &str {
        self.terms.name(self.terms.func(self.pred(pred).func).name)
    }

    /// The sorts of a predicate's arguments.
    pub fn pred_args(&self, pred: PredId) -> &[SortId] {
        &self.terms.func(self.pred(pred).func).args
    }

    /// The names that the clauses have for a predicate's arguments, no name twice; none for an
    /// argument that is no variable anywhere. Bodies count before heads, which tend to have the
    /// names of a state's successor.
    pub fn argument_names(&self, pred: PredId) -> Vec<Option<&str>> {
        self.named_arguments(|other| other == pred).swap_remove(pred.index())
    }

    /// The same for all predicates, by position, with one look at the clauses.
    pub fn all_argument_names(&self) -> Vec<Vec<Option<&str>>> {
        self.named_arguments(|_| true)
    }

    fn named_arguments(&self, is_wanted: impl Fn(PredId) -> bool) -> Vec<Vec<Option<&str>>> {
        let mut all: Vec<Vec<Option<&str>>> =
            self.pred_ids().map(|pred| vec![None; self.pred_args(pred).len()]).collect();
        let mut used: BTreeSet<(PredId, &str)> = BTreeSet::new();
        let mut take = |pred: PredId, args: &[TermId]| {
            if !is_wanted(pred) {
                return;
            }
            for (name, &arg) in all[pred.index()].iter_mut().zip(args) {
                if let (None, Some(found)) = (&name, self.terms.var_name(arg))
                    && used.insert((pred, found))
                {
                    *name = Some(found);
                }
            }
        };
        for clause in &self.clauses {
            for atom in self.atoms(clause.body) {
                if let Some(pred) = self.atom(atom) {
                    take(pred, self.terms.args(atom));
                }
            }
        }
        for clause in &self.clauses {
            if let Head::Atom(pred, args) = &clause.head {
                take(*pred, args);
            }
        }
        all
    }

    /// The predicate of an atom, if the term is one.
    pub fn atom(&self, term: TermId) -> Option<PredId> {
        match self.terms.op(term) {
            Op::Apply(func) => self.pred_of(func),
            _ => None,
        }
    }

    /// The predicate atoms in a term, in the order of occurrence.
    pub fn atoms(&self, term: TermId) -> Vec<TermId> {
        if !self.terms.has_apply(term) {
            return Vec::new();
        }
        let all = self.terms.subterms(&[term]);
        all.into_iter().filter(|&t| self.atom(t).is_some()).collect()
    }

    /// The atom of a head; false for a query.
    pub fn head_term(&mut self, clause: ClauseId) -> TermId {
        match &self.clauses[clause.index()].head {
            Head::False => TermId::FALSE,
            Head::Atom(pred, args) => {
                let func = self.preds[pred.index()].func;
                self.terms.mk(Op::Apply(func), args)
            }
        }
    }

    /// The body of a clause as a conjunction: its atoms and the rest, where the atoms are
    /// conjuncts; `None` if the body has atoms under a disjunction.
    pub fn conjunctive(&self, clause: ClauseId) -> Option<(Vec<TermId>, Vec<TermId>)> {
        let (mut atoms, mut rest) = (Vec::new(), Vec::new());
        let mut stack = vec![self.clause(clause).body];
        while let Some(term) = stack.pop() {
            if self.atom(term).is_some() {
                atoms.push(term);
            } else if self.terms.op(term) == Op::And {
                stack.extend(self.terms.args(term).iter().rev());
            } else if !self.atoms(term).is_empty() {
                return None;
            } else {
                rest.push(term);
            }
        }
        Some((atoms, rest))
    }

    /// Whether no body can need more than one predicate atom at once.
    pub fn is_linear(&self) -> bool {
        self.clauses.iter().all(|clause| self.most_atoms(clause.body) <= 1)
    }

    /// The most predicate atoms a body can need at once.
    pub fn most_atoms(&self, body: TermId) -> u64 {
        let mut most: BTreeMap<TermId, u64> = BTreeMap::new();
        for term in self.terms.subterms(&[body]) {
            let args = self.terms.args(term).iter().map(|arg| most[arg]);
            let count = match self.terms.op(term) {
                _ if self.atom(term).is_some() => 1,
                Op::Or => args.max().unwrap_or(0),
                _ => args.fold(0u64, u64::saturating_add),
            };
            most.insert(term, count);
        }
        most[&body]
    }
}
