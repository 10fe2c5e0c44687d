//! What names mean at a place in the text.
//!
//! Names are numbered once, and the meaning of a name is one load from a table: binding writes
//! the table and a log, leaving a scope replays the log backwards. Global declarations have a log
//! of their own, which `pop` replays.
//!
//! Variables are terms with a name, so a term that leaves its scope (through `let`, a macro or a
//! clause) must not meet another variable of the same name. The scope keeps the invariant that no
//! two variables in force have one printed name, and that none is named like a declared symbol:
//! a binder that would break it gets a new name.

use alphorn_term::{FuncId, SortId, Store, TermId};
use rustc_hash::FxHashMap;

/// A name that occurred in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct NameId(u32);

/// What a name stands for in terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// Nothing.
    Undeclared,
    /// A term: bound by `let`, a quantifier, `:named` or a definition without parameters.
    Value(TermId),
    /// A declared function.
    Func(FuncId),
    /// A definition with parameters, by its position.
    Macro(u32),
    /// An operator of a theory, by its position in the table.
    Operator(u16),
    /// Constructors and selectors; `Datatypes` has the candidates.
    Data,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    meaning: Meaning,
    /// Whether a declaration of the script or a theory gave the name a meaning.
    global: bool,
    /// Whether the script may give the name another meaning.
    weak: bool,
    /// How many variables in force print as this name.
    active: u32,
    /// The variable made last with this name.
    var: Option<(SortId, TermId)>,
}

const UNKNOWN: Entry =
    Entry { meaning: Meaning::Undeclared, global: false, weak: false, active: 0, var: None };

/// A place in the logs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark(usize);

/// The table of names.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    ids: FxHashMap<Box<[u8]>, NameId>,
    texts: Vec<Box<str>>,
    entries: Vec<Entry>,
    locals: Vec<(NameId, Meaning, Option<NameId>)>,
    globals: Vec<(NameId, Meaning, bool)>,
    /// How many variables are in force.
    pub(super) open_vars: usize,
    /// Whether a global name was declared after a variable had been given that name.
    pub(super) has_late_names: bool,
    /// Whether binders keep the names they have in the text.
    pub(super) keeps_names: bool,
    /// Variables bound by a name that was in use, and where in the log.
    rebound: Vec<(usize, TermId)>,
}

impl Scope {
    /// The number of a name; `bytes` is UTF-8, as the lexer made sure.
    #[inline]
    pub(super) fn name(&mut self, bytes: &[u8]) -> NameId {
        if let Some(&id) = self.ids.get(bytes) {
            return id;
        }
        let id = NameId(self.texts.len() as u32);
        self.texts.push(String::from_utf8_lossy(bytes).into());
        self.ids.insert(bytes.into(), id);
        self.entries.push(UNKNOWN);
        id
    }

    /// The number of a name that occurred.
    pub(super) fn find(&self, bytes: &[u8]) -> Option<NameId> {
        self.ids.get(bytes).copied()
    }

    /// The name itself.
    pub(super) fn text(&self, name: NameId) -> &str {
        &self.texts[name.0 as usize]
    }

    /// What a name means here.
    #[inline]
    pub(super) fn meaning(&self, name: NameId) -> Meaning {
        self.entries[name.0 as usize].meaning
    }

    /// Whether a declaration may give this name a meaning.
    pub(super) fn is_free(&self, name: NameId) -> bool {
        let entry = &self.entries[name.0 as usize];
        entry.meaning == Meaning::Undeclared || entry.weak
    }

    /// The names that mean something, for suggestions.
    pub(super) fn declared(&self) -> impl Iterator<Item = &str> {
        let known = self.entries.iter().map(|entry| entry.meaning != Meaning::Undeclared);
        self.texts.iter().zip(known).filter(|(_, known)| *known).map(|(text, _)| &**text)
    }

    /// Gives a name a meaning for the rest of the level.
    pub(super) fn declare(&mut self, name: NameId, meaning: Meaning) {
        let entry = &mut self.entries[name.0 as usize];
        self.globals.push((name, entry.meaning, entry.global));
        self.has_late_names |= entry.var.is_some();
        entry.meaning = meaning;
        entry.global = true;
    }

    /// Gives a name of a theory its meaning.
    pub(super) fn declare_operator(&mut self, text: &str, meaning: Meaning, weak: bool) {
        let name = self.name(text.as_bytes());
        let entry = &mut self.entries[name.0 as usize];
        *entry = Entry { meaning, global: !weak, weak, ..UNKNOWN };
    }

    /// The place in the log of global declarations.
    pub(super) fn global_mark(&self) -> Mark {
        Mark(self.globals.len())
    }

    /// Takes back the global declarations since `mark`.
    pub(super) fn undo_globals(&mut self, mark: Mark) {
        while self.globals.len() > mark.0 {
            let Some((name, meaning, global)) = self.globals.pop() else { return };
            let entry = &mut self.entries[name.0 as usize];
            (entry.meaning, entry.global) = (meaning, global);
        }
    }

    /// The place in the log of bindings.
    pub(super) fn mark(&self) -> Mark {
        Mark(self.locals.len())
    }

    /// Takes back the bindings since `mark`.
    pub(super) fn undo(&mut self, mark: Mark) {
        while self.locals.len() > mark.0 {
            let Some((name, meaning, printed)) = self.locals.pop() else { return };
            self.rebound.pop_if(|(at, _)| *at >= self.locals.len());
            self.entries[name.0 as usize].meaning = meaning;
            if let Some(printed) = printed {
                self.entries[printed.0 as usize].active -= 1;
                self.open_vars -= 1;
            }
        }
    }

    /// Binds a name to a term until the binding is undone.
    pub(super) fn bind(&mut self, name: NameId, term: TermId) {
        let entry = &mut self.entries[name.0 as usize];
        self.locals.push((name, entry.meaning, None));
        entry.meaning = Meaning::Value(term);
    }

    /// Lets binders of `name` with this sort bind `var`.
    pub(super) fn spell(&mut self, name: NameId, sort: SortId, var: TermId) {
        self.entries[name.0 as usize].var = Some((sort, var));
    }

    /// The variable that binders of `name` with this sort have bound.
    pub(super) fn spelled(&self, name: NameId, sort: SortId) -> Option<TermId> {
        let known = self.entries[name.0 as usize].var;
        known.and_then(|(of, var)| (of == sort).then_some(var))
    }

    /// Whether the term that a `let` has bound to `name` mentions a variable that a quantifier
    /// between the `let` and here has bound again under its own name.
    pub(super) fn is_captured(&self, store: &Store, name: NameId, term: TermId) -> bool {
        if self.rebound.is_empty() {
            return false;
        }
        let bound =
            self.locals.iter().rposition(|&(local, _, printed)| local == name && printed.is_none());
        let Some(bound) = bound else { return false };
        let mut later = self.rebound.iter().filter(|(at, _)| *at > bound).peekable();
        if later.peek().is_none() {
            return false;
        }
        let free = store.free_vars(&[term]);
        later.any(|(_, var)| free.contains(var))
    }

    /// Binds a name to a variable of `sort`, under another name if this one is taken.
    pub(super) fn bind_var(&mut self, store: &mut Store, name: NameId, sort: SortId) -> TermId {
        let entry = self.entries[name.0 as usize];
        let taken = entry.global || entry.active > 0;
        let (var, printed) = if taken && !self.keeps_names {
            let var = store.fresh_var(&self.texts[name.0 as usize], sort);
            let text = store.var_name(var).unwrap_or_default().to_owned();
            (var, self.name(text.as_bytes()))
        } else {
            match entry.var {
                Some((known, var)) if known == sort => (var, name),
                _ => (store.var(&self.texts[name.0 as usize], sort), name),
            }
        };
        let shown = &mut self.entries[printed.0 as usize];
        shown.active += 1;
        shown.var = Some((sort, var));
        self.open_vars += 1;
        let entry = &mut self.entries[name.0 as usize];
        if taken && self.keeps_names {
            self.rebound.push((self.locals.len(), var));
        }
        self.locals.push((name, entry.meaning, Some(printed)));
        entry.meaning = Meaning::Value(var);
        var
    }

    /// Forgets the place of the latest bindings: they stay in force for the rest of the text.
    pub(super) fn keep_bindings(&mut self) {
        self.open_vars = 0;
        self.locals.clear();
        self.rebound.clear();
    }
}
