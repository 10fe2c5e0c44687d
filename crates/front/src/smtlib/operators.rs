//! The operators of the theories, in one table: Core, Ints, Reals, FixedSizeBitVectors, ArraysEx.
//!
//! A row says how an application becomes terms of the store, which knows fewer operators: chains
//! (`(< a b c)`), associativity, swapped comparisons, operators defined by others. Integers among
//! reals are made real, as all solvers do; integer literals become real ones that way. Rows
//! marked as extensions are not in the standard, and a script may declare their names itself.

use super::Fallible;
use super::cursor::shorten;
use super::scope::{Meaning, Scope};
use crate::diag::{Code, Diagnostic};
use alphorn_problem::Span;
use alphorn_term::{Bv, Op, Sort, SortError, SortId, Store, TermId};

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

/// The largest literal factor a product may fold into; squares of squares grow without bound.
const MAX_LITERAL_BITS: usize = 1 << 20;

fn literal_bits(store: &Store, term: TermId) -> usize {
    let literal = match store.op(term) {
        Op::Mul => store.args(term)[0],
        _ => term,
    };
    let int = store.int_value(literal).map_or(0, |value| value.bit_len());
    let real = store
        .real_value(literal)
        .map_or(0, |value| value.numerator().bit_len() + value.denominator().bit_len());
    int + real
}

struct Application<'a> {
    store: &'a mut Store,
    place: &'a Place<'a>,
}

impl Application<'_> {
    fn app(
        &mut self,
        op: Op,
        args: &[TermId],
        origin: impl Fn(usize) -> usize,
    ) -> Fallible<TermId> {
        let result = self.store.app(op, args);
        result.map_err(|error| sort_error(self.store, self.place, &error, origin))
    }

    fn arity(&self, fits: bool, wants: &'static str, got: usize) -> Fallible<()> {
        if fits {
            return Ok(());
        }
        let error = SortError::Arity { wants, got };
        Err(sort_error(self.store, self.place, &error, |index| index))
    }

    fn check_bits(&self, args: &[TermId]) -> Fallible<()> {
        let bits: usize = args.iter().map(|&arg| literal_bits(self.store, arg)).sum();
        if bits <= MAX_LITERAL_BITS {
            return Ok(());
        }
        let message = "this comes to a number of more than a million bits";
        Err(Box::new(Diagnostic::unsupported(Code::SmtSyntax, self.place.whole, message)))
    }

    fn left(&mut self, op: Op, args: &[TermId]) -> Fallible<TermId> {
        self.arity(args.len() >= 2, "at least two arguments", args.len())?;
        let mut result = args[0];
        for (position, &arg) in args.iter().enumerate().skip(1) {
            result = self.app(op, &[result, arg], |index| position - 1 + index)?;
        }
        Ok(result)
    }

    /// `link` between neighbours, all of them.
    fn chain(
        &mut self,
        args: &[TermId],
        mut link: impl FnMut(&mut Self, usize, TermId, TermId) -> Fallible<TermId>,
    ) -> Fallible<TermId> {
        self.arity(args.len() >= 2, "at least two arguments", args.len())?;
        if let [left, right] = *args {
            return link(self, 0, left, right);
        }
        let mut links = Vec::with_capacity(args.len() - 1);
        for (position, pair) in args.windows(2).enumerate() {
            links.push(link(self, position, pair[0], pair[1])?);
        }
        Ok(self.store.and(&links))
    }

    fn minus(&mut self, args: &mut [TermId]) -> Fallible<TermId> {
        unify_numbers(self.store, args);
        for (position, &arg) in args.iter().enumerate() {
            if !self.store.sort(arg).is_arithmetic() {
                let got = self.store.sort(arg);
                let error =
                    SortError::Argument { index: position, wants: "a number".to_owned(), got };
                return Err(sort_error(self.store, self.place, &error, |index| index));
            }
        }
        let (first, rest) = match &mut *args {
            [single] => return Ok(self.store.neg(*single)),
            [first, rest @ ..] => (*first, rest),
            [] => return self.arity(false, "at least one argument", 0).map(|()| TermId::FALSE),
        };
        for arg in rest {
            *arg = self.store.neg(*arg);
        }
        args[0] = first;
        self.app(Op::Add, args, |index| index)
    }

    fn implies(&mut self, args: &mut [TermId]) -> Fallible<TermId> {
        self.arity(args.len() >= 2, "at least two arguments", args.len())?;
        for (position, &arg) in args.iter().enumerate() {
            if self.store.sort(arg) != SortId::BOOL {
                // The store's own complaint, at the right argument.
                return self.app(Op::Not, &[arg], |_| position);
            }
        }
        let last = args.len() - 1;
        for premise in &mut args[..last] {
            *premise = self.store.not(*premise);
        }
        Ok(self.store.or(args))
    }

    fn rem(&mut self, args: &[TermId]) -> Fallible<TermId> {
        let modulo = self.app(Op::Mod, args, |index| index)?;
        let zero = self.store.int(0);
        let positive = self.store.ge(args[1], zero);
        let negated = self.store.neg(modulo);
        Ok(self.store.ite(positive, modulo, negated))
    }

    fn reduce(&mut self, or: bool, args: &[TermId]) -> Fallible<TermId> {
        self.app(Op::BvNot, args, |index| index)?;
        let width = self.store.width(args[0]);
        let (literal, flip) =
            if or { (Bv::from_u64(width, 0), true) } else { (Bv::ones(width), false) };
        let literal = self.store.bv(literal);
        let same = self.store.eq(args[0], literal);
        let bit = if flip { self.store.not(same) } else { same };
        Ok(self.store.bool_to_bv(bit))
    }

    fn array(&mut self, op: Op, args: &mut [TermId]) -> Fallible<TermId> {
        if let Some(&array) = args.first()
            && let Sort::Array(index, element) = *self.store.sort_of(self.store.sort(array))
        {
            fit(self.store, &mut args[1..], &[index, element]);
        }
        self.app(op, args, |index| index)
    }
}

/// An operator applied to arguments; these may be changed on the way.
pub(super) fn apply(
    store: &mut Store,
    how: How,
    args: &mut [TermId],
    place: &Place<'_>,
) -> Fallible<TermId> {
    let mut call = Application { store, place };
    match how {
        How::Plain(op) => call.app(op, args, |index| index),
        How::Numbers(op) => {
            unify_numbers(call.store, args);
            if op == Op::Mul {
                call.check_bits(args)?;
            }
            call.app(op, args, |index| index)
        }
        How::Compare(op, swapped) => {
            unify_numbers(call.store, args);
            call.chain(args, |call, at, left, right| {
                if swapped {
                    call.app(op, &[right, left], |index| at + 1 - index)
                } else {
                    call.app(op, &[left, right], |index| at + index)
                }
            })
        }
        How::Left(op) => call.left(op, args),
        How::Swapped(op) => match *args {
            [left, right] => call.app(op, &[right, left], |index| 1 - index),
            _ => call.arity(false, "two arguments", args.len()).map(|()| TermId::FALSE),
        },
        How::Complement(op) => {
            let inner = call.app(op, args, |index| index)?;
            call.app(Op::BvNot, &[inner], |index| index)
        }
        How::OfReal(op) => {
            make_real(call.store, args);
            call.app(op, args, |index| index)
        }
        How::Equal => {
            unify_numbers(call.store, args);
            call.chain(args, |call, at, left, right| {
                call.app(Op::Eq, &[left, right], |index| at + index)
            })
        }
        How::Distinct => {
            unify_numbers(call.store, args);
            call.arity(args.len() >= 2, "at least two arguments", args.len())?;
            call.app(Op::Distinct, args, |index| index)
        }
        How::Ite => {
            if args.len() == 3 {
                unify_numbers(call.store, &mut args[1..]);
            }
            call.app(Op::Ite, args, |index| index)
        }
        How::Implies => call.implies(args),
        How::Xor => {
            let same = call.left(Op::Eq, args)?;
            // Every step of exclusive or is a negated equality; the negations meet outside.
            if call.store.sort(args[0]) != SortId::BOOL {
                return call.app(Op::Not, &[args[0]], |_| 0);
            }
            Ok(if args.len().is_multiple_of(2) { call.store.not(same) } else { same })
        }
        How::Minus => call.minus(args),
        How::Divide => {
            make_real(call.store, args);
            call.check_bits(args)?;
            call.left(Op::RealDiv, args)
        }
        How::Rem => call.rem(args),
        How::Select => call.array(Op::Select, args),
        How::Store => call.array(Op::Store, args),
        How::Compared => {
            let same = call.app(Op::BvXor, args, |index| index).and(Ok(()));
            same.map(|()| call.store.bvcomp(args[0], args[1]))
        }
        How::Reduce(or) => call.reduce(or, args),
    }
}
