//! Terms and sorts as SMT-LIB text.
//!
//! Subterms that occur more than once are bound by `let`, so the text is as small as the term is
//! with sharing (`share`). A bound variable whose name means something else in the same term is
//! printed under another name. Free variables keep their names: that two of them, or one and a
//! function, are not called the same is the caller's business. Nothing here recurses on terms.

mod clash;
mod quote;
mod share;

pub use quote::{is_simple_symbol, quote};

use crate::annotation::Annotations;
use crate::id::{CtorId, TermId};
use crate::num::{Int, Rat};
use crate::op::Op;
use crate::sort::{Sort, SortId};
use crate::store::Store;
use rustc_hash::{FxHashMap, FxHashSet};
use share::Names;
use std::fmt::Write;
use std::rc::Rc;

enum Task {
    Term(TermId, Rc<Names>),
    /// The term itself, even if it has a name.
    Body(TermId, Rc<Names>),
    Text(&'static str),
    Owned(String),
    /// The body of a quantifier: where its shared subterms are bound.
    Scope(TermId, Rc<Names>),
}

/// The size up to which people would rather read a term again than look up its name.
const READABLE: u32 = 10;

impl Store {
    /// A sort as SMT-LIB text.
    ///
    /// Sorts share parts as terms do, and written out they may double with each level: what would
    /// be too long ends in dots.
    pub fn show_sort(&self, sort: SortId) -> String {
        const MAX_PARTS: usize = 1 << 9;
        enum Piece<'s> {
            Sort(SortId),
            Text(&'s str),
        }
        let mut out = String::new();
        let mut stack = vec![Piece::Sort(sort)];
        let mut parts = 0;
        while let Some(piece) = stack.pop() {
            let sort = match piece {
                Piece::Text(text) => {
                    out.push_str(text);
                    continue;
                }
                Piece::Sort(sort) => sort,
            };
            parts += 1;
            if parts > MAX_PARTS {
                return out + "…";
            }
            let args: &[SortId] = match self.sort_of(sort) {
                Sort::Bool => {
                    out.push_str("Bool");
                    continue;
                }
                Sort::Int => {
                    out.push_str("Int");
                    continue;
                }
                Sort::Real => {
                    out.push_str("Real");
                    continue;
                }
                Sort::BitVec(width) => {
                    let _ = write!(out, "(_ BitVec {width})");
                    continue;
                }
                Sort::Array(index, element) => {
                    out.push_str("(Array ");
                    let rest = [Piece::Text(")"), Piece::Sort(*element), Piece::Text(" ")];
                    stack.extend(rest);
                    stack.push(Piece::Sort(*index));
                    continue;
                }
                Sort::Uninterpreted(name, args) => {
                    out.push_str(if args.is_empty() { "" } else { "(" });
                    out.push_str(&quote(self.name(*name)));
                    args
                }
                Sort::Data(data) => {
                    let data = self.data(*data);
                    out.push_str(if data.params.is_empty() { "" } else { "(" });
                    out.push_str(&quote(self.name(data.name)));
                    &data.params
                }
            };
            if !args.is_empty() {
                stack.push(Piece::Text(")"));
                for &arg in args.iter().rev() {
                    stack.extend([Piece::Sort(arg), Piece::Text(" ")]);
                }
            }
        }
        out
    }

    /// A term as SMT-LIB text.
    pub fn show(&self, term: TermId) -> String {
        let mut out = String::new();
        self.write_term(&mut out, term);
        out
    }

    /// A term as SMT-LIB text for people: what is short is repeated and not named, so that the text
    /// may be some times longer than with every shared term named, but not more.
    pub fn show_readable(&self, term: TermId) -> String {
        let mut out = String::new();
        self.write(&mut out, term, READABLE);
        out
    }

    /// Appends a term as SMT-LIB text.
    pub fn write_term(&self, out: &mut String, term: TermId) {
        self.write(out, term, 0);
    }

    fn write(&self, out: &mut String, term: TermId, unnamed: u32) {
        self.printer(term, unnamed).run(out, vec![Task::Scope(term, Rc::default())]);
    }

    fn printer(&self, term: TermId, unnamed: u32) -> Printer<'_> {
        Printer {
            store: self,
            unnamed,
            next_name: 0,
            clashing: self.clashing_vars(term),
            free: self.free_vars_of_quantifiers(&[term]),
        }
    }

    /// What is said about a quantifier, as it stands after the body in `(! body … )`: empty if
    /// nothing is said.
    pub fn show_annotations(&self, quantifier: TermId) -> String {
        let mut out = String::new();
        let Some(annotations) = self.annotations(quantifier) else { return out };
        let mut tasks = Vec::new();
        let printer = self.printer(quantifier, 0);
        printer.annotations(&mut tasks, quantifier, annotations, &Rc::default());
        printer.run(&mut out, tasks);
        out.pop();
        out
    }
}

struct Printer<'a> {
    store: &'a Store,
    /// Terms of at most this size are not named, however often they occur.
    unnamed: u32,
    next_name: usize,
    /// Variables that are printed under another name where they are bound.
    clashing: FxHashSet<TermId>,
    /// The free variables of the quantifiers.
    free: FxHashMap<TermId, Vec<TermId>>,
}

impl Printer<'_> {
    fn run(mut self, out: &mut String, mut tasks: Vec<Task>) {
        while let Some(task) = tasks.pop() {
            match task {
                Task::Text(text) => out.push_str(text),
                Task::Owned(text) => out.push_str(&text),
                Task::Scope(term, outer) => self.scope(&mut tasks, term, &outer),
                Task::Term(term, names) => match names.find(term) {
                    Some(name) => out.push_str(name),
                    None => self.body(out, &mut tasks, term, &names),
                },
                Task::Body(term, names) => self.body(out, &mut tasks, term, &names),
            }
        }
    }

    /// Prints `root` with its shared subterms bound around it.
    fn scope(&mut self, tasks: &mut Vec<Task>, root: TermId, outer: &Rc<Names>) {
        if let Some(name) = outer.find(root) {
            tasks.push(Task::Owned(name.to_owned()));
            return;
        }
        let (shared, names) = self.share(root, outer);
        let mut steps: Vec<Task> = Vec::with_capacity(3 * shared.len() + 2);
        // A term's own subterms come before it, so one table serves all bindings.
        for &term in &shared {
            let name = names.find(term).expect("shared terms have names");
            steps.push(Task::Owned(format!("(let (({name} ")));
            steps.push(Task::Body(term, Rc::clone(&names)));
            steps.push(Task::Text(")) "));
        }
        steps.push(Task::Body(root, Rc::clone(&names)));
        if !shared.is_empty() {
            steps.push(Task::Owned(")".repeat(shared.len())));
        }
        tasks.extend(steps.into_iter().rev());
    }

    fn fresh_name(&mut self) -> String {
        loop {
            self.next_name += 1;
            let name = format!("a!{}", self.next_name);
            if self.store.find_symbol(&name).is_none() {
                return name;
            }
        }
    }

    fn body(&mut self, out: &mut String, tasks: &mut Vec<Task>, term: TermId, names: &Rc<Names>) {
        let store = self.store;
        let args = store.args(term);
        match store.op(term) {
            Op::IntVal(_) => write_int(out, store.int_value(term).expect("a literal has a value")),
            Op::RealVal(_) => {
                write_real(out, store.real_value(term).expect("a literal has a value"))
            }
            Op::BvVal(_) => {
                let _ = write!(out, "{}", store.bv_value(term).expect("a literal has a value"));
            }
            Op::Forall | Op::Exists => {
                let (body, vars) = args.split_last().expect("a quantifier has a body");
                out.push_str(if store.op(term) == Op::Forall { "(forall (" } else { "(exists (" });
                let mut renamed = FxHashMap::default();
                for (position, &var) in vars.iter().enumerate() {
                    let name = match self.clashing.contains(&var) {
                        true => renamed.entry(var).or_insert_with(|| self.fresh_name()).clone(),
                        false => quote(store.var_name(var).unwrap_or_default()),
                    };
                    let space = if position > 0 { " " } else { "" };
                    let _ = write!(out, "{space}({name} {})", store.show_sort(store.sort(var)));
                }
                out.push_str(") ");
                let names = names.inside(renamed);
                tasks.push(Task::Text(")"));
                if let Some(annotations) = store.annotations(term) {
                    out.push_str("(! ");
                    self.annotations(tasks, term, annotations, &names);
                }
                tasks.push(Task::Scope(*body, names));
            }
            op => {
                let head = self.head(op, term);
                if args.is_empty() {
                    out.push_str(&head);
                    return;
                }
                out.push('(');
                out.push_str(&head);
                tasks.push(Task::Text(")"));
                for &arg in args.iter().rev() {
                    tasks.push(Task::Term(arg, Rc::clone(names)));
                    tasks.push(Task::Text(" "));
                }
            }
        }
    }

    /// What comes after the body of a quantifier about which something is said.
    fn annotations(
        &self,
        tasks: &mut Vec<Task>,
        quantifier: TermId,
        annotations: &Annotations,
        names: &Rc<Names>,
    ) {
        let store = self.store;
        // A variable that only a pattern mentions may be bound elsewhere under another name.
        let known = store.free_vars(&[store.args(quantifier)[store.args(quantifier).len() - 1]]);
        let bound = store.bound_vars(quantifier);
        let is_known = |term: &TermId| {
            let vars = store.free_vars(&[*term]);
            vars.iter().all(|var| known.contains(var) || bound.contains(var))
        };
        let mut steps = Vec::new();
        for pattern in &annotations.patterns {
            if !pattern.iter().all(is_known) {
                continue;
            }
            steps.push(Task::Text(" :pattern ("));
            for (position, &term) in pattern.iter().enumerate() {
                steps.extend((position > 0).then_some(Task::Text(" ")));
                steps.push(Task::Scope(term, Rc::clone(names)));
            }
            steps.push(Task::Text(")"));
        }
        for &term in annotations.no_patterns.iter().filter(|term| is_known(term)) {
            steps.extend([Task::Text(" :no-pattern "), Task::Scope(term, Rc::clone(names))]);
        }
        if let Some(weight) = annotations.weight {
            steps.push(Task::Owned(format!(" :weight {weight}")));
        }
        for (keyword, name) in [(":qid", &annotations.qid), (":skolemid", &annotations.skolemid)] {
            steps.extend(
                name.as_ref().map(|name| Task::Owned(format!(" {keyword} {}", quote(name)))),
            );
        }
        // A term cannot be annotated with nothing.
        if steps.is_empty() {
            steps.push(Task::Text(" :weight 1"));
        }
        steps.push(Task::Text(")"));
        tasks.extend(steps.into_iter().rev());
    }

    fn head(&self, op: Op, term: TermId) -> String {
        let store = self.store;
        let plain = match op {
            Op::Var(symbol) => return quote(store.name(symbol)),
            Op::Apply(func) => return quote(store.name(store.func(func).name)),
            Op::Extract(high, low) => return format!("(_ extract {high} {low})"),
            Op::Repeat(times) => return format!("(_ repeat {times})"),
            Op::ZeroExtend(by) => return format!("(_ zero_extend {by})"),
            Op::SignExtend(by) => return format!("(_ sign_extend {by})"),
            Op::IntToBv(width) => return format!("(_ int_to_bv {width})"),
            Op::ConstArray => return format!("(as const {})", store.show_sort(store.sort(term))),
            Op::Construct(ctor) => return self.constructor(ctor),
            Op::Is(ctor) => return format!("(_ is {})", quote(store.name(store.ctor(ctor).name))),
            Op::Field(ctor, field) => {
                return quote(store.name(store.ctor(ctor).fields[field as usize].0));
            }
            _ => name_of(op),
        };
        plain.expect("every other operator has a plain name").to_owned()
    }

    /// Constructors of datatypes with parameters are printed with their sort, and so are those
    /// whose name another datatype uses: the arguments need not determine it.
    fn constructor(&self, ctor: CtorId) -> String {
        let store = self.store;
        let ctor = store.ctor(ctor);
        let data = store.data(ctor.data);
        let name = quote(store.name(ctor.name));
        let is_shared = || {
            let others = store.datas().filter(|&other| other != ctor.data);
            let mut ctors = others.flat_map(|other| &store.data(other).ctors);
            ctors.any(|&other| store.ctor(other).name == ctor.name)
        };
        if data.params.is_empty() && !is_shared() {
            name
        } else {
            format!("(as {name} {})", self.store.show_sort(data.sort))
        }
    }
}

fn write_int(out: &mut String, value: &Int) {
    let _ = match value.is_negative() {
        true => write!(out, "(- {})", value.abs()),
        false => write!(out, "{value}"),
    };
}

fn write_real(out: &mut String, value: &Rat) {
    let (numerator, denominator) = (value.numerator().abs(), value.denominator());
    let body = if denominator.is_one() {
        format!("{numerator}.0")
    } else {
        format!("(/ {numerator}.0 {denominator}.0)")
    };
    let _ = match value.is_negative() {
        true => write!(out, "(- {body})"),
        false => write!(out, "{body}"),
    };
}

/// SMT-LIB's name of an operator that has one and takes no indices.
pub fn name_of(op: Op) -> Option<&'static str> {
    Some(match op {
        Op::True => "true",
        Op::False => "false",
        Op::Not => "not",
        Op::And => "and",
        Op::Or => "or",
        Op::Eq => "=",
        Op::Distinct => "distinct",
        Op::Ite => "ite",
        Op::Forall => "forall",
        Op::Exists => "exists",
        Op::Add => "+",
        Op::Mul => "*",
        Op::Le => "<=",
        Op::Lt => "<",
        Op::IntDiv => "div",
        Op::Mod => "mod",
        Op::Abs => "abs",
        Op::RealDiv => "/",
        Op::ToReal => "to_real",
        Op::ToInt => "to_int",
        Op::IsInt => "is_int",
        Op::Concat => "concat",
        Op::BvNot => "bvnot",
        Op::BvNeg => "bvneg",
        Op::BvAnd => "bvand",
        Op::BvOr => "bvor",
        Op::BvXor => "bvxor",
        Op::BvAdd => "bvadd",
        Op::BvSub => "bvsub",
        Op::BvMul => "bvmul",
        Op::BvUdiv => "bvudiv",
        Op::BvUrem => "bvurem",
        Op::BvSdiv => "bvsdiv",
        Op::BvSrem => "bvsrem",
        Op::BvSmod => "bvsmod",
        Op::BvShl => "bvshl",
        Op::BvLshr => "bvlshr",
        Op::BvAshr => "bvashr",
        Op::BvUlt => "bvult",
        Op::BvUle => "bvule",
        Op::BvSlt => "bvslt",
        Op::BvSle => "bvsle",
        Op::BvNego => "bvnego",
        Op::BvUaddo => "bvuaddo",
        Op::BvSaddo => "bvsaddo",
        Op::BvUsubo => "bvusubo",
        Op::BvSsubo => "bvssubo",
        Op::BvUmulo => "bvumulo",
        Op::BvSmulo => "bvsmulo",
        Op::BvSdivo => "bvsdivo",
        Op::UbvToInt => "ubv_to_int",
        Op::SbvToInt => "sbv_to_int",
        Op::Select => "select",
        Op::Store => "store",
        _ => return None,
    })
}
