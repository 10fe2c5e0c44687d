//! What a text may mention: a store with the symbols declared for it.
//!
//! A context is all that is needed to read terms and sorts, and what commands add to. The script
//! reader drives one from top to bottom; readers of other texts (evidence, obligations) make one
//! over the store of their problem and parse terms in it:
//!
//! ```
//! use alphorn_front::smtlib::Context;
//! use alphorn_term::{SortId, Store};
//!
//! let mut store = Store::new();
//! let x = store.var("x", SortId::INT);
//! let mut context = Context::over(store);
//! context.bind("x", x);
//! let term = context.parse_term_text(b"(+ x (- 1) 1)").expect("the text is a term");
//! assert_eq!(term, x);
//! ```

mod complaints;

use super::Fallible;
use super::cursor::Cursor;
use super::datatypes::Datatypes;
use super::heaps::Heap;
use super::lex::Kind;
use super::operators::declare_operators;
use super::scope::{Mark, Meaning, NameId, Scope};
use super::sizes::Sizes;
use super::sorts::{SortMeaning, SortNames};
use super::term::Buffers;
use crate::diag::{Diagnostics, MAX_DIAGNOSTICS};
use alphorn_problem::Span;
use alphorn_term::{FuncId, Op, Sort, SortId, Store, TermId};
use std::collections::BTreeSet;

/// How many warnings are shown.
const MAX_WARNINGS: usize = MAX_DIAGNOSTICS / 2;

/// A definition with parameters.
#[derive(Clone, Debug)]
pub(super) struct Macro {
    pub(super) params: Vec<TermId>,
    pub(super) body: TermId,
}

/// A name given to a term by `:named`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Named {
    pub(super) name: NameId,
    pub(super) term: TermId,
    /// Whether the term is all that was read.
    pub(super) is_whole: bool,
}

/// What was declared at some point, to go back to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Declared {
    scope: Mark,
    sorts: usize,
    datatypes: usize,
}

/// A store and the symbols a text over it may mention.
#[derive(Clone, Debug)]
pub struct Context {
    pub(super) store: Store,
    pub(super) scope: Scope,
    pub(super) sorts: SortNames,
    pub(super) datatypes: Datatypes,
    pub(super) macros: Vec<Macro>,
    /// The heap of `declare-heap`.
    pub(super) heap: Option<Heap>,
    /// What `_size` stands for.
    pub(super) sizes: Sizes,
    /// What was noticed and does not stop the reader.
    pub diagnostics: Diagnostics,
    /// Annotations that have been warned about.
    pub(super) warned: BTreeSet<String>,
    /// Applications of functions with value Bool in the last term, and where they stand.
    pub(super) atoms: Vec<(TermId, Span)>,
    /// The names given to closed parts of the last term.
    pub(super) named: Vec<Named>,
    /// Whether bound variables of a definition may have met variables of the same name.
    pub(super) has_mixed_names: bool,
    pub(super) buffers: Buffers,
    /// How much effort the store may have taken in the end.
    most_effort: u64,
}

impl Context {
    /// A context with the theories' symbols only.
    pub fn new(store: Store) -> Context {
        let mut scope = Scope::default();
        declare_operators(&mut scope);
        let mut context = Context {
            store,
            scope,
            sorts: SortNames::default(),
            datatypes: Datatypes::default(),
            macros: Vec::new(),
            heap: None,
            sizes: Sizes::default(),
            diagnostics: Diagnostics::default(),
            warned: BTreeSet::new(),
            atoms: Vec::new(),
            named: Vec::new(),
            has_mixed_names: false,
            buffers: Buffers::default(),
            most_effort: u64::MAX,
        };
        for (text, sort) in [("Bool", SortId::BOOL), ("Int", SortId::INT), ("Real", SortId::REAL)] {
            let name = context.scope.name(text.as_bytes());
            context.sorts.declare(name, SortMeaning::Sort(sort));
        }
        let array = context.scope.name(b"Array");
        context.sorts.declare(array, SortMeaning::Array);
        context
    }

    /// A context in which all functions, datatypes and sorts of `store` are declared. Of several
    /// functions with one name the last is meant.
    pub fn over(store: Store) -> Context {
        let mut context = Context::new(store);
        context.adopt_datatypes();
        let funcs: Vec<FuncId> = context.store.funcs().collect();
        for func in funcs {
            context.declare_func(func);
        }
        context
    }

    /// Makes a function of the store known by its name.
    pub fn declare_func(&mut self, func: FuncId) {
        let decl = self.store.func(func).clone();
        let name = self.scope.name(self.store.name(decl.name).as_bytes());
        self.scope.declare(name, Meaning::Func(func));
        for &sort in decl.args.iter().chain([&decl.result]) {
            self.adopt_sort(sort);
        }
    }

    /// Makes the declared sorts within a sort known.
    pub(crate) fn adopt_sort(&mut self, sort: SortId) {
        match self.store.sort_of(sort).clone() {
            Sort::Array(index, element) => {
                self.adopt_sort(index);
                self.adopt_sort(element);
            }
            Sort::Uninterpreted(symbol, args) => {
                let name = self.scope.name(self.store.name(symbol).as_bytes());
                if self.sorts.meaning(name).is_none() {
                    self.sorts.declare(name, SortMeaning::Declared(args.len()));
                }
                args.into_iter().for_each(|arg| self.adopt_sort(arg));
            }
            _ => {}
        }
    }

    /// Lets a name stand for a term: a free variable, or an abbreviation.
    pub fn bind(&mut self, name: &str, term: TermId) {
        let sort = self.store.sort(term);
        self.adopt_sort(sort);
        let name = self.scope.name(name.as_bytes());
        self.scope.declare(name, Meaning::Value(term));
        if self.scope.keeps_names && matches!(self.store.op(term), Op::Var(_)) {
            self.scope.spell(name, sort, term);
        }
    }

    /// From here on quantified variables keep their names, also where they are in use: the terms
    /// of the text are to be the same as others that have these names. A name that stands for a
    /// variable binds that variable.
    pub fn keep_names(&mut self) {
        self.scope.keeps_names = true;
    }

    /// From here on the terms of a text of `length` bytes are read, which nobody vouches for: they
    /// may take only so much memory.
    pub fn limit_effort(&mut self, length: usize) {
        const FLOOR: u64 = 1 << 18;
        const PER_BYTE: u64 = 16;
        let most = FLOOR.saturating_add((length as u64).saturating_mul(PER_BYTE));
        self.most_effort = self.store.effort().saturating_add(most);
    }

    /// Whether making terms has taken more than the text's length allows.
    pub(super) fn is_exhausted(&self) -> bool {
        self.store.effort() > self.most_effort
    }

    /// Takes `ticks` of what terms may take.
    pub(crate) fn spend(&mut self, ticks: u64) {
        self.most_effort = self.most_effort.saturating_sub(ticks);
    }

    /// The variable that a binder of this name and sort would bind, kept by its name.
    pub fn variable(&mut self, name: &str, sort: SortId) -> TermId {
        let id = self.scope.name(name.as_bytes());
        self.scope.spelled(id, sort).unwrap_or_else(|| self.store.var(name, sort))
    }

    /// Whether a name means something here.
    pub fn is_declared(&self, name: &str) -> bool {
        let name = self.scope.find(name.as_bytes());
        name.is_some_and(|name| self.scope.meaning(name) != Meaning::Undeclared)
    }

    /// Runs `read` and then takes back the names it bound; terms it made stay.
    pub fn scoped<T>(&mut self, read: impl FnOnce(&mut Context) -> Fallible<T>) -> Fallible<T> {
        let mark = self.scope.global_mark();
        let result = read(self);
        self.scope.undo_globals(mark);
        result
    }

    /// The declarations in force.
    pub(crate) fn declared(&self) -> Declared {
        Declared {
            scope: self.scope.global_mark(),
            sorts: self.sorts.mark(),
            datatypes: self.datatypes.list.len(),
        }
    }

    /// Takes back the declarations since `before`.
    pub(crate) fn undeclare(&mut self, before: Declared) {
        self.scope.undo_globals(before.scope);
        self.sorts.undo(before.sorts);
        self.datatypes.truncate(before.datatypes);
    }

    /// Declares a sort with this many arguments.
    pub fn declare_sort(&mut self, name: &str, arity: usize) {
        let name = self.scope.name(name.as_bytes());
        self.sorts.declare(name, SortMeaning::Declared(arity));
    }

    /// The terms.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// The terms, to add to.
    pub fn store_mut(&mut self) -> &mut Store {
        &mut self.store
    }

    /// The terms, for keeps.
    pub fn into_store(self) -> Store {
        self.store
    }

    /// Reads a text that is one term.
    pub fn parse_term_text(&mut self, text: &[u8]) -> Fallible<TermId> {
        let mut cursor = Cursor::new(text);
        let term = self.parse_term(&mut cursor)?;
        match cursor.peek().kind {
            Kind::End => Ok(term),
            _ => Err(cursor.unexpected("the end")),
        }
    }
}
