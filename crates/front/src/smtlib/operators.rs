//! The operators of the theories, in one table: Core, Ints, Reals, FixedSizeBitVectors, ArraysEx.
//!
//! A row says how an application becomes terms of the store, which knows fewer operators: chains
//! (`(< a b c)`), associativity, swapped comparisons, operators defined by others. Integers among
//! reals are made real, as all solvers do; integer literals become real ones that way. Rows
//! marked as extensions are not in the standard, and a script may declare their names itself.

mod apply;

use super::cursor::shorten;
use super::scope::{Meaning, Scope};
use crate::diag::{Code, Diagnostic};
use alphorn_problem::Span;
use alphorn_term::{Op, Sort, SortError, SortId, Store, TermId};
pub(super) use apply::apply;

/// How an application becomes terms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum How {
    /// The store's operator, as it is.
    Plain(Op),
    /// The store's operator, which takes any number of numbers.
    Numbers(Op),
    /// A comparison of numbers, chained; the flag says that it is written the other way round.
    Compare(Op, bool),
    /// A binary operator, associating to the left.
    Left(Op),
    /// A binary operator with its arguments swapped.
    Swapped(Op),
    /// The bitwise negation of a binary operator.
    Complement(Op),
    /// Takes a real; an integer is made one.
    OfReal(Op),
    /// `=`
    Equal,
    /// `distinct`
    Distinct,
    /// `ite`
    Ite,
    /// `=>`
    Implies,
    /// `xor`
    Xor,
    /// `-`
    Minus,
    /// `/`
    Divide,
    /// `rem`: like `mod`, with the divisor's sign.
    Rem,
    /// `select`
    Select,
    /// `store`
    Store,
    /// `bvcomp`
    Compared,
    /// `bvredor`, `bvredand`: whether a bit is set; whether all are.
    Reduce(bool),
}

/// A row of the table.
pub(super) struct Operator {
    pub(super) name: &'static str,
    pub(super) how: How,
    is_extension: bool,
    /// What it means here, where dialects differ.
    pub(super) note: Option<&'static str>,
}

const fn row(name: &'static str, how: How) -> Operator {
    Operator { name, how, is_extension: false, note: None }
}

const fn extension(name: &'static str, how: How) -> Operator {
    Operator { name, how, is_extension: true, note: None }
}

/// An extension that has another meaning elsewhere.
const fn disputed(name: &'static str, how: How, note: &'static str) -> Operator {
    Operator { name, how, is_extension: true, note: Some(note) }
}

/// All operators that take no indices.
pub(super) static OPERATORS: &[Operator] = &[
    row("not", How::Plain(Op::Not)),
    row("and", How::Plain(Op::And)),
    row("or", How::Plain(Op::Or)),
    row("xor", How::Xor),
    row("=>", How::Implies),
    row("=", How::Equal),
    row("distinct", How::Distinct),
    row("ite", How::Ite),
    extension("implies", How::Implies),
    extension("iff", How::Equal),
    extension("if", How::Ite),
    row("+", How::Numbers(Op::Add)),
    row("-", How::Minus),
    row("*", How::Numbers(Op::Mul)),
    row("/", How::Divide),
    row("div", How::Left(Op::IntDiv)),
    row("mod", How::Plain(Op::Mod)),
    extension("rem", How::Rem),
    row("abs", How::Plain(Op::Abs)),
    row("<=", How::Compare(Op::Le, false)),
    row("<", How::Compare(Op::Lt, false)),
    row(">=", How::Compare(Op::Le, true)),
    row(">", How::Compare(Op::Lt, true)),
    row("to_real", How::Plain(Op::ToReal)),
    row("to_int", How::OfReal(Op::ToInt)),
    row("is_int", How::OfReal(Op::IsInt)),
    row("concat", How::Left(Op::Concat)),
    row("bvnot", How::Plain(Op::BvNot)),
    row("bvneg", How::Plain(Op::BvNeg)),
    row("bvand", How::Left(Op::BvAnd)),
    row("bvor", How::Left(Op::BvOr)),
    row("bvxor", How::Left(Op::BvXor)),
    row("bvnand", How::Complement(Op::BvAnd)),
    row("bvnor", How::Complement(Op::BvOr)),
    row("bvxnor", How::Complement(Op::BvXor)),
    row("bvadd", How::Left(Op::BvAdd)),
    row("bvsub", How::Left(Op::BvSub)),
    row("bvmul", How::Left(Op::BvMul)),
    row("bvudiv", How::Plain(Op::BvUdiv)),
    row("bvurem", How::Plain(Op::BvUrem)),
    row("bvsdiv", How::Plain(Op::BvSdiv)),
    row("bvsrem", How::Plain(Op::BvSrem)),
    row("bvsmod", How::Plain(Op::BvSmod)),
    // Z3's names for division where it knows that the divisor is not zero.
    extension("bvudiv_i", How::Plain(Op::BvUdiv)),
    extension("bvurem_i", How::Plain(Op::BvUrem)),
    extension("bvsdiv_i", How::Plain(Op::BvSdiv)),
    extension("bvsrem_i", How::Plain(Op::BvSrem)),
    extension("bvsmod_i", How::Plain(Op::BvSmod)),
    row("bvshl", How::Plain(Op::BvShl)),
    row("bvlshr", How::Plain(Op::BvLshr)),
    row("bvashr", How::Plain(Op::BvAshr)),
    row("bvult", How::Plain(Op::BvUlt)),
    row("bvule", How::Plain(Op::BvUle)),
    row("bvugt", How::Swapped(Op::BvUlt)),
    row("bvuge", How::Swapped(Op::BvUle)),
    row("bvslt", How::Plain(Op::BvSlt)),
    row("bvsle", How::Plain(Op::BvSle)),
    row("bvsgt", How::Swapped(Op::BvSlt)),
    row("bvsge", How::Swapped(Op::BvSle)),
    row("bvcomp", How::Compared),
    row("bvnego", How::Plain(Op::BvNego)),
    row("bvuaddo", How::Plain(Op::BvUaddo)),
    row("bvsaddo", How::Plain(Op::BvSaddo)),
    row("bvumulo", How::Plain(Op::BvUmulo)),
    row("bvsmulo", How::Plain(Op::BvSmulo)),
    row("bvusubo", How::Plain(Op::BvUsubo)),
    row("bvssubo", How::Plain(Op::BvSsubo)),
    row("bvsdivo", How::Plain(Op::BvSdivo)),
    extension("bvredor", How::Reduce(true)),
    extension("bvredand", How::Reduce(false)),
    row("ubv_to_int", How::Plain(Op::UbvToInt)),
    row("sbv_to_int", How::Plain(Op::SbvToInt)),
    extension("bv2nat", How::Plain(Op::UbvToInt)),
    disputed(
        "bv2int",
        How::Plain(Op::UbvToInt),
        "takes the word as unsigned, as Z3 and cvc5 do; Eldarica takes it as signed",
    ),
    row("select", How::Select),
    row("store", How::Store),
];

/// The symbols that a script cannot declare.
pub(super) fn theory_symbols() -> impl Iterator<Item = &'static str> {
    let standard = OPERATORS.iter().filter(|operator| !operator.is_extension);
    standard.map(|operator| operator.name).chain(["true", "false"])
}

/// Makes the operators known.
pub(super) fn declare_operators(scope: &mut Scope) {
    scope.declare_operator("true", Meaning::Value(TermId::TRUE), false);
    scope.declare_operator("false", Meaning::Value(TermId::FALSE), false);
    for (position, operator) in OPERATORS.iter().enumerate() {
        let meaning = Meaning::Operator(position as u16);
        scope.declare_operator(operator.name, meaning, operator.is_extension);
    }
}

/// Where an application and its arguments stand.
pub(super) struct Place<'a> {
    /// The operator as written.
    pub(super) name: &'a str,
    /// The arguments.
    pub(super) spans: &'a [Span],
    /// The whole application.
    pub(super) whole: Span,
}

/// The diagnostic of an application that does not fit; `origin` gives the position in the text of
/// the argument at a position in the store's application.
pub(super) fn sort_error(
    store: &Store,
    place: &Place<'_>,
    error: &SortError,
    origin: impl Fn(usize) -> usize,
) -> Box<Diagnostic> {
    let name = shorten(place.name);
    let (span, message) = match error {
        SortError::Arity { wants, got } => {
            (place.whole, format!("`{name}` takes {wants}, but got {got}"))
        }
        SortError::Argument { index, wants, got } => {
            let index = origin(*index);
            let span = place.spans.get(index).copied().unwrap_or(place.whole);
            let got = shorten(&store.show_sort(*got));
            (
                span,
                format!("`{name}`: argument {} should be {wants}, but has sort {got}", index + 1),
            )
        }
        SortError::Index(reason) => (place.whole, format!("`{name}`: {reason}")),
    };
    let diagnostic = Diagnostic::error(Code::SmtSort, span, message);
    Box::new(match error {
        SortError::Argument { wants, got, .. } => match width_hint(store, wants, *got) {
            Some(hint) => diagnostic.hint(hint),
            None => diagnostic,
        },
        _ => diagnostic,
    })
}

/// How to make a word as wide as it should be.
fn width_hint(store: &Store, wants: &str, got: SortId) -> Option<String> {
    let Sort::BitVec(width) = *store.sort_of(got) else { return None };
    let wanted = wants.strip_prefix("of sort (_ BitVec ")?.strip_suffix(')')?;
    let wanted: u32 = wanted.parse().ok()?;
    Some(match wanted.checked_sub(width) {
        Some(by) => {
            format!("widen it with ((_ zero_extend {by}) …) or ((_ sign_extend {by}) …)")
        }
        None => format!("take some of its bits, as with ((_ extract {} 0) …)", wanted - 1),
    })
}

/// Makes integers real where some argument is real.
pub(super) fn unify_numbers(store: &mut Store, args: &mut [TermId]) {
    let has_real = args.iter().any(|&arg| store.sort(arg) == SortId::REAL);
    if has_real {
        make_real(store, args);
    }
}

fn make_real(store: &mut Store, args: &mut [TermId]) {
    for arg in args {
        if store.sort(*arg) == SortId::INT {
            *arg = store.mk(Op::ToReal, &[*arg]);
        }
    }
}

/// Makes integers real where a real is wanted.
pub(super) fn fit(store: &mut Store, args: &mut [TermId], wanted: &[SortId]) {
    for (arg, &sort) in args.iter_mut().zip(wanted) {
        if sort == SortId::REAL && store.sort(*arg) == SortId::INT {
            *arg = store.mk(Op::ToReal, &[*arg]);
        }
    }
}
