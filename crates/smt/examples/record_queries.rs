//! Records small queries of the kinds Horn engines ask, and replays them with fresh solvers.
//!
//! For each clause there is a solver with its constraint, over variables for the arguments of the
//! body's atoms and of the head. Two loops ask queries whose assumptions are comparisons of
//! arguments: conjunctions of candidates per predicate are weakened until they are inductive, with
//! cores tried for smaller ones; and values of models of query clauses are traced back through the
//! clauses as cubes, which are generalized by failed assumptions when they cannot be reached.
//! Clauses under candidate models are kept as formulas to be decided alone.
//!
//! Usage: `record_queries [--out TRACE] [--each QUERIES] FILE…`. The trace has a line `F` for
//! each file, a block `S` for each solver of it (its constraint, then its literals as assertions), a line `Q solver answer literal…` for
//! each query, and a block `V answer` for each formula. Prints the time of the replay.

use alphorn_testkit::Rng;
use std::fmt::Write as _;
use std::time::Instant;

use alphorn_problem::horn::{ClauseId, Head, Horn};
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Int, Model, SortId, Store, TermId, Value};

/// A comparison of at most two arguments: `±left ± right <= bound`.
#[derive(Clone, PartialEq, Debug)]
struct Comparison {
    left: (usize, bool),
    right: Option<(usize, bool)>,
    bound: Int,
}

struct ClauseSolver {
    smt: Smt,
    constraint: TermId,
    /// Predicates and argument variables of the body's atoms.
    body: Vec<(usize, Vec<TermId>)>,
    head: Option<(usize, Vec<TermId>)>,
    /// Literals of queries in the order of their first use.
    literals: Vec<TermId>,
}

struct Query {
    solver: usize,
    assumptions: Vec<TermId>,
    answer: Answer,
}

struct Recorder {
    store: Store,
    clauses: Vec<ClauseSolver>,
    queries: Vec<Query>,
    formulas: Vec<(TermId, Answer)>,
    limit: usize,
    random: Rng,
}

fn letter(answer: Answer) -> char {
    match answer {
        Answer::Sat => 's',
        Answer::Unsat => 'u',
        Answer::Unknown => '?',
    }
}

impl Recorder {
    fn new(horn: &Horn, limit: usize) -> Recorder {
        let mut recorder = Recorder {
            store: horn.terms.clone(),
            clauses: Vec::new(),
            queries: Vec::new(),
            formulas: Vec::new(),
            limit,
            random: Rng::new(88172645463325252),
        };
        for index in 0..horn.clauses.len() {
            recorder.add_clause(horn, index);
        }
        recorder
    }

    fn below(&mut self, limit: usize) -> usize {
        self.random.below(limit.max(1))
    }

    fn add_clause(&mut self, horn: &Horn, index: usize) {
        let Some((atoms, mut parts)) = horn.conjunctive(ClauseId(index as u32)) else { return };
        let store = &mut self.store;
        let mut tie = |store: &mut Store, hint: &str, args: &[TermId]| -> Vec<TermId> {
            let mut vars = Vec::new();
            for arg in args {
                let var = store.fresh_var(hint, store.sort(*arg));
                parts.push(store.eq(var, *arg));
                vars.push(var);
            }
            vars
        };
        let mut body = Vec::new();
        for atom in atoms {
            let pred = horn.atom(atom).expect("atoms are of predicates").index();
            let args = store.args(atom).to_vec();
            body.push((pred, tie(store, "b", &args)));
        }
        let head = match &horn.clauses[index].head {
            Head::False => None,
            Head::Atom(pred, args) => Some((pred.index(), tie(store, "h", args))),
        };
        let constraint = store.and(&parts);
        let mut smt = Smt::new(Options::default());
        smt.assert(store, constraint);
        self.clauses.push(ClauseSolver { smt, constraint, body, head, literals: Vec::new() });
    }

    fn is_done(&self) -> bool {
        self.queries.len() >= self.limit
    }

    fn ask(&mut self, solver: usize, assumptions: &[TermId]) -> Answer {
        let clause = &mut self.clauses[solver];
        let answer = clause.smt.check(&mut self.store, assumptions);
        for term in assumptions {
            if !clause.literals.contains(term) {
                clause.literals.push(*term);
            }
        }
        self.queries.push(Query { solver, assumptions: assumptions.to_vec(), answer });
        answer
    }

    /// A comparison over the arguments of an atom.
    fn term(&mut self, comparison: &Comparison, args: &[TermId]) -> Option<TermId> {
        let store = &mut self.store;
        let sort = store.sort(args[comparison.left.0]);
        if !sort.is_arithmetic() {
            let wanted = comparison.bound.is_zero();
            let var = args[comparison.left.0];
            return (sort == SortId::BOOL).then(|| if wanted { store.not(var) } else { var });
        }
        if comparison.right.is_some_and(|(index, _)| store.sort(args[index]) != sort) {
            return None;
        }
        let mut part = |(index, negative): (usize, bool)| {
            if negative { store.neg(args[index]) } else { args[index] }
        };
        let mut parts = vec![part(comparison.left)];
        parts.extend(comparison.right.map(&mut part));
        let sum = if parts.len() == 1 { parts[0] } else { store.add(&parts) };
        let bound = store.number(sort, &comparison.bound);
        Some(store.le(sum, bound))
    }

    fn terms(&mut self, comparisons: &[Comparison], args: &[TermId]) -> Vec<TermId> {
        comparisons.iter().filter_map(|comparison| self.term(comparison, args)).collect()
    }

    /// The candidates of a predicate: bounds of arguments and of their differences.
    fn candidates(&mut self, arity: usize) -> Vec<Comparison> {
        let mut all = Vec::new();
        for left in 0..arity {
            for negative in [false, true] {
                for bound in [0, 1, -1] {
                    let bound = Int::from(bound);
                    all.push(Comparison { left: (left, negative), right: None, bound });
                }
            }
            for right in 0..arity {
                if right != left {
                    let bound = Int::ZERO;
                    let right = Some((right, true));
                    all.push(Comparison { left: (left, false), right, bound });
                }
            }
        }
        while all.len() > 24 {
            let place = self.below(all.len());
            all.swap_remove(place);
        }
        all
    }

    fn body_terms(&mut self, solver: usize, states: &[Vec<Comparison>]) -> Vec<TermId> {
        let mut terms = Vec::new();
        for (pred, args) in self.clauses[solver].body.clone() {
            terms.extend(self.terms(&states[pred].clone(), &args));
        }
        terms
    }

    fn holds(&self, term: TermId, model: &Model) -> bool {
        let value = alphorn_term::eval(&self.store, term, model);
        value.is_ok_and(|value| value.as_bool() == Some(true))
    }

    /// Weakens the candidates until the clauses preserve them.
    fn weaken(&mut self, states: &mut [Vec<Comparison>]) {
        let mut is_changed = true;
        while is_changed && !self.is_done() {
            is_changed = false;
            for solver in 0..self.clauses.len() {
                let Some((pred, args)) = self.clauses[solver].head.clone() else { continue };
                let mut place = 0;
                while place < states[pred].len() && !self.is_done() {
                    let body = self.body_terms(solver, states);
                    self.keep_formula(solver, &body, &states[pred].clone(), &args);
                    let Some(goal) = self.term(&states[pred][place].clone(), &args) else {
                        states[pred].remove(place);
                        continue;
                    };
                    let negated = self.store.not(goal);
                    let mut assumptions = body;
                    assumptions.push(negated);
                    match self.ask(solver, &assumptions) {
                        Answer::Unsat => {
                            self.shrink(solver, negated);
                            place += 1;
                        }
                        Answer::Sat => {
                            let model = self.clauses[solver].smt.model(&self.store);
                            let state = states[pred].clone();
                            let kept = state.into_iter().filter(|comparison| {
                                let term = self.term(comparison, &args);
                                term.is_some_and(|term| self.holds(term, &model))
                            });
                            states[pred] = kept.collect();
                            is_changed = true;
                        }
                        Answer::Unknown => {
                            states[pred].remove(place);
                        }
                    }
                }
            }
        }
    }

    /// Tries to do without some of the failed assumptions.
    fn shrink(&mut self, solver: usize, goal: TermId) -> Vec<TermId> {
        let mut needed = self.clauses[solver].smt.failed();
        needed.retain(|term| *term != goal);
        for term in needed.clone().into_iter().take(4) {
            let mut fewer: Vec<TermId> =
                needed.iter().copied().filter(|other| *other != term).collect();
            if fewer.len() == needed.len() {
                continue;
            }
            fewer.push(goal);
            if self.ask(solver, &fewer) == Answer::Unsat {
                needed = self.clauses[solver].smt.failed();
                needed.retain(|term| *term != goal);
            }
        }
        needed
    }

    /// A cube of the values that a model gives to arguments.
    fn cube(&self, args: &[TermId], model: &Model) -> Vec<Comparison> {
        let mut cube = Vec::new();
        for (place, arg) in args.iter().enumerate() {
            let value = alphorn_term::eval(&self.store, *arg, model);
            let (low, high) = match value {
                Ok(Value::Int(value)) => (value.clone(), value),
                Ok(Value::Real(value)) => (value.floor(), value.ceil()),
                Ok(Value::Bool(value)) => {
                    let bound = Int::from(i64::from(value));
                    cube.push(Comparison { left: (place, false), right: None, bound });
                    continue;
                }
                _ => continue,
            };
            cube.push(Comparison { left: (place, false), right: None, bound: high });
            cube.push(Comparison { left: (place, true), right: None, bound: -low });
        }
        cube
    }

    /// Follows the cube of a predicate back through the clauses.
    fn trace_back(&mut self, states: &[Vec<Comparison>], pred: usize, cube: &[Comparison]) {
        let mut work = vec![(pred, cube.to_vec(), 0)];
        while let Some((pred, cube, depth)) = work.pop() {
            for solver in 0..self.clauses.len() {
                let Some((head, args)) = self.clauses[solver].head.clone() else { continue };
                if head != pred || self.is_done() {
                    continue;
                }
                let mut assumptions = self.body_terms(solver, states);
                assumptions.extend(self.terms(&cube, &args));
                match self.ask(solver, &assumptions) {
                    Answer::Sat if depth < 6 => {
                        let model = self.clauses[solver].smt.model(&self.store);
                        for (pred, args) in self.clauses[solver].body.clone() {
                            work.push((pred, self.cube(&args, &model), depth + 1));
                        }
                    }
                    Answer::Unsat => {
                        self.shrink(solver, TermId::TRUE);
                    }
                    _ => {}
                }
            }
            if work.len() > 30 {
                work.drain(..10);
            }
        }
    }

    /// Now and then keeps the question whether a clause holds under the candidates.
    fn keep_formula(
        &mut self,
        solver: usize,
        body: &[TermId],
        head: &[Comparison],
        args: &[TermId],
    ) {
        if self.below(20) != 0 {
            return;
        }
        let goals: Vec<TermId> = self.terms(head, args);
        let mut parts = vec![self.clauses[solver].constraint];
        // Some candidates become disjunctions.
        for pair in body.chunks(2) {
            parts.push(if self.below(3) == 0 { self.store.or(pair) } else { self.store.and(pair) });
        }
        let goal = self.store.and(&goals);
        parts.push(self.store.not(goal));
        let formula = self.store.and(&parts);
        self.formulas.push((formula, Answer::Unknown));
    }

    fn run(&mut self, horn: &Horn) {
        let mut round = 0;
        while !self.is_done() && round < 20 {
            round += 1;
            let arities: Vec<usize> =
                horn.pred_ids().map(|pred| horn.pred_args(pred).len()).collect();
            let mut states: Vec<Vec<Comparison>> =
                arities.iter().map(|arity| self.candidates(*arity)).collect();
            self.weaken(&mut states);
            for solver in 0..self.clauses.len() {
                if self.clauses[solver].head.is_some() || self.is_done() {
                    continue;
                }
                let assumptions = self.body_terms(solver, &states);
                if self.ask(solver, &assumptions) == Answer::Sat {
                    let model = self.clauses[solver].smt.model(&self.store);
                    for (pred, args) in self.clauses[solver].body.clone() {
                        let cube = self.cube(&args, &model);
                        self.trace_back(&states, pred, &cube);
                    }
                }
            }
        }
    }

    /// Writes the part of the trace that belongs to the file.
    fn write(&self, out: &mut String) {
        let script = |terms: &[TermId]| {
            alphorn_front::smtlib::print_script(&self.store, terms).replace("(check-sat)\n", "")
        };
        out.push_str("F\n");
        for clause in &self.clauses {
            let mut terms = vec![clause.constraint];
            terms.extend(&clause.literals);
            let _ = writeln!(out, "S\n{}.", script(&terms));
        }
        for query in &self.queries {
            let _ = write!(out, "Q {} {}", query.solver, letter(query.answer));
            for term in &query.assumptions {
                let literals = &self.clauses[query.solver].literals;
                let place = literals.iter().position(|literal| literal == term);
                let _ = write!(out, " {}", place.expect("assumptions are literals"));
            }
            out.push('\n');
        }
        for (formula, answer) in &self.formulas {
            let _ = writeln!(out, "V {}\n{}.", letter(*answer), script(&[*formula]));
        }
    }

    /// Asks the queries again, of fresh solvers.
    fn replay_queries(&mut self) {
        let mut solvers: Vec<Smt> = Vec::new();
        for clause in &self.clauses {
            let mut smt = Smt::new(Options::default());
            smt.assert(&mut self.store, clause.constraint);
            solvers.push(smt);
        }
        for query in &self.queries {
            let smt = &mut solvers[query.solver];
            let answer = smt.check(&mut self.store, &query.assumptions);
            assert_eq!(answer, query.answer, "the same query has the same answer");
            match answer {
                Answer::Sat => drop(std::hint::black_box(smt.model(&self.store))),
                Answer::Unsat => drop(std::hint::black_box(smt.failed())),
                Answer::Unknown => {}
            }
        }
    }

    /// Decides the formulas, each by itself.
    fn decide_formulas(&mut self) {
        for (formula, answer) in &mut self.formulas {
            let mut smt = Smt::new(Options::default());
            smt.assert(&mut self.store, *formula);
            *answer = smt.check(&mut self.store, &[]);
        }
    }
}

/// The processor time of this process.
fn processor_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanoseconds = text.split(' ').next().and_then(|word| word.parse::<f64>().ok());
    nanoseconds.unwrap_or_default() / 1e9
}

fn main() {
    let (mut out, mut each, mut files) = (None, 2000, Vec::new());
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--out" => out = words.next(),
            "--each" => each = words.next().and_then(|word| word.parse().ok()).unwrap_or(each),
            _ => files.push(word),
        }
    }
    let mut recorders = Vec::new();
    for file in &files {
        let bytes = std::fs::read(file).expect("the file can be read");
        let script = alphorn_front::smtlib::read(&bytes).0.expect("the file holds Horn clauses");
        let mut recorder = Recorder::new(&script.horn, each);
        let begin = Instant::now();
        recorder.run(&script.horn);
        if begin.elapsed().as_secs() > 2 {
            eprintln!("{file}: {} queries, {:?}", recorder.queries.len(), begin.elapsed());
        }
        recorders.push(recorder);
    }
    let begin = processor_seconds();
    recorders.iter_mut().for_each(Recorder::replay_queries);
    let middle = processor_seconds();
    recorders.iter_mut().for_each(Recorder::decide_formulas);
    let (asked, decided) = (middle - begin, processor_seconds() - middle);
    if let Some(out) = out {
        let mut text = String::new();
        recorders.iter().for_each(|recorder| recorder.write(&mut text));
        std::fs::write(out, text).expect("the trace can be written");
    }
    let all = || recorders.iter().flat_map(|recorder| &recorder.queries);
    let count = |answer| all().filter(|query| query.answer == answer).count();
    let formulas: usize = recorders.iter().map(|recorder| recorder.formulas.len()).sum();
    println!(
        "{} queries ({} sat, {} unsat, {} unknown), {asked:.3} s processor, {:.0} per second",
        all().count(),
        count(Answer::Sat),
        count(Answer::Unsat),
        count(Answer::Unknown),
        all().count() as f64 / asked
    );
    println!("{formulas} formulas, {decided:.3} s processor");
}
