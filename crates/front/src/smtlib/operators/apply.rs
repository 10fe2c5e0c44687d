//! Operators applied to arguments: chains, folds and conversions, as the table says for each.

use super::{How, Place, fit, make_real, sort_error, unify_numbers};
use crate::diag::{Code, Diagnostic};
use crate::smtlib::Fallible;
use alphorn_term::{Bv, Op, Sort, SortError, SortId, Store, TermId};

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
    pub(super) fn chain(
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

    pub(super) fn implies(&mut self, args: &mut [TermId]) -> Fallible<TermId> {
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

    pub(super) fn rem(&mut self, args: &[TermId]) -> Fallible<TermId> {
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
pub fn apply(
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
