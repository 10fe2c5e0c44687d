//! A recorded sequence of calls to one or more solvers, and what carries the calls out.
//!
//! A trace is an array of 32-bit words, little endian in files: operation after operation, each a
//! code from `op` and its operands; a list is its length and its items; literals are `2v` and
//! `2v + 1`, variable 0 is false. Groups and solvers are named by small numbers. A domain is given by
//! its roots: it is their cone along the gates of the trace, and the variables kept in all domains.

use alphorn_sat::{Answer, Group, Lit, Options, Solver, Var};

/// Operation codes, with their operands.
pub mod op {
    /// Number of a solver, which the following operations address.
    pub const SOLVER: u32 = 0;
    /// How many variables the solver has from here on.
    pub const VARIABLES: u32 = 1;
    /// Output, left and right input: the three clauses of an and-gate, a definition.
    pub const GATE: u32 = 2;
    /// List of literals.
    pub const CLAUSE: u32 = 3;
    /// Number of a group, which must be unused.
    pub const GROUP: u32 = 4;
    /// Group, list of literals.
    pub const GROUP_CLAUSE: u32 = 5;
    /// Group.
    pub const RELEASE: u32 = 6;
    /// List of variables that all domains contain, with their cones.
    pub const KEEP: u32 = 7;
    /// List of variables whose cone is the domain.
    pub const DOMAIN: u32 = 8;
    /// Answer (0 or 1 for sat), list of groups that hold, list of assumptions, list of literals of
    /// the temporary clause; an empty list is no clause.
    pub const QUERY: u32 = 9;
}

/// A solver, with what is needed to compute cones.
pub struct Side {
    pub solver: Solver,
    pub uses_domain: bool,
    /// Whether the solver is told which clauses are gates.
    pub uses_definitions: bool,
    /// The inputs of the gate that defines a variable, or twice `NO_GATE`.
    gates: Vec<[u32; 2]>,
    stamp: Vec<u32>,
    clock: u32,
    stack: Vec<u32>,
    pub cone: Vec<Var>,
    groups: Vec<Option<Group>>,
    assumptions: Vec<Lit>,
    /// Sum of the sizes of the domains that were set.
    pub domain_sum: u64,
    pub domains: u64,
}

const NO_GATE: u32 = u32::MAX;

impl Side {
    pub fn new(options: Options, uses_domain: bool, uses_definitions: bool) -> Side {
        Side {
            solver: Solver::new(options),
            uses_domain,
            uses_definitions,
            gates: Vec::new(),
            stamp: Vec::new(),
            clock: 0,
            stack: Vec::new(),
            cone: Vec::new(),
            groups: Vec::new(),
            assumptions: Vec::new(),
            domain_sum: 0,
            domains: 0,
        }
    }

    pub fn set_variables(&mut self, count: u32) {
        while (self.gates.len() as u32) < count {
            self.solver.new_var();
            self.gates.push([NO_GATE; 2]);
            self.stamp.push(0);
        }
    }

    pub fn add_gate(&mut self, out: u32, left: u32, right: u32) {
        self.gates[out as usize >> 1] = [left >> 1, right >> 1];
        let [out, left, right] = [out, left, right].map(Lit::from_code);
        if self.uses_definitions {
            self.solver.define_and(out.var(), left, right);
            return;
        }
        self.solver.add_clause(&[!out, left]);
        self.solver.add_clause(&[!out, right]);
        self.solver.add_clause(&[out, !left, !right]);
    }

    pub fn new_group(&mut self, name: u32) {
        let name = name as usize;
        if self.groups.len() <= name {
            self.groups.resize(name + 1, None);
        }
        self.groups[name] = Some(self.solver.new_group());
    }

    fn group(&self, name: u32) -> Group {
        self.groups[name as usize].expect("a trace uses the groups it has made")
    }

    pub fn add_to_group(&mut self, name: u32, clause: &[Lit]) {
        self.solver.add_to_group(self.group(name), clause);
    }

    pub fn release_group(&mut self, name: u32) {
        self.solver.release_group(self.group(name));
        self.groups[name as usize] = None;
    }

    /// Collects the variables that define the roots, and these, in `cone`.
    pub fn reach(&mut self, roots: &[u32]) {
        self.clock += 1;
        self.cone.clear();
        self.stack.extend_from_slice(roots);
        while let Some(var) = self.stack.pop() {
            if self.stamp[var as usize] == self.clock {
                continue;
            }
            self.stamp[var as usize] = self.clock;
            self.cone.push(Var(var));
            let [left, right] = self.gates[var as usize];
            if left != NO_GATE {
                self.stack.extend([right, left]);
            }
        }
    }

    pub fn keep(&mut self, roots: &[u32]) {
        if self.uses_domain {
            self.reach(roots);
            self.solver.keep_in_domain(&self.cone);
        }
    }

    pub fn set_domain(&mut self, roots: &[u32]) {
        if self.uses_domain {
            self.reach(roots);
            self.domain_sum += self.cone.len() as u64;
            self.domains += 1;
            self.solver.set_domain(&self.cone);
        }
    }

    pub fn solve(&mut self, groups: &[u32], assumptions: &[Lit], clause: &[Lit]) -> Answer {
        let mut all = std::mem::take(&mut self.assumptions);
        all.clear();
        all.extend(groups.iter().map(|name| self.group(*name).lit()));
        all.extend_from_slice(assumptions);
        let answer = if clause.is_empty() {
            self.solver.solve(&all)
        } else {
            self.solver.solve_with_clause(&all, clause)
        };
        self.assumptions = all;
        answer
    }
}
