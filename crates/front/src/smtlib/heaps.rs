//! The theory of heaps, read as arrays and datatypes.
//!
//! `(declare-heap Heap Addr Object default (datatypes) (constructors))` declares a sort of heaps: finite
//! sequences of objects. An address is a number, `nullAddr` is 0, and the addresses 1 to the length of a
//! heap are valid in it. `alloc` adds an object at the end, `write` to an address that is not valid changes
//! nothing, and `read` there gives the default.
//!
//! Here an address is a record of a number, a heap a record of an array and of its length, and the
//! functions of the theory are definitions over them. An array also says something outside the heap, so a
//! heap has several records. `heap_clauses` makes sure that no clause can tell them apart; there the
//! reasons stand why the clauses then mean what they mean in the theory.
//!
//! A selector is open on other constructors, and a choice might tell numbers that are no addresses from
//! addresses. So selectors of objects give a fixed value there, and a warning says so.
//!
//! After Esen, Rümmer, "A Theory of Heap for Constrained Horn Clauses" (2021), with the names of Eldarica:
//! those of its first versions (`emptyHeap`, `read`), and with a sort of ranges those of later ones
//! (`heap.empty`, `heap.read`). Functions of ranges are not treated.

mod functions;

use super::Fallible;
use super::context::Context;
use super::cursor::{Cursor, shorten};
use super::lex::{Kind, Token};
use super::scope::Meaning;
use super::sorts::SortMeaning;
use crate::diag::{Code, Diagnostic};
use alphorn_problem::Span;
use alphorn_term::{Bv, CtorId, Op, Sort, SortId, Store, TermId};
use rustc_hash::FxHashSet;

/// The heap that a script declares.
#[derive(Clone, Debug)]
pub(super) struct Heap {
    pub(super) heap: SortId,
    pub(super) addr: SortId,
    /// The arrays that heaps are made of.
    pub(super) contents: SortId,
    /// A heap's constructor: contents and length.
    pub(super) ctor: CtorId,
    null: TermId,
    /// Sorts and functions of the theory that are not treated.
    untreated: Vec<String>,
}

impl Heap {
    /// Whether the theory has a sort or function of this name that is not treated.
    pub(super) fn leaves_out(&self, name: &str) -> bool {
        self.untreated.iter().any(|known| known == name)
    }
}

/// Whether values of a sort contain values of one of `parts`.
pub(super) fn contains(store: &Store, sort: SortId, parts: &[SortId]) -> bool {
    let (mut stack, mut seen) = (vec![sort], FxHashSet::default());
    while let Some(sort) = stack.pop() {
        if parts.contains(&sort) {
            return true;
        }
        if !seen.insert(sort) {
            continue;
        }
        match store.sort_of(sort) {
            Sort::Array(index, element) => stack.extend([*index, *element]),
            Sort::Data(data) => {
                for &ctor in &store.data(*data).ctors {
                    stack.extend(store.ctor(ctor).fields.iter().map(|field| field.1));
                }
            }
            _ => {}
        }
    }
    false
}

/// What to say about a part of the theory that is not treated.
pub(super) fn not_treated(span: Span, what: &str) -> Box<Diagnostic> {
    let message = format!("{what} is not treated in the theory of heaps");
    Box::new(Diagnostic::unsupported(Code::SmtCommand, span, message))
}

/// How many expressions are left before the command's closing parenthesis.
fn expressions_left(cursor: &Cursor<'_>) -> Fallible<usize> {
    let mut ahead = cursor.clone();
    let mut count = 0;
    while !matches!(ahead.peek().kind, Kind::Close | Kind::End) {
        ahead.skip_expression("a part of the declaration")?;
        count += 1;
    }
    Ok(count)
}

impl Context {
    /// Reads `declare-heap` after the command's name.
    pub(super) fn declare_heap(&mut self, cursor: &mut Cursor<'_>, span: Span) -> Fallible<()> {
        if self.heap.is_some() {
            return Err(not_treated(span, "a second heap"));
        }
        let heap = self.heap_sort_name(cursor, "the name of the sort of heaps")?;
        let addr = self.heap_sort_name(cursor, "the name of the sort of addresses")?;
        let range = match expressions_left(cursor)? {
            4 => None,
            5 => Some(self.heap_sort_name(cursor, "the name of the sort of ranges")?),
            _ => {
                let message = "a heap has sorts of heaps, addresses and objects, a default object, \
                               and the objects' datatypes with their constructors";
                return Err(Box::new(Diagnostic::error(Code::SmtSyntax, span, message)));
            }
        };
        let nth = format!("nth{addr}");
        let (addr_sort, addr_ctor) =
            self.record(&addr, &nth, &[(&format!("{addr}_ord"), SortId::INT)]);
        let object = cursor.symbol("the sort of objects")?;
        let mut default = cursor.clone();
        cursor.skip_expression("the default object")?;
        self.declare_datatypes(cursor)?;
        let object = self.object_sort(cursor, object)?;
        let start = default.peek().start;
        let value = self.parse_term(&mut default)?;
        if self.store.sort(value) != object
            || !self.store.is_ground(value)
            || self.store.has_apply(value)
        {
            let message = "the default object should be a value of the sort of objects";
            let place = default.span_from(start);
            return Err(Box::new(Diagnostic::error(Code::SmtSort, place, message)));
        }
        let contents = self.store.array_sort(SortId::INT, object);
        let fields =
            [(&*format!("{heap}_contents"), contents), (&*format!("{heap}_size"), SortId::INT)];
        let (heap_sort, ctor) = self.record(&heap, &format!("{heap}_ctor"), &fields);
        let result = format!("AllocRes{heap}");
        let fields = [(&*format!("new{heap}"), heap_sort), (&*format!("new{addr}"), addr_sort)];
        let (result_sort, result_ctor) =
            self.record(&result, &format!("{heap}_allocRes_ctor"), &fields);
        if range.is_some() {
            let name = self.scope.name(format!("{heap}{addr}Pair").as_bytes());
            self.sorts.declare(name, SortMeaning::Sort(result_sort));
        }
        let zero = self.store.int(0);
        let null = self.store.mk(Op::Construct(addr_ctor), &[zero]);
        let nothing = self.store.const_array(contents, value);
        let empty = self.store.mk(Op::Construct(ctor), &[nothing, zero]);
        let untreated = untreated(&heap, &addr, range.as_deref());
        self.heap =
            Some(Heap { heap: heap_sort, addr: addr_sort, contents, ctor, null, untreated });
        let sorts = Sorts { heap: heap_sort, addr: addr_sort, object, result: result_sort };
        let made = Made { ctor, addr: addr_ctor, result: result_ctor, default: value };
        let is_ranged = range.is_some();
        self.name_value(&[&format!("empty{heap}"), "heap.empty"], is_ranged, empty, span)?;
        self.name_value(&[&format!("null{addr}"), "heap.null"], is_ranged, null, span)?;
        self.define_functions(&heap, &addr, is_ranged, sorts, made, span)
    }

    fn heap_sort_name(&mut self, cursor: &mut Cursor<'_>, wanted: &str) -> Fallible<String> {
        let token = cursor.symbol(wanted)?;
        let name = self.scope.name(cursor.bytes_of(token));
        self.check_new_sort(name, token.span())?;
        Ok(self.scope.text(name).to_owned())
    }

    /// The sort of objects, which the declaration must have defined.
    fn object_sort(&mut self, cursor: &Cursor<'_>, token: Token) -> Fallible<SortId> {
        let name = self.scope.name(cursor.bytes_of(token));
        if let Some(&SortMeaning::Data(data)) = self.sorts.meaning(name)
            && self.datatypes.arity(data) == 0
        {
            return self.data_instance(data, Vec::new(), token.span());
        }
        let text = shorten(cursor.text_of(token));
        let message = format!("the sort of objects `{text}` is none of the heap's datatypes");
        Err(Box::new(Diagnostic::error(Code::SmtDatatype, token.span(), message)))
    }

    /// Makes a sort with one constructor. The script cannot use the names of its parts, only what is
    /// defined over them.
    fn record(&mut self, name: &str, ctor: &str, fields: &[(&str, SortId)]) -> (SortId, CtorId) {
        let data = self.store.declare_data(name, &[]);
        let owned = fields.iter().map(|&(name, sort)| (name.to_owned(), sort)).collect();
        self.store.define_data(data, &[(ctor, owned)]);
        self.datatypes.finite.insert(data);
        let made = self.store.data(data);
        let (sort, only) = (made.sort, made.ctors[0]);
        let id = self.scope.name(name.as_bytes());
        self.sorts.declare(id, SortMeaning::Sort(sort));
        for part in fields.iter().map(|field| field.0).chain([ctor]) {
            let id = self.scope.name(part.as_bytes());
            if self.scope.is_free(id) {
                self.scope.declare(id, Meaning::Data);
            }
        }
        (sort, only)
    }
}

/// The sorts of a heap.
#[derive(Clone, Copy)]
struct Sorts {
    heap: SortId,
    addr: SortId,
    object: SortId,
    result: SortId,
}

/// What values of a heap are made of.
#[derive(Clone, Copy)]
struct Made {
    ctor: CtorId,
    addr: CtorId,
    result: CtorId,
    default: TermId,
}

/// The theory's names for what is not treated.
fn untreated(heap: &str, addr: &str, range: Option<&str>) -> Vec<String> {
    const FIXED: &[&str] = &[
        "batchAlloc",
        "batchWrite",
        "deAlloc",
        "within",
        "addressRangeNth",
        "addressRangeWithin",
        "heap.addr",
        "heap.range",
        "heap.allocRange",
        "heap.allocRange_first",
        "heap.allocRange_second",
        "heap.writeRange",
        "heap.nextAddr",
        "heap.rangeNth",
        "heap.rangeSize",
        "heap.rangeStart",
        "heap.rangeWithin",
    ];
    let mut names: Vec<String> = FIXED.iter().map(|&name| name.to_owned()).collect();
    names.extend([format!("nth{addr}"), format!("{addr}_ord"), format!("{heap}_size")]);
    names.extend([format!("{heap}_contents"), format!("{heap}_ctor")]);
    names.extend([format!("{heap}_allocRes_ctor"), format!("BatchAllocRes{heap}")]);
    names.extend([format!("newBatch{heap}"), format!("batchAlloc{heap}")]);
    let range = range.map_or_else(|| format!("{addr}Range"), str::to_owned);
    names.extend([format!("new{range}"), format!("batchAlloc{range}"), format!("nth{range}")]);
    names.push(range);
    names
}

impl Context {
    /// A field as its selector gives it, also on other constructors.
    pub(super) fn field_in_heap(
        &mut self,
        ctor: CtorId,
        field: TermId,
        arg: TermId,
        span: Span,
        name: &str,
    ) -> Fallible<TermId> {
        let Some(heap) = &self.heap else { return Ok(field) };
        let (heap, addr, null) = (heap.heap, heap.addr, heap.null);
        let (sort, of) = (self.store.sort(field), self.store.sort(arg));
        let is_only = self.data_of(of).is_none_or(|data| self.store.data(data).ctors.len() == 1);
        let is_open = matches!(self.store.op(field), Op::Field(..)) && !is_only;
        if !is_open || !contains(&self.store, of, &[heap, addr]) {
            return Ok(field);
        }
        let other = match contains(&self.store, sort, &[heap]) {
            true => None,
            false => self.plain_value(sort, addr, null, &mut Vec::new()),
        };
        let Some(other) = other else {
            let what = format!("the value of `{}` on other constructors", shorten(name));
            return Err(not_treated(span, &what));
        };
        let shown = shorten(&self.store.show(other));
        let message = format!("`{}` is {shown} here on other constructors", shorten(name));
        let hint = "SMT-LIB leaves the value open; here all selectors of a heap's objects have one";
        let warning = Diagnostic::warning(Code::SmtMeaning, span, message).hint(hint);
        self.warn_once("selectors of a heap's objects", warning);
        let is_own = self.store.mk(Op::Is(ctor), &[arg]);
        Ok(self.store.ite(is_own, field, other))
    }

    /// Some value of a sort, with no address but null; none where it is not found at once.
    fn plain_value(
        &mut self,
        sort: SortId,
        addr: SortId,
        null: TermId,
        above: &mut Vec<SortId>,
    ) -> Option<TermId> {
        if sort == addr {
            return Some(null);
        }
        match *self.store.sort_of(sort) {
            Sort::Bool => Some(TermId::FALSE),
            Sort::Int => Some(self.store.int(0)),
            Sort::Real => Some(self.store.real(0)),
            Sort::BitVec(width) => Some(self.store.bv(Bv::from_u64(width, 0))),
            Sort::Array(_, element) => {
                let value = self.plain_value(element, addr, null, above)?;
                Some(self.store.const_array(sort, value))
            }
            Sort::Data(data) if !above.contains(&sort) => {
                above.push(sort);
                let ctors = self.store.data(data).ctors.clone();
                let found = ctors.into_iter().find_map(|ctor| {
                    let fields: Vec<SortId> =
                        self.store.ctor(ctor).fields.iter().map(|field| field.1).collect();
                    let values: Option<Vec<TermId>> = fields
                        .into_iter()
                        .map(|field| self.plain_value(field, addr, null, above))
                        .collect();
                    values.map(|values| self.store.mk(Op::Construct(ctor), &values))
                });
                above.pop();
                found
            }
            _ => None,
        }
    }
}
