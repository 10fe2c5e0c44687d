//! Drawing choices.
//!
//! Every run has a manner: small numbers, numbers of the program and their neighbours, ends of ranges,
//! any number, numbers of any size, all of these, one number throughout. In each, earlier numbers come back now
//! and then. A list of choices that went somewhere can be followed first. Threads have a pace in each run, too: any turns,
//! few of them (most violations need few switches between threads), or the same number of steps for each in turn.

use crate::settings::RUNS_MAX_CELLS;
use alphorn_engine::Rng;
use alphorn_problem::Span;
use alphorn_program::c::layout::{DataModel, IntKind, Type, TypeId};
use alphorn_program::c::property::{Asked, Choice};
use alphorn_program::c::run::{Chooser, IntType, Runnable, Wanted};

/// More steps than a thread takes at a time.
pub const MANY_STEPS: u64 = 1 << 20;

/// Which numbers are likely when choices are drawn; programs hide their violations in different places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// From -2 to 8.
    Small,
    /// Numbers of the program, and those beside them.
    Constants,
    /// The ends of the range, and the middle.
    Ends,
    /// Any.
    Uniform,
    /// Any number of bits, then any number of so many.
    Sizes,
    /// All of these.
    Mixed,
    /// The same again and again.
    Same,
    /// 0 and 1.
    Bits,
}

/// How threads take turns in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pace {
    /// Anybody, for few steps or many.
    Any,
    /// Each runs as long as it can, but for so many times.
    Few(u32),
    /// One after the other, so many steps each. The first, which often creates the others and then looks at what they
    /// did, may have so many steps at the beginning, and then goes on where no other one can.
    Round(u64, Option<u64>),
}

/// All manners, in the order in which they are tried.
pub const MANNERS: [Manner; 8] = [
    Manner::Small,
    Manner::Constants,
    Manner::Bits,
    Manner::Mixed,
    Manner::Ends,
    Manner::Sizes,
    Manner::Same,
    Manner::Uniform,
];

/// Numbers that occur in a program, from which choices are drawn, too.
#[derive(Clone, Debug)]
pub struct Source {
    /// Numbers of the program, in order.
    constants: Vec<i128>,
    model: DataModel,
}

impl Source {
    /// The numbers that occur in this program.
    pub fn new(program: &Runnable) -> Source {
        let constants = program.constants().into_iter().collect();
        Source { constants, model: program.task().unit.types.model }
    }
}

/// Draws choices, after those of a list.
pub struct Drawn<'a> {
    program: &'a Runnable,
    source: &'a Source,
    rng: &'a mut Rng,
    manner: Manner,
    list: &'a [Choice],
    next: usize,
    earlier: Vec<i128>,
    same: Option<i128>,
    pace: Option<Pace>,
}

impl<'a> Drawn<'a> {
    /// Choices in a manner, after those of the list.
    pub fn new(
        program: &'a Runnable,
        source: &'a Source,
        rng: &'a mut Rng,
        manner: Manner,
        list: &'a [Choice],
    ) -> Drawn<'a> {
        Drawn {
            program,
            source,
            rng,
            manner,
            list,
            next: 0,
            earlier: Vec::new(),
            same: None,
            pace: None,
        }
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.rng.below(bound)
    }

    /// Any number of up to so many bits.
    fn bits(&mut self, bits: u32) -> i128 {
        let all = u128::from(self.rng.next_u64()) << 64 | u128::from(self.rng.next_u64());
        if bits == 0 { 0 } else { (all >> (128 - bits)) as i128 }
    }

    /// A number of a type.
    fn number(&mut self, ty: IntType) -> i128 {
        if !self.earlier.is_empty() && self.below(5) == 0 {
            let index = self.below(self.earlier.len() as u64) as usize;
            let near = i128::from(self.below(3)) - 1;
            return ty.wrap(self.earlier[index].wrapping_add(near));
        }
        let number = self.fresh(self.manner, ty);
        if self.earlier.len() < 64 {
            self.earlier.push(number);
        }
        number
    }

    fn fresh(&mut self, manner: Manner, ty: IntType) -> i128 {
        let (low, high) = ty.range();
        let number = match manner {
            Manner::Small => i128::from(self.below(11)) - 2,
            Manner::Bits => i128::from(self.below(2)),
            Manner::Constants if self.source.constants.is_empty() => i128::from(self.below(5)),
            Manner::Constants => {
                let index = self.below(self.source.constants.len() as u64) as usize;
                let near = i128::from(self.below(5)) - 2;
                self.source.constants[index].wrapping_add(near)
            }
            Manner::Ends => {
                let middle = low / 2 + high / 2;
                let ends = [low, high, 0, middle, low / 2, high / 2];
                let index = self.below(ends.len() as u64) as usize;
                let near = i128::from(self.below(5)) - 2;
                ends[index].wrapping_add(near).clamp(low, high)
            }
            Manner::Uniform => self.bits(ty.bits),
            Manner::Sizes => {
                let bits = self.below(u64::from(ty.bits) + 1) as u32;
                let number = self.bits(bits);
                if ty.is_signed && self.below(2) == 0 { number.wrapping_neg() } else { number }
            }
            Manner::Mixed => {
                let manners = [
                    Manner::Small,
                    Manner::Constants,
                    Manner::Ends,
                    Manner::Sizes,
                    Manner::Bits,
                    Manner::Small,
                ];
                let index = self.below(manners.len() as u64) as usize;
                return self.fresh(manners[index], ty);
            }
            Manner::Same => match self.same {
                Some(number) => number,
                None => {
                    let number = self.fresh(Manner::Mixed, ty);
                    self.same = Some(number);
                    number
                }
            },
        };
        ty.wrap(number)
    }

    /// A number, of no type in particular.
    pub fn some_number(&mut self) -> i128 {
        self.fresh(self.manner, IntType { bits: 32, is_signed: true, is_bool: false })
    }

    /// A thread of those that can go on, by the pace of the run. Who would end the run mostly lets others go first.
    fn turn(&mut self, ready: u64, current: u32, is_at_rest: bool) -> Choice {
        let others = ready & !(1 << current);
        let ready = match is_at_rest && others != 0 && self.below(8) != 0 {
            true => others,
            false => ready,
        };
        let pace = match self.pace {
            Some(pace) => pace,
            None => match self.below(8) {
                0..4 => Pace::Any,
                4..7 => Pace::Few(1 + self.below(4) as u32),
                _ => {
                    let steps = 1 + self.below(6);
                    let is_first_apart = self.below(2) == 0;
                    Pace::Round(steps, is_first_apart.then(|| 1 + self.below(4)))
                }
            },
        };
        self.pace = Some(pace);
        match pace {
            Pace::Any => {
                let thread = self.some_thread(ready);
                let most = [1, 3, 10, 100][self.below(4) as usize];
                Choice::Turn { thread, points: 1 + self.below(most) }
            }
            Pace::Few(left) => {
                let thread = self.some_thread(ready);
                let is_cut = left > 0 && self.below(2) == 0;
                let most = [4, 12, 40][self.below(3) as usize];
                let points = if is_cut { 1 + self.below(most) } else { MANY_STEPS };
                self.pace = Some(Pace::Few(left - u32::from(is_cut)));
                Choice::Turn { thread, points }
            }
            Pace::Round(points, Some(first)) if first > 0 && ready & 1 == 1 => {
                self.pace = Some(Pace::Round(points, Some(0)));
                Choice::Turn { thread: 0, points: first }
            }
            Pace::Round(points, first) => {
                let others = ready & !1;
                let ready = if first.is_some() && others != 0 { others } else { ready };
                // The next one behind the last.
                let behind = ready & !(u64::MAX >> (63 - current.min(63)));
                let next = if behind == 0 { ready } else { behind };
                Choice::Turn { thread: next.trailing_zeros(), points }
            }
        }
    }

    /// Some thread of those that can go on.
    fn some_thread(&mut self, ready: u64) -> u32 {
        let mut left = self.below(u64::from(ready.count_ones()));
        let mut rest = ready;
        while left > 0 {
            rest &= rest - 1;
            left -= 1;
        }
        rest.trailing_zeros()
    }

    /// What an object has in it, whose scalars are of a size.
    fn contents(&mut self, size: u64, stride: u64) -> Choice {
        let bits = (stride * 8).min(64) as u32;
        let ty = IntType { bits, is_signed: true, is_bool: false };
        let default = self.fresh(self.manner, ty);
        let mut cells = Vec::new();
        if self.below(3) != 0 {
            let count = (size / stride.max(1)).min(RUNS_MAX_CELLS.get());
            for index in 0..count {
                let number = self.number(ty);
                cells.push((index * stride, number));
            }
        }
        Choice::Contents { cells, default }
    }

    /// The size of the scalars in what is asked for.
    fn stride(&self, asked: Asked) -> u64 {
        let unit = &self.program.task().unit;
        match asked {
            Asked::Variable(var) => {
                let types = &unit.types;
                let mut ty: TypeId = unit.var(var).ty;
                loop {
                    match types.get(ty) {
                        Type::Array(element, _) => ty = *element,
                        Type::Record(record) => match types.record(*record).fields.first() {
                            Some(field) => ty = field.ty,
                            None => return 4,
                        },
                        _ => return types.size(ty).unwrap_or(4).clamp(1, 16),
                    }
                }
            }
            _ => 4,
        }
    }
}

impl Chooser for Drawn<'_> {
    fn choose(&mut self, asked: Asked, wanted: Wanted, _: Span) -> Option<Choice> {
        let listed = self.list.get(self.next);
        self.next += 1;
        let model = self.source.model;
        Some(match (wanted, listed) {
            (Wanted::Int(kind), Some(Choice::Value(number))) => {
                Choice::Value(IntType::new(kind, model).wrap(*number))
            }
            (Wanted::Int(kind), _) => Choice::Value(self.number(IntType::new(kind, model))),
            (Wanted::Pointer, Some(Choice::Value(number))) => {
                Choice::Value(IntType::new(IntKind::UnsignedLong, model).wrap(*number))
            }
            (Wanted::Pointer, _) => Choice::Value(i128::from(self.below(4) == 0)),
            (Wanted::Contents(_), Some(contents @ Choice::Contents { .. })) => contents.clone(),
            (Wanted::Contents(size), _) => {
                let stride = self.stride(asked);
                self.contents(size, stride)
            }
            (Wanted::Allocated, Some(Choice::Allocated(is_there))) => Choice::Allocated(*is_there),
            (Wanted::Allocated, _) => Choice::Allocated(self.below(12) != 0),
            (Wanted::Turn { ready, .. }, Some(Choice::Turn { thread, points }))
                if *points > 0 && *thread < 64 && ready >> thread & 1 == 1 =>
            {
                Choice::Turn { thread: *thread, points: *points }
            }
            (Wanted::Turn { ready, current, is_at_rest }, _) => {
                self.turn(ready, current, is_at_rest)
            }
        })
    }
}
