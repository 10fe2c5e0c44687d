//! A small solver that writes LRAT: backtracking with unit propagation, for tests alone.
//!
//! At a conflict it adds the clause that excludes the decisions involved; its hints are the
//! clauses that propagated, in order. A clause without decisions is empty and ends the proof.

use alphorn_problem::evidence::circuit::{Lrat, LratStep};

/// A refutation of `clauses`, or nothing if they have a model.
pub fn refutation<'a>(clauses: impl IntoIterator<Item = &'a [i32]>) -> Option<Lrat> {
    let clauses: Vec<Vec<i32>> = clauses.into_iter().map(<[i32]>::to_vec).collect();
    let largest = clauses.iter().flatten().map(|lit| lit.unsigned_abs()).max().unwrap_or(0);
    let variables = largest as usize + 1;
    let mut search = Search {
        occurs: vec![false; variables],
        is_true: vec![false; 2 * variables],
        trail: Vec::new(),
        steps: Vec::new(),
        clauses,
    };
    for lit in search.clauses.iter().flatten() {
        search.occurs[lit.unsigned_abs() as usize] = true;
    }
    search.run()?;
    Some(Lrat { steps: search.steps })
}

struct Search {
    clauses: Vec<Vec<i32>>,
    occurs: Vec<bool>,
    is_true: Vec<bool>,
    /// True literals and the clauses that made them so.
    trail: Vec<(i32, Option<usize>)>,
    steps: Vec<LratStep>,
}

fn code(lit: i32) -> usize {
    2 * lit.unsigned_abs() as usize + usize::from(lit < 0)
}

impl Search {
    /// The position of a clause that the decisions falsify, or nothing if there is a model.
    fn run(&mut self) -> Option<usize> {
        loop {
            if let Some(conflict) = self.propagate() {
                return Some(self.learn(conflict));
            }
            let is_open = |var: &usize| {
                self.occurs[*var] && !self.is_true[2 * var] && !self.is_true[2 * var + 1]
            };
            let var = (1..self.occurs.len()).find(is_open)?;
            let length = self.trail.len();
            self.assign(-(var as i32), None);
            let learned = self.run()?;
            while self.trail.len() > length {
                let (lit, _) = self.trail.pop().expect("the trail is longer than before");
                self.is_true[code(lit)] = false;
            }
            if self.clauses[learned].iter().all(|lit| self.is_true[code(-lit)]) {
                return Some(learned);
            }
        }
    }

    fn assign(&mut self, lit: i32, reason: Option<usize>) {
        self.is_true[code(lit)] = true;
        self.trail.push((lit, reason));
    }

    fn propagate(&mut self) -> Option<usize> {
        loop {
            let before = self.trail.len();
            for index in 0..self.clauses.len() {
                let clause = &self.clauses[index];
                if clause.iter().any(|lit| self.is_true[code(*lit)]) {
                    continue;
                }
                let mut open = clause.iter().filter(|lit| !self.is_true[code(-**lit)]);
                match (open.next(), open.next()) {
                    (None, _) => return Some(index),
                    (Some(&lit), None) => self.assign(lit, Some(index)),
                    _ => {}
                }
            }
            if self.trail.len() == before {
                return None;
            }
        }
    }

    fn learn(&mut self, conflict: usize) -> usize {
        let mut needed = vec![false; self.is_true.len()];
        self.clauses[conflict].iter().for_each(|lit| needed[code(-lit)] = true);
        let mut clause = Vec::new();
        let mut hints = vec![conflict as i64 + 1];
        for (lit, reason) in self.trail.iter().rev() {
            match reason {
                _ if !needed[code(*lit)] => {}
                None => clause.push(-lit),
                Some(reason) => {
                    hints.push(*reason as i64 + 1);
                    let others = self.clauses[*reason].iter().filter(|other| *other != lit);
                    others.for_each(|other| needed[code(-other)] = true);
                }
            }
        }
        hints.reverse();
        let id = self.clauses.len() as u64 + 1;
        self.steps.push(LratStep::Add { id, clause: clause.clone(), hints });
        self.clauses.push(clause);
        self.clauses.len() - 1
    }
}
