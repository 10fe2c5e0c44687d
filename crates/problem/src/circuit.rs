//! Sequential circuits: and-inverter graphs with latches, as in AIGER 1.9.
//!
//! Variables are numbered as in the binary AIGER format: 0 is the constant false, then the
//! inputs, then the latches, then the and-gates. Invariant (`Circuit::validate`): every gate's
//! fan-ins are smaller than the gate itself, so one pass in order evaluates a circuit, and every
//! literal names a variable that exists.
//!
//! After Biere, Heljanko, Wieringa, "AIGER 1.9 and beyond" (2011). We differ in one point: a reset
//! may be any literal (a reset *function*), as the hardware competition allows since 2024; a latch
//! whose reset is its own literal is uninitialised.

use std::fmt;

/// A literal in AIGER's encoding: twice the variable, plus one when negated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lit(pub u32);

impl Lit {
    /// The constant false.
    pub const FALSE: Lit = Lit(0);
    /// The constant true.
    pub const TRUE: Lit = Lit(1);

    /// The literal of `var`, negated if `negated`.
    pub fn new(var: u32, negated: bool) -> Lit {
        Lit(var << 1 | u32::from(negated))
    }

    /// The variable.
    pub fn var(self) -> u32 {
        self.0 >> 1
    }

    /// Whether the literal is a negation.
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// The literal, negated once more if `negate`.
    pub fn xor(self, negate: bool) -> Lit {
        Lit(self.0 ^ u32::from(negate))
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.is_negated() { "!" } else { "" }, self.var())
    }
}

/// A latch: the value it takes next, and the value it starts with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Latch {
    /// The value in the next step.
    pub next: Lit,
    /// The value in the first step: a constant, a function of inputs and other latches' first
    /// values, or the latch's own literal when it may start with anything.
    pub reset: Lit,
}

/// An and-gate with its two fan-ins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct And {
    /// The larger fan-in in canonical files.
    pub left: Lit,
    /// The other fan-in.
    pub right: Lit,
}

/// The names a file gives to things, by their position in their section.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Symbols {
    /// Section letter (`i l o b c j f`), position and name, in the order of the file.
    pub entries: Vec<(u8, u32, String)>,
}

impl Symbols {
    /// The name of thing `index` of section `kind`, if the file gives one.
    pub fn name(&self, kind: u8, index: usize) -> Option<&str> {
        let hit = self.entries.iter().find(|(k, i, _)| *k == kind && *i as usize == index);
        hit.map(|(_, _, name)| name.as_str())
    }
}

/// A sequential circuit with its properties.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Circuit {
    /// How many inputs; they are the variables `1..=inputs`.
    pub inputs: u32,
    /// The latches; latch `i` is the variable `inputs + 1 + i`.
    pub latches: Vec<Latch>,
    /// The gates; gate `i` is the variable `inputs + latches.len() + 1 + i`.
    pub ands: Vec<And>,
    /// Outputs; in files without bad states these are the safety properties.
    pub outputs: Vec<Lit>,
    /// Bad states: safety properties, violated where the literal is true.
    pub bads: Vec<Lit>,
    /// Invariant constraints: only runs on which all are true in every step count.
    pub constraints: Vec<Lit>,
    /// Justice properties: violated by a run on which each literal of the set holds infinitely often.
    pub justice: Vec<Vec<Lit>>,
    /// Fairness constraints: only runs on which each is true infinitely often count.
    pub fairness: Vec<Lit>,
    /// Names of inputs, latches and properties, for people.
    pub symbols: Symbols,
    /// The comment section, without its leading `c` line.
    pub comments: Vec<u8>,
}

impl Circuit {
    /// The literal of input `index`.
    pub fn input(&self, index: usize) -> Lit {
        Lit::new(1 + index as u32, false)
    }

    /// The literal of latch `index`.
    pub fn latch(&self, index: usize) -> Lit {
        Lit::new(1 + self.inputs + index as u32, false)
    }

    /// The literal of gate `index`.
    pub fn gate(&self, index: usize) -> Lit {
        Lit::new(1 + self.inputs + (self.latches.len() + index) as u32, false)
    }

    /// The number of variables, the constant not counted.
    pub fn max_var(&self) -> u32 {
        self.inputs + (self.latches.len() + self.ands.len()) as u32
    }

    /// Whether latch `index` may start with either value.
    pub fn is_uninitialised(&self, index: usize) -> bool {
        self.latches[index].reset == self.latch(index)
    }

    /// The safety properties: the bad states, or the outputs of a file that has no property
    /// sections (the reading of AIGER before version 1.9).
    pub fn safety(&self) -> &[Lit] {
        if self.bads.is_empty() && self.justice.is_empty() { &self.outputs } else { &self.bads }
    }

    /// The section letter of what `safety` returns, for names and witnesses.
    pub fn safety_kind(&self) -> u8 {
        if self.bads.is_empty() && self.justice.is_empty() { b'o' } else { b'b' }
    }

    /// Checks the type's invariant, and that reset functions do not depend on themselves.
    pub fn validate(&self) -> Result<(), String> {
        let first_gate = 1 + self.inputs + self.latches.len() as u32;
        for (index, and) in self.ands.iter().enumerate() {
            let var = first_gate + index as u32;
            if and.left.var() >= var || and.right.var() >= var {
                return Err(format!("gate {var} uses a gate that is not before it"));
            }
        }
        let max = self.max_var();
        let everything = (self.latches.iter().flat_map(|l| [l.next, l.reset]))
            .chain(self.outputs.iter().copied())
            .chain(self.bads.iter().copied())
            .chain(self.constraints.iter().copied())
            .chain(self.justice.iter().flatten().copied())
            .chain(self.fairness.iter().copied());
        for lit in everything {
            if lit.var() > max {
                return Err(format!("literal {} names no variable of the circuit", lit.0));
            }
        }
        self.reset_order().map(|_| ())
    }

    /// The latches in an order in which their resets can be evaluated, or why there is none.
    pub fn reset_order(&self) -> Result<Vec<usize>, String> {
        let constant = |lit: Lit| lit.var() == 0;
        if (0..self.latches.len())
            .all(|i| constant(self.latches[i].reset) || self.is_uninitialised(i))
        {
            return Ok((0..self.latches.len()).collect());
        }
        let mut order = Vec::with_capacity(self.latches.len());
        let first_latch = 1 + self.inputs;
        // 0: not seen, 1: on the path, 2: done; per latch and gate. Inputs cost a file nothing,
        // so they must cost us nothing here.
        let mut state = vec![0u8; self.latches.len() + self.ands.len()];
        let first_gate = first_latch + self.latches.len() as u32;
        for root in 0..self.latches.len() {
            let mut stack = vec![(first_latch + root as u32, false)];
            while let Some((var, leaving)) = stack.pop() {
                let Some(at) = var.checked_sub(first_latch).map(|at| at as usize) else { continue };
                if leaving {
                    state[at] = 2;
                    if (first_latch..first_gate).contains(&var) {
                        order.push((var - first_latch) as usize);
                    }
                    continue;
                }
                match state[at] {
                    2 => continue,
                    1 => return Err(format!("the reset of variable {var} depends on itself")),
                    _ => {}
                }
                state[at] = 1;
                stack.push((var, true));
                if var >= first_gate {
                    let and = self.ands[(var - first_gate) as usize];
                    stack.extend([(and.left.var(), false), (and.right.var(), false)]);
                } else if var >= first_latch {
                    let latch = self.latches[(var - first_latch) as usize];
                    // Its own literal means uninitialised; its negation is a cycle.
                    if latch.reset != Lit::new(var, false) {
                        stack.push((latch.reset.var(), false));
                    }
                }
            }
        }
        Ok(order)
    }

    /// The latches that have a reset, and the gates those read, each after what it reads.
    pub fn reset_schedule(&self) -> Vec<u32> {
        let (first_latch, first_gate) = (1 + self.inputs, self.gate(0).var());
        let mut schedule = Vec::new();
        let mut seen = vec![false; self.max_var() as usize + 1];
        let mut stack: Vec<(u32, bool)> = Vec::new();
        for index in 0..self.latches.len() {
            stack.push((self.latch(index).var(), false));
            while let Some((var, is_leaving)) = stack.pop() {
                if is_leaving {
                    schedule.push(var);
                    continue;
                }
                if std::mem::replace(&mut seen[var as usize], true) {
                    continue;
                }
                if let Some(gate) = var.checked_sub(first_gate) {
                    let and = self.ands[gate as usize];
                    stack.push((var, true));
                    stack.extend([(and.left.var(), false), (and.right.var(), false)]);
                } else if let Some(latch) = var.checked_sub(first_latch).map(|at| at as usize)
                    && !self.is_uninitialised(latch)
                {
                    stack.push((var, true));
                    stack.push((self.latches[latch].reset.var(), false));
                }
            }
        }
        schedule
    }
}
