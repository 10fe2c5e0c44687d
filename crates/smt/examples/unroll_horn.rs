//! Decides bounded unrollings of linear Horn clauses, or prints them.
//!
//! Step i has a Boolean for each predicate (the location), a copy of its arguments, and the
//! disjunction over clauses that lead there from step i - 1; a query leads to a location that is
//! never left. The formula of a depth is satisfiable exactly if false can be derived with at most
//! so many uses of clauses after the first. Each step is an assertion in a partition of its own.
//!
//! Usage: `unroll_horn FILE DEPTH [--print | --stats | --interpolate] [--proofs] [--limit SECONDS]`
//!
//! `--interpolate` looks for sequence interpolants instead and adds the sum of their sizes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use alphorn_problem::horn::{Head, Horn};
use alphorn_smt::interpolate::{self, Interpolation, InterpolationOptions};
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{SortId, Store, TermId};

/// What stands for a predicate at a step.
struct Place {
    location: TermId,
    args: Vec<TermId>,
}

/// The unrolling under construction.
struct Unrolling<'a> {
    horn: &'a Horn,
    store: Store,
    steps: Vec<Vec<Place>>,
    /// Per step the Boolean that false was derived.
    errors: Vec<TermId>,
}

impl<'a> Unrolling<'a> {
    fn new(horn: &'a Horn) -> Unrolling<'a> {
        Unrolling { horn, store: horn.terms.clone(), steps: Vec::new(), errors: Vec::new() }
    }

    /// The formula of the next step.
    fn step(&mut self) -> TermId {
        let number = self.steps.len();
        let mut places = Vec::new();
        for pred in self.horn.pred_ids() {
            let location = self.store.fresh_var(&format!("at{number}"), SortId::BOOL);
            let sorts = self.horn.pred_args(pred).to_vec();
            let args = sorts.iter().map(|sort| self.store.fresh_var(&format!("a{number}"), *sort));
            places.push(Place { location, args: args.collect() });
        }
        self.steps.push(places);
        let error = self.store.fresh_var(&format!("error{number}"), SortId::BOOL);
        self.errors.push(error);
        let mut ways = Vec::new();
        for index in 0..self.horn.clauses.len() {
            let has_atoms = !self.horn.atoms(self.horn.clauses[index].body).is_empty();
            if has_atoms == (number > 0) {
                ways.push(self.way(index, number));
            }
        }
        if number > 0 {
            ways.push(self.store.and(&[self.errors[number - 1], error]));
        }
        let mut parts = vec![self.store.or(&ways)];
        let mut locations: Vec<TermId> =
            self.steps[number].iter().map(|place| place.location).collect();
        locations.push(error);
        for (index, left) in locations.iter().enumerate() {
            for right in &locations[index + 1..] {
                let both = [self.store.not(*left), self.store.not(*right)];
                parts.push(self.store.or(&both));
            }
        }
        self.store.and(&parts)
    }

    /// One use of a clause that leads to a step.
    fn way(&mut self, index: usize, number: usize) -> TermId {
        let clause = &self.horn.clauses[index];
        let copies: Vec<TermId> = clause
            .vars
            .iter()
            .map(|var| self.store.fresh_var(&format!("v{number}"), self.store.sort(*var)))
            .collect();
        let mut roots = vec![clause.body];
        if let Head::Atom(_, args) = &clause.head {
            roots.extend(args);
        }
        let map = clause.vars.iter().copied().zip(copies).collect();
        let renamed = self.store.substitute_all(&roots, &map);
        let mut map = alphorn_term::Substitution::default();
        for atom in self.horn_atoms(renamed[0]) {
            let alphorn_term::Op::Apply(func) = self.store.op(atom) else { continue };
            let pred = self.horn.pred_of(func).expect("atoms are of predicates");
            let args = self.store.args(atom).to_vec();
            let place = &self.steps[number - 1][pred.index()];
            let mut parts = vec![place.location];
            for (left, right) in place.args.iter().zip(&args) {
                parts.push(self.store.eq(*left, *right));
            }
            map.insert(atom, self.store.and(&parts));
        }
        let mut parts = vec![self.store.substitute(renamed[0], &map)];
        match &clause.head {
            Head::False => parts.push(self.errors[number]),
            Head::Atom(pred, _) => {
                let place = &self.steps[number][pred.index()];
                parts.push(place.location);
                for (left, right) in place.args.iter().zip(&renamed[1..]) {
                    parts.push(self.store.eq(*left, *right));
                }
            }
        }
        self.store.and(&parts)
    }

    /// The predicate atoms of a term of the unrolling's own store.
    fn horn_atoms(&self, term: TermId) -> Vec<TermId> {
        let is_atom = |term: &TermId| match self.store.op(*term) {
            alphorn_term::Op::Apply(func) => self.horn.pred_of(func).is_some(),
            _ => false,
        };
        self.store.subterms(&[term]).into_iter().filter(is_atom).collect()
    }
}

fn main() {
    let mut words = Vec::new();
    let (mut print, mut stats, mut interpolate, mut limit) = (false, false, false, 10);
    let mut options = Options::default();
    let mut given = std::env::args().skip(1);
    while let Some(word) = given.next() {
        match word.as_str() {
            "--print" => print = true,
            "--stats" => stats = true,
            "--interpolate" => interpolate = true,
            "--proofs" => options.proofs = true,
            "--limit" => limit = given.next().and_then(|word| word.parse().ok()).unwrap_or(limit),
            _ => words.push(word),
        }
    }
    let [file, depth] = &words[..] else {
        eprintln!("usage: unroll_horn FILE DEPTH [--print | --stats | --interpolate]");
        std::process::exit(2);
    };
    let depth: usize = depth.parse().expect("the depth is a number");
    let bytes = std::fs::read(file).expect("the file can be read");
    let script = alphorn_front::smtlib::read(&bytes).0.expect("the file holds Horn clauses");
    let mut unrolling = Unrolling::new(&script.horn);
    let mut formulas: Vec<TermId> = (0..=depth).map(|_| unrolling.step()).collect();
    formulas.push(unrolling.errors[depth]);
    if print {
        print!("{}", alphorn_front::smtlib::print_script(&unrolling.store, &formulas));
        return;
    }
    let mut store = unrolling.store;
    let begin = Instant::now();
    if interpolate {
        let last = formulas.pop().expect("there are at least two formulas");
        let step = formulas.pop().expect("there are at least two formulas");
        formulas.push(store.and(&[step, last]));
        let options = InterpolationOptions::default();
        let result = interpolate::sequence(&mut store, &formulas, &options);
        let (word, size) = match &result {
            Interpolation::Interpolants(parts) => {
                ("unsat", parts.iter().map(|part| store.dag_size(&[*part])).sum())
            }
            Interpolation::Satisfiable(_) => ("sat", 0),
            Interpolation::Unknown(_) => ("unknown", 0),
        };
        println!("{word} {:.3} {size}", begin.elapsed().as_secs_f64());
        return;
    }
    let mut smt = Smt::new(options);
    let flag = Arc::new(AtomicBool::new(false));
    smt.set_interrupt(Arc::clone(&flag));
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_secs(limit));
        flag.store(true, Ordering::Relaxed);
    });
    for (partition, formula) in formulas.iter().enumerate() {
        smt.assert_in(&mut store, *formula, partition as u32);
    }
    let encoded = begin.elapsed();
    let answer = smt.check(&mut store, &[]);
    let word = match answer {
        Answer::Sat => "sat",
        Answer::Unsat => "unsat",
        Answer::Unknown => "unknown",
    };
    println!("{word} {:.3} {:.3}", begin.elapsed().as_secs_f64(), encoded.as_secs_f64());
    if stats {
        println!("{:?} {:?}", smt.theory_stats(), smt.stats());
    }
}
