//! From terms to lines, without recursion.
//!
//! A conjunction of many is a tree of binary lines. Constructors of terms merge a conjunction into
//! another while it has at most `FLAT` arguments; the tree is such that reading it merges all of
//! up to twice as many arguments again, and that the text of longer ones does not change by
//! reading and printing it.

use super::Printer;
use crate::diag::Diagnostic;
use alphorn_term::{Bv, Op, Sort, SortId, TermId};

/// How many arguments a conjunction may have to be merged into another one.
const FLAT: usize = 8;

/// What is left to do.
#[derive(Clone, Copy)]
enum Task {
    /// Give the term a line.
    Visit(TermId),
    /// The arguments have lines: give the term one.
    Finish(TermId),
    /// Put the term's line on the stack of things to join.
    Push(TermId),
    /// Join the last two things by an operator.
    Join(&'static str),
    /// What was joined is the term.
    Close(TermId),
}

impl Printer<'_> {
    /// The line of a term.
    pub(super) fn value(&mut self, root: TermId) -> Result<u64, Diagnostic> {
        let mut tasks = vec![Task::Visit(root)];
        let mut joined: Vec<u64> = Vec::new();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Visit(term) if self.ids.contains_key(&term) => {}
                Task::Visit(term) => self.visit(term, &mut tasks)?,
                Task::Finish(term) => {
                    let id = self.finish(term)?;
                    self.ids.insert(term, id);
                }
                Task::Push(term) => joined.push(self.ids[&term]),
                Task::Join(operator) => {
                    let right = joined.pop().expect("two things were pushed before");
                    let left = joined.pop().expect("two things were pushed before");
                    let sort = self.lines.bitvec(1);
                    joined.push(self.lines.define(operator, sort, &[left, right]));
                }
                Task::Close(term) => {
                    let id = joined.pop().expect("the joined arguments are one thing");
                    self.ids.insert(term, id);
                }
            }
        }
        Ok(self.ids[&root])
    }

    fn visit(&mut self, term: TermId, tasks: &mut Vec<Task>) -> Result<(), Diagnostic> {
        let args = self.store.args(term);
        match self.store.op(term) {
            op @ (Op::And | Op::Or) if args.len() > 1 => {
                tasks.push(Task::Close(term));
                let plan = junction(if op == Op::And { "and" } else { "or" }, args);
                tasks.extend(plan.into_iter().rev());
            }
            Op::Forall | Op::Exists => return self.refuse("BTOR2 has no quantifiers"),
            _ => {
                tasks.push(Task::Finish(term));
                // Where a literal only says how a bit is looked at it gets no line.
                match self.same_bit(term) {
                    Some((inner, _)) => tasks.push(Task::Visit(inner)),
                    None => tasks.extend(args.iter().rev().map(|arg| Task::Visit(*arg))),
                }
            }
        }
        Ok(())
    }

    /// The term of one bit that a conversion between words and Booleans is about, and whether it
    /// is negated on the way.
    fn same_bit(&self, term: TermId) -> Option<(TermId, bool)> {
        let bit = |term: TermId| {
            self.store
                .bv_value(term)
                .filter(|value| value.width() == 1)
                .map(|value| value.is_ones())
        };
        match (self.store.op(term), self.store.args(term)) {
            (Op::Eq, &[a, b]) => match (bit(a), bit(b)) {
                (_, Some(value)) => Some((a, !value)),
                (Some(value), _) => Some((b, !value)),
                _ => None,
            },
            (Op::Ite, &[condition, a, b]) => match (bit(a)?, bit(b)?) {
                (true, false) => Some((condition, false)),
                (false, true) => Some((condition, true)),
                _ => None,
            },
            _ => None,
        }
    }

    fn finish(&mut self, term: TermId) -> Result<u64, Diagnostic> {
        if let Some((inner, negated)) = self.same_bit(term) {
            let id = self.ids[&inner];
            let bit = self.lines.bitvec(1);
            return Ok(if negated { self.lines.define("not", bit, &[id]) } else { id });
        }
        let args: Vec<u64> = self.store.args(term).iter().map(|arg| self.ids[arg]).collect();
        let op = self.store.op(term);
        if let Some(operator) = direct(op) {
            let sort = self.sort(self.store.sort(term))?;
            return Ok(self.lines.define(operator, sort, &args));
        }
        let number = u64::from;
        Ok(match op {
            Op::True => self.lines.constant(&Bv::from_bool(true)),
            Op::False => self.lines.constant(&Bv::from_bool(false)),
            Op::BvVal(_) => {
                let value = self.store.bv_value(term).expect("the term is a word literal");
                self.lines.constant(value)
            }
            Op::Extract(high, low) => {
                let sort = self.sort(self.store.sort(term))?;
                self.lines.define("slice", sort, &[args[0], number(high), number(low)])
            }
            Op::ZeroExtend(by) | Op::SignExtend(by) => {
                let sort = self.sort(self.store.sort(term))?;
                let operator = if matches!(op, Op::ZeroExtend(_)) { "uext" } else { "sext" };
                self.lines.define(operator, sort, &[args[0], number(by)])
            }
            Op::Repeat(times) => {
                let width = self.store.width(self.store.args(term)[0]);
                self.repeat(args[0], width, times)
            }
            Op::BvNego => {
                let width = self.store.width(self.store.args(term)[0]);
                let least = self.lines.constant(&Bv::min_signed(width));
                let bit = self.lines.bitvec(1);
                self.lines.define("eq", bit, &[args[0], least])
            }
            Op::Distinct => self.distinct(&args),
            Op::And | Op::Or => args[0],
            Op::ConstArray => {
                return self.refuse("BTOR2 has no array that is one changing value everywhere");
            }
            Op::Var(_) => {
                let name = self.store.var_name(term).unwrap_or("?");
                return self.refuse(format!("the variable {name} is neither input nor state"));
            }
            Op::Apply(_) => return self.refuse("BTOR2 has no functions"),
            _ => {
                let sort = self.store.show_sort(self.store.sort(term)).to_string();
                return self.refuse(format!("BTOR2 has words and arrays only, no terms of {sort}"));
            }
        })
    }

    /// The word, `times` times, by doubling.
    fn repeat(&mut self, word: u64, width: u32, times: u32) -> u64 {
        let (mut result, mut length) = (word, 1u32);
        for bit in (0..times.ilog2()).rev() {
            length *= 2;
            let sort = self.lines.bitvec(length * width);
            result = self.lines.define("concat", sort, &[result, result]);
            if times >> bit & 1 == 1 {
                length += 1;
                let sort = self.lines.bitvec(length * width);
                result = self.lines.define("concat", sort, &[result, word]);
            }
        }
        result
    }

    fn distinct(&mut self, args: &[u64]) -> u64 {
        let bit = self.lines.bitvec(1);
        let mut all = None;
        for (place, left) in args.iter().enumerate() {
            for right in &args[place + 1..] {
                let same = self.lines.define("eq", bit, &[*left, *right]);
                let differ = self.lines.define("not", bit, &[same]);
                all = Some(match all {
                    Some(all) => self.lines.define("and", bit, &[all, differ]),
                    None => differ,
                });
            }
        }
        all.unwrap_or_else(|| self.lines.constant(&Bv::from_bool(true)))
    }

    /// The line of a sort.
    pub(super) fn sort(&mut self, sort: SortId) -> Result<u64, Diagnostic> {
        match *self.store.sort_of(sort) {
            Sort::Bool => Ok(self.lines.bitvec(1)),
            Sort::BitVec(width) => Ok(self.lines.bitvec(width)),
            Sort::Array(index, element) => {
                let (index, element) = (self.sort(index)?, self.sort(element)?);
                Ok(self.lines.array(index, element))
            }
            _ => {
                let shown = self.store.show_sort(sort).to_string();
                self.refuse(format!("BTOR2 has no sort {shown}"))
            }
        }
    }
}

/// How the arguments of a conjunction or disjunction are joined: eight by eight, and twice eight
/// are the first of the next twice eight.
fn junction(operator: &'static str, args: &[TermId]) -> Vec<Task> {
    let mut plan = Vec::with_capacity(3 * args.len());
    let mut rest = args;
    let mut in_hand = 0;
    while !rest.is_empty() {
        for half in 0..2 {
            let (now, later) = rest.split_at(rest.len().min(FLAT - in_hand));
            rest = later;
            for arg in now {
                plan.extend([Task::Visit(*arg), Task::Push(*arg)]);
                if in_hand > 0 {
                    plan.push(Task::Join(operator));
                }
                in_hand = 1;
            }
            if half == 1 && !now.is_empty() {
                plan.push(Task::Join(operator));
            }
            in_hand = 0;
        }
        in_hand = 1;
    }
    plan
}

/// The operator that does the same to the same arguments.
fn direct(op: Op) -> Option<&'static str> {
    Some(match op {
        Op::Not | Op::BvNot => "not",
        Op::Eq => "eq",
        Op::Ite => "ite",
        Op::Concat => "concat",
        Op::BvNeg => "neg",
        Op::BvAnd => "and",
        Op::BvOr => "or",
        Op::BvXor => "xor",
        Op::BvAdd => "add",
        Op::BvSub => "sub",
        Op::BvMul => "mul",
        Op::BvUdiv => "udiv",
        Op::BvUrem => "urem",
        Op::BvSdiv => "sdiv",
        Op::BvSrem => "srem",
        Op::BvSmod => "smod",
        Op::BvShl => "sll",
        Op::BvLshr => "srl",
        Op::BvAshr => "sra",
        Op::BvUlt => "ult",
        Op::BvUle => "ulte",
        Op::BvSlt => "slt",
        Op::BvSle => "slte",
        Op::BvUaddo => "uaddo",
        Op::BvSaddo => "saddo",
        Op::BvUsubo => "usubo",
        Op::BvSsubo => "ssubo",
        Op::BvUmulo => "umulo",
        Op::BvSmulo => "smulo",
        Op::BvSdivo => "sdivo",
        Op::Select => "read",
        Op::Store => "write",
        _ => return None,
    })
}
