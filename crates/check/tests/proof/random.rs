//! Random lemmas and random models to judge them by.
//!
//! Lemmas come from the accepted ones by putting random terms for variables and then, often,
//! breaking something. Whatever a rule still accepts must be true in every model.

use crate::lemma;
use alphorn_problem::evidence::proof::{LinearStep, Literal, ProofStep, Rule};
use alphorn_term::{EvalError, Model, Op, Rat, Sort, SortId, Store, Substitution, Value, eval};
use alphorn_testkit::Rng;
use alphorn_testkit::proofs::language::World;
use alphorn_testkit::proofs::rules;
use alphorn_testkit::terms::{Values, model};

/// Models of the whole vocabulary, with choices for all that SMT-LIB leaves open.
pub fn models(world: &mut World, count: usize, random: &mut Rng) -> Vec<Model> {
    let vars = world.vars();
    (0..count).map(|_| model(&world.store, &vars, Values::Small, random)).collect()
}

/// Whether a model satisfies a clause; none if it cannot be evaluated.
pub fn satisfies(store: &Store, clause: &[Literal], model: &Model) -> Option<bool> {
    for literal in clause {
        match eval(store, literal.atom, model) {
            Ok(value) if value == Value::Bool(!literal.negated) => return Some(true),
            Ok(_) => {}
            Err(EvalError::Quantifier) => return None,
            Err(error) => panic!("models are complete, but: {}", error.describe(store)),
        }
    }
    Some(false)
}

/// A random term of a sort, as text.
fn term(random: &mut Rng, sort: char, depth: usize) -> String {
    let leaf = |random: &mut Rng| {
        let leaves: &[&str] = match sort {
            'i' => &["x", "y", "z", "0", "1", "2", "-1", "3", "k"],
            'r' => &["u", "v", "w", "0.0", "1.0", "0.5", "(to_real x)"],
            'b' => &["p", "q", "r", "(< x y)", "(= x 1)", "(P x)", "(not q)", "(is-nil l)"],
            'a' => &["a", "b", "(const 0)"],
            'l' => &["l", "m", "nil"],
            's' => &["S", "T", "dry"],
            'o' => &["O", "Q"],
            'w' => &["A", "B", "C", "#b000", "#b101", "#b111"],
            'd' => &["D", "#b1", "#b0"],
            _ => &["s", "red", "t"],
        };
        random.pick(leaves).to_owned()
    };
    if depth == 0 || random.below(2) == 0 {
        return leaf(random);
    }
    let mut sub = |sort| term(random, sort, depth - 1);
    let (i, i2, b, r, a, l) = (sub('i'), sub('i'), sub('b'), sub('r'), sub('a'), sub('l'));
    let (w, w2, d) = (sub('w'), sub('w'), sub('d'));
    let options = match sort {
        'i' => vec![
            format!("(+ {i} {i2})"),
            format!("(* 2 {i})"),
            format!("(- {i})"),
            format!("(* {i} {i2})"),
            format!("(mod {i} 3)"),
            format!("(div {i} {i2})"),
            format!("(f {i})"),
            format!("(select {a} {i})"),
            format!("(head {l})"),
            format!("(ite {b} {i} {i2})"),
            format!("(to_int {r})"),
        ],
        'r' => vec![format!("(+ {r} 1.0)"), format!("(* 0.5 {r})"), format!("(to_real {i})")],
        'b' => vec![format!("(not {b})"), format!("(<= {i} {i2})"), format!("(or {b} (< {i} 1))")],
        'a' => vec![format!("(store {a} {i} {i2})"), format!("(ite {b} {a} b)")],
        'l' => vec![format!("(cons {i} {l})"), format!("(tail {l})")],
        's' => {
            vec![format!("(flow {i} S)"), format!("(then T)"), format!("(flow 0 (flow {i2} T))")]
        }
        'o' => vec!["(again O)".to_owned(), "(again (again Q))".to_owned()],
        'w' => vec![
            format!("(bvadd {w} {w2})"),
            format!("(bvmul {w} {w2})"),
            format!("(bvnot {w})"),
            format!("(ite {b} {w} {w2})"),
            format!("(concat {d} (concat {d} D))"),
        ],
        'd' => vec![format!("(bvand {d} D)"), format!("(bit1 {w})"), format!("(bvnot {d})")],
        _ => return leaf(random),
    };
    options[random.below(options.len())].clone()
}

fn sort_letter(store: &Store, sort: SortId) -> Option<char> {
    match store.sort_of(sort) {
        Sort::Bool => Some('b'),
        Sort::Int => Some('i'),
        Sort::Real => Some('r'),
        Sort::Array(..) => Some('a'),
        Sort::BitVec(3) => Some('w'),
        Sort::BitVec(1) => Some('d'),
        Sort::Data(data) => match store.name(store.data(*data).name) {
            "list" => Some('l'),
            "colour" => Some('c'),
            "stream" => Some('s'),
            "only" => Some('o'),
            _ => None,
        },
        _ => None,
    }
}

/// Puts `map` through a step: its clause, and the terms of its rule.
fn substitute(store: &mut Store, step: &mut ProofStep, map: &Substitution) {
    for literal in &mut step.clause {
        let atom = store.substitute(literal.atom, map);
        let positive = Literal::of(store, atom);
        *literal = if literal.negated { !positive } else { positive };
    }
    match &mut step.rule {
        Rule::Arithmetic(term) | Rule::Array(term) | Rule::Conditional(term) => {
            *term = store.substitute(*term, map);
        }
        Rule::Bisimulation(terms) | Rule::Instantiate(terms) => {
            for term in terms {
                *term = store.substitute(*term, map);
            }
        }
        _ => {}
    }
}

/// Breaks something, or does not.
pub fn mutate(world: &mut World, random: &mut Rng, step: &mut ProofStep) {
    let position = random.below(step.clause.len().max(1));
    match random.below(8) {
        0 if !step.clause.is_empty() => step.clause[position].negated ^= true,
        1 if !step.clause.is_empty() => _ = step.clause.remove(position),
        2 => step.clause.reverse(),
        3 if !step.clause.is_empty() => {
            // A subterm of a literal becomes something else.
            let subterms = world.store.subterms(&[step.clause[position].atom]);
            let from = random.pick(&subterms);
            if let Some(letter) = sort_letter(&world.store, world.store.sort(from)) {
                let to = term(random, letter, 1);
                let to = world.term(&to);
                let atom = step.clause[position].atom;
                let atom = world.store.substitute(atom, &Substitution::from_iter([(from, to)]));
                let negated = step.clause[position].negated;
                let literal = Literal::of(&world.store, atom);
                step.clause[position] = if negated { !literal } else { literal };
            }
        }
        4 if !step.clause.is_empty() => {
            // Strict becomes weak and the other way round.
            let atom = step.clause[position].atom;
            let other = match world.store.op(atom) {
                Op::BvUlt => Op::BvUle,
                Op::BvUle => Op::BvUlt,
                Op::Le => Op::Lt,
                Op::Lt => Op::Le,
                _ => return,
            };
            let args = world.store.args(atom).to_vec();
            step.clause[position].atom = world.store.mk(other, &args);
        }
        5 => mutate_rule(random, &mut step.rule),
        _ => {}
    }
}

pub fn mutate_rule(random: &mut Rng, rule: &mut Rule) {
    let numbers: [i64; 5] = [-1, 0, 1, 2, 3];
    match rule {
        Rule::Farkas(multipliers) if !multipliers.is_empty() => {
            let position = random.below(multipliers.len());
            multipliers[position] = Rat::from(random.pick(&numbers));
        }
        Rule::Linear(lines) if !lines.is_empty() => {
            let position = random.below(lines.len());
            match &mut lines[position] {
                LinearStep::Hypothesis(index) | LinearStep::Round(index) => {
                    *index = random.below(position + 1);
                }
                LinearStep::Combine(parts) if !parts.is_empty() => {
                    let part = random.below(parts.len());
                    match random.below(3) {
                        0 => parts[part].0 = Rat::from(random.pick(&numbers)),
                        1 => parts[part].1 = random.below(position + 1),
                        _ => _ = parts.remove(part),
                    }
                }
                LinearStep::Combine(_) => {}
            }
            if random.below(8) == 0 {
                lines.remove(position);
            }
        }
        Rule::Rup(hints) if !hints.is_empty() => {
            let position = random.below(hints.len());
            match random.below(3) {
                0 => _ = hints.remove(position),
                1 => hints.swap(0, position),
                _ => hints[position].0 = random.below(hints.len() + 2) as u32,
            }
        }
        _ => {}
    }
}

/// Lemmas over quantified Booleans, which evaluation can judge.
const QUANTIFIED: &[(&str, &str)] = &[
    ("instantiate q", "(not (forall (p) (or p r (P x)))) (or q r (P x))"),
    ("instantiate (< x y)", "(exists (p) (= p r)) (not (= (< x y) r))"),
    ("instantiate (not p) q", "(not (forall (q p) (or p q (P x)))) (or q (not p) (P x))"),
];

#[test]
fn accepted_lemmas_are_true_in_random_models() {
    let mut world = World::new();
    let mut random = Rng::new(7);
    let models = models(&mut world, 240, &mut random);
    let is_lemma = |(rule, _): &&(&str, &str)| !rule.starts_with("skolem");
    let seeds: Vec<(&str, &str)> =
        rules::ACCEPTED.iter().chain(QUANTIFIED).filter(is_lemma).copied().collect();
    let (mut accepted, mut refused, mut judged) = (0, 0, 0);
    for round in 0..ROUNDS {
        let (rule, clause) = seeds[round % seeds.len()];
        let mut local = world.clone();
        let mut step = ProofStep { clause: local.clause(clause), rule: local.rule(rule) };
        let mut map = Substitution::default();
        for var in local.vars() {
            if let Some(letter) = sort_letter(&local.store, local.store.sort(var))
                && random.below(3) == 0
            {
                let text = term(&mut random, letter, 2);
                map.insert(var, local.term(&text));
            }
        }
        substitute(&mut local.store, &mut step, &map);
        for _ in 0..random.below(3) {
            mutate(&mut local, &mut random, &mut step);
        }
        if lemma(&local.store, step.clone()).is_err() {
            refused += 1;
            continue;
        }
        accepted += 1;
        for model in &models {
            match satisfies(&local.store, &step.clause, model) {
                Some(true) => judged += 1,
                Some(false) => {
                    let literals = step.clause.iter();
                    let shown: Vec<(String, bool)> =
                        literals.map(|l| (local.store.show(l.atom), l.negated)).collect();
                    panic!("round {round}: {:?} accepts {shown:?}", step.rule);
                }
                None => break,
            }
        }
    }
    assert!(accepted > ROUNDS / 4 && refused > ROUNDS / 8, "{accepted} and {refused}");
    assert!(judged > accepted * 200, "{judged} for {accepted}");
}

/// Every rule meets every clause of the tables, whatever rule that was written for.
#[test]
fn rules_judge_clauses_of_other_rules_rightly() {
    let mut world = World::new();
    let mut random = Rng::new(3);
    let models = models(&mut world, 200, &mut random);
    let pairs = rules::ACCEPTED.iter().copied();
    let pairs: Vec<(&str, &str)> =
        pairs.chain(rules::REFUSED.iter().map(|&(rule, clause, _)| (rule, clause))).collect();
    let mut names: Vec<&str> = pairs.iter().map(|pair| pair.0).collect();
    names.sort_unstable();
    names.dedup();
    names.retain(|name| !name.starts_with("skolem"));
    let clauses: Vec<Vec<Literal>> = pairs.iter().map(|pair| world.clause(pair.1)).collect();
    for name in names {
        let rule = world.rule(name);
        for (clause, (_, text)) in clauses.iter().zip(&pairs) {
            let step = ProofStep { clause: clause.clone(), rule: rule.clone() };
            if lemma(&world.store, step).is_ok() {
                let is_false = |model| satisfies(&world.store, clause, model) == Some(false);
                assert!(!models.iter().any(is_false), "{name} accepts {text}");
            }
        }
    }
}

const ROUNDS: usize = 3000;
