//! Terms over words compiled to instructions on registers of 64 bits.
//!
//! A truth value is 0 or 1, a word its bits from the right, with zeros in front: that is the invariant of every
//! register, and what keeps comparisons plain.

use alphorn_term::{Op, SortId, Store, TermId, Value};
use rustc_hash::FxHashMap;

/// What an instruction does with the registers `a`, `b` and `c`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Code {
    Not,
    And,
    Or,
    Xor,
    Equal,
    Choose,
    Add,
    Sub,
    Mul,
    Divide,
    Remain,
    /// Signed, with the sign at bit `by - 1`: rounded towards zero, as the operators of terms are.
    SignedDivide,
    SignedRemain,
    Less,
    AtMost,
    SignedLess,
    SignedAtMost,
    ShiftLeft,
    ShiftRight,
    /// `a` before the `by` bits of `b`.
    Concat,
    /// The bits of `a` from `by` on.
    Extract,
    /// `a` with the sign at bit `by` spread.
    Sign,
}

#[derive(Clone, Copy, Debug)]
struct Instruction {
    code: Code,
    by: u8,
    to: u32,
    a: u32,
    b: u32,
    c: u32,
    mask: u64,
}

/// Compiled terms: pieces of a program that share registers.
#[derive(Clone, Debug, Default)]
pub(super) struct Program {
    instructions: Vec<Instruction>,
    /// The registers as they are before anything is run: constants are in their place.
    pub registers: Vec<u64>,
    places: FxHashMap<TermId, u32>,
}

fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width.clamp(1, 64))
}

/// The bits of values of a sort, if they fit into a register.
pub(super) fn width(store: &Store, sort: SortId) -> Option<u32> {
    if sort == SortId::BOOL { Some(1) } else { store.width_of(sort).filter(|width| *width <= 64) }
}

/// The bits of a value.
pub(super) fn bits(value: &Value) -> Option<u64> {
    match value {
        Value::Bool(value) => Some(u64::from(*value)),
        Value::Bv(value) => value.to_u64(),
        _ => None,
    }
}

impl Program {
    /// A register of its own for a variable.
    pub fn variable(&mut self, term: TermId) -> u32 {
        let place = self.registers.len() as u32;
        self.registers.push(0);
        self.places.insert(term, place);
        place
    }

    /// Where the next instruction will stand.
    pub fn len(&self) -> usize {
        self.instructions.len()
    }

    /// Runs the instructions from `from` to `to`.
    pub fn run(&self, from: usize, to: usize, registers: &mut [u64]) {
        for &Instruction { code, by, to, a, b, c, mask } in &self.instructions[from..to] {
            let (x, y) = (registers[a as usize], registers[b as usize]);
            let signed = |value: u64| ((value << (64 - by)) as i64) >> (64 - by);
            let value = match code {
                Code::Not => !x,
                Code::And => x & y,
                Code::Or => x | y,
                Code::Xor => x ^ y,
                Code::Equal => u64::from(x == y),
                Code::Choose => {
                    if x == 1 {
                        y
                    } else {
                        registers[c as usize]
                    }
                }
                Code::Add => x.wrapping_add(y),
                Code::Sub => x.wrapping_sub(y),
                Code::Mul => x.wrapping_mul(y),
                Code::Divide => x.checked_div(y).unwrap_or(u64::MAX),
                Code::Remain => x.checked_rem(y).unwrap_or(x),
                Code::SignedDivide => match signed(y) {
                    // By zero: 1 or -1, against the sign of the dividend.
                    0 if signed(x) < 0 => 1,
                    0 => u64::MAX,
                    divisor => signed(x).wrapping_div(divisor) as u64,
                },
                Code::SignedRemain => match signed(y) {
                    0 => x,
                    divisor => signed(x).wrapping_rem(divisor) as u64,
                },
                Code::Less => u64::from(x < y),
                Code::AtMost => u64::from(x <= y),
                Code::SignedLess => u64::from(signed(x) < signed(y)),
                Code::SignedAtMost => u64::from(signed(x) <= signed(y)),
                Code::ShiftLeft => {
                    if y < 64 {
                        x << y
                    } else {
                        0
                    }
                }
                Code::ShiftRight => {
                    if y < 64 {
                        x >> y
                    } else {
                        0
                    }
                }
                Code::Concat => x << by | y,
                Code::Extract => x >> by,
                Code::Sign => signed(x) as u64,
            };
            registers[to as usize] = value & mask;
        }
    }

    /// Compiles a term; nothing if it is made of what has no instruction. What is compiled lies behind what was.
    pub fn compile(&mut self, store: &Store, root: TermId) -> Option<u32> {
        let mut stack = vec![(root, false)];
        while let Some((term, is_ready)) = stack.pop() {
            if self.places.contains_key(&term) {
                continue;
            }
            if !is_ready {
                stack.push((term, true));
                stack.extend(store.args(term).iter().map(|arg| (*arg, false)));
                continue;
            }
            let place = self.emit(store, term)?;
            self.places.insert(term, place);
        }
        self.places.get(&root).copied()
    }

    fn emit(&mut self, store: &Store, term: TermId) -> Option<u32> {
        let wide = width(store, store.sort(term))?;
        if store.is_literal(term) {
            let value = bits(&store.literal_value(term)?)?;
            self.registers.push(value);
            return Some(self.registers.len() as u32 - 1);
        }
        let args: Vec<u32> = store.args(term).iter().map(|arg| self.places[arg]).collect();
        let of = |position: usize| width(store, store.sort(store.args(term)[position]));
        let (code, by) = match store.op(term) {
            Op::Not | Op::BvNot => (Code::Not, 0),
            Op::And | Op::BvAnd => (Code::And, 0),
            Op::Or | Op::BvOr => (Code::Or, 0),
            Op::BvXor => (Code::Xor, 0),
            Op::Eq => (Code::Equal, 0),
            Op::Ite => (Code::Choose, 0),
            Op::BvAdd => (Code::Add, 0),
            Op::BvSub => (Code::Sub, 0),
            Op::BvMul => (Code::Mul, 0),
            Op::BvUdiv => (Code::Divide, 0),
            Op::BvUrem => (Code::Remain, 0),
            Op::BvSdiv => (Code::SignedDivide, wide),
            Op::BvSrem => (Code::SignedRemain, wide),
            Op::BvUlt => (Code::Less, 0),
            Op::BvUle => (Code::AtMost, 0),
            Op::BvSlt => (Code::SignedLess, of(0)?),
            Op::BvSle => (Code::SignedAtMost, of(0)?),
            Op::BvShl => (Code::ShiftLeft, 0),
            Op::BvLshr => (Code::ShiftRight, 0),
            Op::Concat => (Code::Concat, of(1)?),
            Op::Extract(_, low) => (Code::Extract, low),
            Op::SignExtend(_) => (Code::Sign, of(0)?),
            // Zeros stand in front already.
            Op::ZeroExtend(_) => return Some(args[0]),
            _ => return None,
        };
        // Sums, conjunctions and the like may have many arguments.
        let folds = matches!(code, Code::And | Code::Or | Code::Xor | Code::Add | Code::Mul);
        if args.len() > 2 && !folds && code != Code::Choose || args.is_empty() {
            return None;
        }
        let mut place = args[0];
        let rest = if code == Code::Choose || args.len() == 1 { 1 } else { args.len() - 1 };
        for step in 0..rest {
            let to = self.registers.len() as u32;
            self.registers.push(0);
            let b = args.get(step + 1).copied().unwrap_or(place);
            let c = args.get(2).copied().unwrap_or(place);
            let (by, mask) = (by as u8, mask(wide));
            self.instructions.push(Instruction { code, by, to, a: place, b, c, mask });
            place = to;
        }
        Some(place)
    }

    /// Forgets where the terms compiled since `from` are, so that what comes later does not rely on them: they are not
    /// always run.
    pub fn forget(&mut self, known: &FxHashMap<TermId, u32>) {
        self.places.clone_from(known);
    }

    /// Where terms are.
    pub fn known(&self) -> FxHashMap<TermId, u32> {
        self.places.clone()
    }
}
