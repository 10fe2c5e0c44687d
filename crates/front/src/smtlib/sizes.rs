//! Eldarica's `_size`: how many constructors a value of a datatype is made of.
//!
//! Constructors of the datatypes that were declared together count, others do not: a list of trees has the
//! size of its own cells if trees were declared before. The function is defined by recursion, which
//! clauses do not have; but they have predicates, and this one has a predicate for its graph,
//!
//! ```text
//! List_size(nil, 1)      List_size(t, n) → List_size(cons(x, t), n + 1)
//! ```
//!
//! A clause that mentions `(_size x)` gets a variable `n` in its place and `List_size(x, n)` in its body.
//! That is exact. The least predicate that the new clauses allow is the graph of the function, so a model
//! of the file has one with the graph; and every predicate that they allow contains the graph, so for the
//! one `n` that is the size the clause says what it said.
//!
//! While terms are read the function is a placeholder in the store. Below a quantifier that stays within a
//! constraint its argument has no value in the clause, and it is refused.
//!
//! After the measure `size` of datatypes in Princess, Eldarica's solver.

use super::Fallible;
use super::clause::Extracted;
use super::context::Context;
use super::cursor::shorten;
use super::operators::Place;
use super::scope::Meaning;
use crate::diag::{Code, Diagnostic};
use alphorn_problem::Span;
use alphorn_term::{DataId, FuncId, Op, SortId, Store, Substitution, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The sizes that a script mentions.
#[derive(Clone, Debug, Default)]
pub(super) struct Sizes {
    /// Whether the reader makes clauses, so that it can make some for sizes.
    pub(super) is_treated: bool,
    /// The placeholders, by datatype.
    placeholders: FxHashMap<DataId, FuncId>,
    /// The predicates of the graphs, by placeholder.
    graphs: FxHashMap<FuncId, FuncId>,
    /// Datatypes whose graphs have no clauses yet.
    pending: Vec<(DataId, Span)>,
}

impl Sizes {
    /// Whether there is a size in the script.
    pub(super) fn are_used(&self) -> bool {
        !self.graphs.is_empty()
    }
}

impl Context {
    /// `_size`, applied.
    pub(super) fn apply_size(&mut self, args: &[TermId], place: &Place<'_>) -> Fallible<TermId> {
        let data = match args {
            [arg] => self.data_of(self.store.sort(*arg)),
            _ => None,
        };
        let Some(data) = data.filter(|data| self.datatypes.owner.contains_key(data)) else {
            let message = "`_size` takes one argument, a value of a declared datatype";
            return Err(Box::new(Diagnostic::error(Code::SmtSort, place.whole, message)));
        };
        let func = self.size_of(data, place.whole);
        Ok(self.store.mk(Op::Apply(func), args))
    }

    /// The placeholder for the size of a datatype's values.
    fn size_of(&mut self, data: DataId, span: Span) -> FuncId {
        if let Some(&func) = self.sizes.placeholders.get(&data) {
            return func;
        }
        let (sort, name) = (self.store.data(data).sort, self.store.data(data).name);
        let mut text = format!("{}_size", self.store.name(name));
        while self.scope.find(text.as_bytes()).is_some_and(|name| !self.scope.is_free(name)) {
            text.push('\'');
        }
        let func = self.store.declare("_size", &[sort], SortId::INT);
        let graph = self.store.declare(&text, &[sort, SortId::INT], SortId::BOOL);
        let name = self.scope.name(text.as_bytes());
        self.scope.declare(name, Meaning::Func(graph));
        self.sizes.placeholders.insert(data, func);
        self.sizes.graphs.insert(func, graph);
        self.sizes.pending.push((data, span));
        func
    }

    /// Predicates that have come up since the last call, and their clauses.
    pub(super) fn new_sizes(&mut self) -> Vec<(FuncId, Span, Vec<Extracted>)> {
        let mut made = Vec::new();
        while let Some((data, span)) = self.sizes.pending.pop() {
            let graph = self.sizes.graphs[&self.sizes.placeholders[&data]];
            let ctors = self.store.data(data).ctors.clone();
            let clauses = ctors.into_iter().map(|ctor| {
                let fields: Vec<SortId> =
                    self.store.ctor(ctor).fields.iter().map(|field| field.1).collect();
                let (mut vars, mut body) = (Vec::new(), Vec::new());
                let mut sum = vec![self.store.int(1)];
                let mut args = Vec::new();
                for sort in fields {
                    let field = self.store.fresh_var("x", sort);
                    vars.push(field);
                    args.push(field);
                    if let Some(part) =
                        self.data_of(sort).filter(|&part| self.are_one_group(data, part))
                    {
                        let func = self.size_of(part, span);
                        let size = self.store.fresh_var("n", SortId::INT);
                        vars.push(size);
                        sum.push(size);
                        let graph = self.sizes.graphs[&func];
                        body.push(self.store.mk(Op::Apply(graph), &[field, size]));
                    }
                }
                let value = self.store.mk(Op::Construct(ctor), &args);
                let size = self.store.add(&sum);
                let head = self.store.mk(Op::Apply(graph), &[value, size]);
                Extracted { vars, body: self.store.and(&body), head }
            });
            let clauses = clauses.collect();
            made.push((graph, span, clauses));
        }
        made
    }

    /// Whether two datatypes were declared together.
    fn are_one_group(&self, left: DataId, right: DataId) -> bool {
        let group = |data: DataId| {
            let owner = self.datatypes.owner.get(&data);
            owner.map(|&position| self.datatypes.list[position].group)
        };
        group(left).is_some() && group(left) == group(right)
    }

    /// Puts a variable in the place of each size in a clause, and its graph into the body.
    pub(super) fn expand_sizes(&mut self, clause: &mut Extracted, span: Span) -> Fallible<()> {
        let (graphs, store) = (&self.sizes.graphs, &mut self.store);
        let free: FxHashSet<TermId> = clause.vars.iter().copied().collect();
        let (mut done, mut conjuncts) = (Substitution::default(), Vec::new());
        // A round takes the innermost sizes, so there are as many as sizes are nested.
        loop {
            let mut round = Substitution::default();
            for (term, graph) in innermost(store, graphs, &[clause.body, clause.head]) {
                let arg = store.args(term)[0];
                let is_bound = |var: &TermId| !free.contains(var) && !clause.vars.contains(var);
                if done.contains_key(&term) || store.free_vars(&[arg]).iter().any(is_bound) {
                    let shown = shorten(&store.show(term));
                    let message =
                        format!("{shown} below a quantifier within a constraint is not treated");
                    return Err(Box::new(Diagnostic::unsupported(Code::SmtNotHorn, span, message)));
                }
                let size = store.fresh_var("n", SortId::INT);
                clause.vars.push(size);
                round.insert(term, size);
                conjuncts.push(store.mk(Op::Apply(graph), &[arg, size]));
            }
            if round.is_empty() {
                break;
            }
            let replaced = store.substitute_all(&[clause.body, clause.head], &round);
            (clause.body, clause.head) = (replaced[0], replaced[1]);
            done.extend(round);
        }
        if conjuncts.is_empty() {
            return Ok(());
        }
        match store.op(clause.body) {
            Op::And => conjuncts.extend_from_slice(store.args(clause.body)),
            _ => conjuncts.push(clause.body),
        }
        clause.body = store.and(&conjuncts);
        Ok(())
    }
}

/// The sizes that have no sizes in their arguments, with the predicates of their graphs.
fn innermost(
    store: &Store,
    graphs: &FxHashMap<FuncId, FuncId>,
    roots: &[TermId],
) -> Vec<(TermId, FuncId)> {
    let (mut found, mut outer) = (Vec::new(), FxHashSet::default());
    for term in store.subterms(roots) {
        let graph = match store.op(term) {
            Op::Apply(func) => graphs.get(&func).copied(),
            _ => None,
        };
        let is_outer = store.args(term).iter().any(|arg| outer.contains(arg));
        if let Some(graph) = graph
            && !is_outer
        {
            found.push((term, graph));
        }
        if is_outer || graph.is_some() {
            outer.insert(term);
        }
    }
    found
}
