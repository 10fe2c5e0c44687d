//! The sort of an application, or why it has none.

use crate::id::TermId;
use crate::op::Op;
use crate::sort::{Sort, SortId};
use crate::store::Store;
use std::fmt;

/// Why an operator cannot be applied to arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SortError {
    /// The wrong number of arguments.
    Arity {
        /// What the operator wants, in words.
        wants: &'static str,
        /// How many it got.
        got: usize,
    },
    /// An argument of the wrong sort.
    Argument {
        /// Its position, from 0.
        index: usize,
        /// What the operator wants, in words.
        wants: String,
        /// The sort it got.
        got: SortId,
    },
    /// An index (`_ extract i j`, a width) outside its range.
    Index(&'static str),
}

impl SortError {
    /// The error in words; sorts are printed with `store`.
    pub fn describe(&self, store: &Store) -> String {
        match self {
            SortError::Arity { wants, got } => format!("takes {wants}, but got {got}"),
            SortError::Argument { index, wants, got } => {
                format!(
                    "argument {} should be {wants}, but has sort {}",
                    index + 1,
                    store.show_sort(*got)
                )
            }
            SortError::Index(what) => (*what).to_owned(),
        }
    }
}

impl fmt::Display for SortError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SortError::Arity { wants, got } => write!(f, "takes {wants}, but got {got}"),
            SortError::Argument { index, wants, .. } => {
                write!(f, "argument {} should be {wants}", index + 1)
            }
            SortError::Index(what) => f.write_str(what),
        }
    }
}

/// The widest word we make; wider ones are a typing error, not an exhausted memory.
pub const MAX_WIDTH: u32 = 1 << 24;

struct Typing<'a> {
    store: &'a mut Store,
    args: &'a [TermId],
}

impl Typing<'_> {
    fn arity(&self, count: usize, wants: &'static str) -> Result<(), SortError> {
        if self.args.len() == count {
            Ok(())
        } else {
            Err(SortError::Arity { wants, got: self.args.len() })
        }
    }

    fn at_least(&self, count: usize, wants: &'static str) -> Result<(), SortError> {
        if self.args.len() >= count {
            Ok(())
        } else {
            Err(SortError::Arity { wants, got: self.args.len() })
        }
    }

    fn sort(&self, index: usize) -> SortId {
        self.store.sort(self.args[index])
    }

    fn wrong<T>(&self, index: usize, wants: impl Into<String>) -> Result<T, SortError> {
        Err(SortError::Argument { index, wants: wants.into(), got: self.sort(index) })
    }

    fn is(&self, index: usize, sort: SortId) -> Result<(), SortError> {
        if self.sort(index) == sort {
            Ok(())
        } else {
            self.wrong(index, format!("of sort {}", self.store.show_sort(sort)))
        }
    }

    fn all(&self, sort: SortId) -> Result<(), SortError> {
        (0..self.args.len()).try_for_each(|index| self.is(index, sort))
    }

    fn arithmetic(&self) -> Result<SortId, SortError> {
        let sort = self.sort(0);
        if !sort.is_arithmetic() {
            return self.wrong(0, "a number");
        }
        self.all(sort)?;
        Ok(sort)
    }

    fn word(&self, index: usize) -> Result<u32, SortError> {
        match self.store.width_of(self.sort(index)) {
            Some(width) => Ok(width),
            None => self.wrong(index, "a word (_ BitVec n)"),
        }
    }

    fn same_words(&self) -> Result<SortId, SortError> {
        self.arity(2, "two arguments")?;
        self.word(0)?;
        self.is(1, self.sort(0))?;
        Ok(self.sort(0))
    }

    fn widened(&mut self, width: Option<u32>) -> Result<SortId, SortError> {
        match width {
            Some(width @ 1..=MAX_WIDTH) => Ok(self.store.bv_sort(width)),
            _ => Err(SortError::Index("the word would be too wide")),
        }
    }

    fn array(&self, index: usize) -> Result<(SortId, SortId), SortError> {
        match self.store.sort_of(self.sort(index)) {
            Sort::Array(from, to) => Ok((*from, *to)),
            _ => self.wrong(index, "an array"),
        }
    }

    fn data(&self, ctor: crate::id::CtorId) -> Result<(), SortError> {
        let data = self.store.ctor(ctor).data;
        self.arity(1, "one argument")?;
        self.is(0, self.store.data(data).sort)
    }
}

/// The sort of `op` applied to `args`. Literals, variables and constant arrays carry their sort
/// and are not asked about.
/// One long match: an operator that has no line here does not compile.
pub(crate) fn result_sort(store: &mut Store, op: Op, args: &[TermId]) -> Result<SortId, SortError> {
    let mut t = Typing { store, args };
    match op {
        Op::True | Op::False => t.arity(0, "no argument").map(|()| SortId::BOOL),
        Op::IntVal(_) | Op::RealVal(_) | Op::BvVal(_) | Op::Var(_) | Op::ConstArray => {
            Err(SortError::Index("carries its own sort"))
        }
        Op::Apply(func) => {
            let decl = t.store.func(func);
            let (result, params) = (decl.result, decl.args.clone());
            if params.len() != args.len() {
                let wants = if params.is_empty() { "no arguments" } else { "as many as declared" };
                return Err(SortError::Arity { wants, got: args.len() });
            }
            params.iter().enumerate().try_for_each(|(index, &sort)| t.is(index, sort))?;
            Ok(result)
        }
        Op::Not => {
            t.arity(1, "one argument")?;
            t.all(SortId::BOOL).map(|()| SortId::BOOL)
        }
        Op::And | Op::Or => t.all(SortId::BOOL).map(|()| SortId::BOOL),
        Op::Eq => {
            t.arity(2, "two arguments")?;
            t.all(t.sort(0)).map(|()| SortId::BOOL)
        }
        Op::Distinct => {
            t.at_least(1, "at least one argument")?;
            t.all(t.sort(0)).map(|()| SortId::BOOL)
        }
        Op::Ite => {
            t.arity(3, "three arguments")?;
            t.is(0, SortId::BOOL)?;
            t.is(2, t.sort(1))?;
            Ok(t.sort(1))
        }
        Op::Forall | Op::Exists => {
            t.at_least(1, "variables and a body")?;
            let body = args.len() - 1;
            for (index, &var) in args[..body].iter().enumerate() {
                if !matches!(t.store.op(var), Op::Var(_)) {
                    return t.wrong(index, "a variable");
                }
            }
            t.is(body, SortId::BOOL).map(|()| SortId::BOOL)
        }
        Op::Add | Op::Mul => {
            t.at_least(1, "at least one argument")?;
            t.arithmetic()
        }
        Op::Le | Op::Lt => {
            t.arity(2, "two arguments")?;
            t.arithmetic().map(|_| SortId::BOOL)
        }
        Op::IntDiv | Op::Mod => {
            t.arity(2, "two arguments")?;
            t.all(SortId::INT).map(|()| SortId::INT)
        }
        Op::Abs => {
            t.arity(1, "one argument")?;
            t.all(SortId::INT).map(|()| SortId::INT)
        }
        Op::RealDiv => {
            t.arity(2, "two arguments")?;
            t.all(SortId::REAL).map(|()| SortId::REAL)
        }
        Op::ToReal => {
            t.arity(1, "one argument")?;
            t.all(SortId::INT).map(|()| SortId::REAL)
        }
        Op::ToInt | Op::IsInt => {
            t.arity(1, "one argument")?;
            t.all(SortId::REAL)?;
            Ok(if op == Op::ToInt { SortId::INT } else { SortId::BOOL })
        }
        Op::Concat => {
            t.arity(2, "two arguments")?;
            let width = t.word(0)?.checked_add(t.word(1)?);
            t.widened(width)
        }
        Op::Extract(high, low) => {
            t.arity(1, "one argument")?;
            let width = t.word(0)?;
            if low > high || high >= width {
                return Err(SortError::Index("the bits to extract must satisfy width > i >= j"));
            }
            t.widened(Some(high - low + 1))
        }
        Op::BvNot | Op::BvNeg => {
            t.arity(1, "one argument")?;
            t.word(0)?;
            Ok(t.sort(0))
        }
        Op::BvAnd
        | Op::BvOr
        | Op::BvXor
        | Op::BvAdd
        | Op::BvSub
        | Op::BvMul
        | Op::BvUdiv
        | Op::BvUrem
        | Op::BvSdiv
        | Op::BvSrem
        | Op::BvSmod
        | Op::BvShl
        | Op::BvLshr
        | Op::BvAshr => t.same_words(),
        Op::BvUlt
        | Op::BvUle
        | Op::BvSlt
        | Op::BvSle
        | Op::BvUaddo
        | Op::BvSaddo
        | Op::BvUsubo
        | Op::BvSsubo
        | Op::BvUmulo
        | Op::BvSmulo
        | Op::BvSdivo => t.same_words().map(|_| SortId::BOOL),
        Op::BvNego => {
            t.arity(1, "one argument")?;
            t.word(0).map(|_| SortId::BOOL)
        }
        Op::Repeat(times) => {
            t.arity(1, "one argument")?;
            if times == 0 {
                return Err(SortError::Index("a word is repeated at least once"));
            }
            let width = t.word(0)?.checked_mul(times);
            t.widened(width)
        }
        Op::ZeroExtend(by) | Op::SignExtend(by) => {
            t.arity(1, "one argument")?;
            let width = t.word(0)?.checked_add(by);
            t.widened(width)
        }
        Op::UbvToInt | Op::SbvToInt => {
            t.arity(1, "one argument")?;
            t.word(0).map(|_| SortId::INT)
        }
        Op::IntToBv(width) => {
            t.arity(1, "one argument")?;
            t.is(0, SortId::INT)?;
            t.widened(Some(width))
        }
        Op::Select => {
            t.arity(2, "an array and an index")?;
            let (from, to) = t.array(0)?;
            t.is(1, from).map(|()| to)
        }
        Op::Store => {
            t.arity(3, "an array, an index and a value")?;
            let (from, to) = t.array(0)?;
            t.is(1, from)?;
            t.is(2, to)?;
            Ok(t.sort(0))
        }
        Op::Construct(ctor) => {
            let fields: Vec<SortId> = t.store.ctor(ctor).fields.iter().map(|f| f.1).collect();
            if fields.len() != args.len() {
                return Err(SortError::Arity {
                    wants: "one argument for each field",
                    got: args.len(),
                });
            }
            fields.iter().enumerate().try_for_each(|(index, &sort)| t.is(index, sort))?;
            Ok(t.store.data(t.store.ctor(ctor).data).sort)
        }
        Op::Field(ctor, field) => {
            t.data(ctor)?;
            let fields = &t.store.ctor(ctor).fields;
            let found = fields.get(field as usize).map(|(_, sort)| *sort);
            found.ok_or(SortError::Index("the constructor has no such field"))
        }
        Op::Is(ctor) => t.data(ctor).map(|()| SortId::BOOL),
    }
}
