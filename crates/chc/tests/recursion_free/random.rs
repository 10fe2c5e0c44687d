//! Random systems without recursion, of every shape, against the one formula that says that a query
//! has a derivation.

use crate::judge::run;
use alphorn_chc::shape::Shape;
use alphorn_engine::Rng;
use alphorn_problem::horn::{Clause, Head, PredId};
use alphorn_problem::obligation::horn::unfold;
use alphorn_problem::{Horn, Span};
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Op, SortId, Store, Substitution, TermId};

/// What systems look like.
#[derive(Clone, Copy)]
struct Style {
    /// Predicates are used by one atom only.
    body_disjoint: bool,
    /// Predicates have one clause only.
    head_disjoint: bool,
    /// Bodies have at most this many atoms.
    atoms: u64,
    /// Atoms may stand below disjunctions.
    disjunctions: bool,
    /// Constraints may have a background function.
    functions: bool,
}

struct Generator {
    rng: Rng,
    style: Style,
    horn: Horn,
    /// Predicates that may still be used in bodies.
    free: Vec<PredId>,
    function: alphorn_term::FuncId,
}

impl Generator {
    fn system(seed: u64, style: Style) -> Horn {
        let mut store = Store::new();
        let function = store.declare("f", &[SortId::INT], SortId::INT);
        let rng = Rng::new(seed);
        let mut generator =
            Generator { rng, style, horn: Horn::new(store), free: Vec::new(), function };
        let count = 2 + generator.below(4);
        for number in 0..count {
            let arity = generator.below(3);
            let sorts = [SortId::INT, SortId::INT, SortId::REAL, SortId::BOOL];
            let args: Vec<SortId> = (0..arity).map(|_| generator.pick(&sorts)).collect();
            let pred = generator.horn.declare_pred(&format!("p{number}"), &args);
            let clauses = if style.head_disjoint { 1 } else { generator.below(4) };
            for _ in 0..clauses {
                generator.clause(Some(pred));
            }
            generator.free.push(pred);
        }
        for _ in 0..1 + generator.below(2) {
            generator.clause(None);
        }
        generator.horn
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.rng.below(bound)
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u64) as usize]
    }

    fn clause(&mut self, pred: Option<PredId>) {
        let sorts = [SortId::INT, SortId::INT, SortId::REAL, SortId::BOOL];
        let vars: Vec<TermId> = ["a", "b", "c", "d", "e"]
            .iter()
            .zip(sorts.iter().chain(&[SortId::INT]))
            .map(|(name, &sort)| self.horn.terms.var(name, sort))
            .collect();
        let mut parts = Vec::new();
        for _ in 0..self.below(self.style.atoms + 1) {
            parts.extend(self.atom(&vars));
        }
        if self.style.disjunctions && parts.len() > 1 && self.below(2) == 0 {
            let constraint = self.constraint(&vars);
            parts[0] = self.horn.terms.and(&[parts[0], constraint]);
            parts = vec![self.horn.terms.or(&parts)];
        }
        for _ in 0..self.below(4) {
            let part = self.constraint(&vars);
            parts.push(part);
        }
        let body = self.horn.terms.and(&parts);
        let head = match pred {
            Some(pred) => Head::Atom(pred, self.args(pred, &vars)),
            None => Head::False,
        };
        self.horn.clauses.push(Clause { vars, body, head, name: None, span: Span::NONE });
    }

    fn atom(&mut self, vars: &[TermId]) -> Option<TermId> {
        if self.free.is_empty() {
            return None;
        }
        let place = self.below(self.free.len() as u64) as usize;
        let pred = match self.style.body_disjoint {
            true => self.free.remove(place),
            false => self.free[place],
        };
        let args = self.args(pred, vars);
        let func = self.horn.pred(pred).func;
        Some(self.horn.terms.mk(Op::Apply(func), &args))
    }

    fn args(&mut self, pred: PredId, vars: &[TermId]) -> Vec<TermId> {
        let sorts = self.horn.pred_args(pred).to_vec();
        sorts.into_iter().map(|sort| self.term(vars, sort)).collect()
    }

    fn term(&mut self, vars: &[TermId], sort: SortId) -> TermId {
        let fits: Vec<TermId> =
            vars.iter().copied().filter(|&var| self.horn.terms.sort(var) == sort).collect();
        let var = self.pick(&fits);
        if sort == SortId::BOOL {
            return if self.below(3) == 0 { self.horn.terms.not(var) } else { var };
        }
        let number = self.below(7) as i64 - 3;
        let number = self.horn.terms.number(sort, &number.into());
        match self.below(6) {
            0 => number,
            1 => self.horn.terms.add(&[var, number]),
            2 => {
                let other = self.pick(&fits);
                self.horn.terms.sub(var, other)
            }
            3 if self.style.functions && sort == SortId::INT => {
                self.horn.terms.mk(Op::Apply(self.function), &[var])
            }
            _ => var,
        }
    }

    fn constraint(&mut self, vars: &[TermId]) -> TermId {
        let sort = self.pick(&[SortId::INT, SortId::INT, SortId::REAL, SortId::BOOL]);
        let (left, right) = (self.term(vars, sort), self.term(vars, sort));
        if sort == SortId::BOOL {
            return self.horn.terms.or(&[left, right]);
        }
        match self.below(4) {
            0 => self.horn.terms.eq(left, right),
            1 => self.horn.terms.lt(left, right),
            2 => {
                let below = self.horn.terms.lt(left, right);
                let other = self.constraint(vars);
                self.horn.terms.or(&[below, other])
            }
            _ => self.horn.terms.le(left, right),
        }
    }
}

/// Whether some query has a derivation, and the background function a value to go with it.
fn is_derivable(horn: &Horn) -> bool {
    let mut store = horn.terms.clone();
    let queries: Vec<&Clause> =
        horn.clauses.iter().filter(|clause| clause.head == Head::False).collect();
    let ways: Vec<TermId> =
        queries.into_iter().map(|query| derivations(horn, &mut store, query, &[])).collect();
    let any = store.or(&ways);
    let mut smt = Smt::new(Options::default());
    smt.assert(&mut store, any);
    match smt.check(&mut store, &[]) {
        Answer::Sat => true,
        Answer::Unsat => false,
        Answer::Unknown => panic!("the solver does not know"),
    }
}

/// A clause derives its head on `args`.
fn derivations(horn: &Horn, store: &mut Store, clause: &Clause, args: &[TermId]) -> TermId {
    let names: Vec<TermId> =
        clause.vars.iter().map(|&var| store.fresh_var("y", store.sort(var))).collect();
    let map: Substitution = clause.vars.iter().copied().zip(names).collect();
    let body = unfold(horn, clause, store, |store, atom, inner| {
        let inner = store.substitute_all(inner, &map);
        let pred = horn.atom(atom).unwrap();
        let mut ways = Vec::new();
        for clause in &horn.clauses {
            if matches!(clause.head, Head::Atom(head, _) if head == pred) {
                ways.push(derivations(horn, store, clause, &inner));
            }
        }
        Ok(Some(store.or(&ways)))
    });
    let mut parts = vec![store.substitute(body.unwrap(), &map)];
    if let Head::Atom(_, head) = &clause.head {
        let head = store.substitute_all(head, &map);
        parts.extend(head.iter().zip(args).map(|(&left, &right)| store.eq(left, right)));
    }
    store.and(&parts)
}

/// Compares verdicts; `fits` says what shape the style is to give.
fn compare(style: Style, seeds: std::ops::Range<u64>, fits: impl Fn(&Shape) -> bool) {
    let total = seeds.end - seeds.start;
    let (mut safe, mut refused) = (0, 0);
    for seed in seeds {
        let horn = Generator::system(seed, style);
        horn.validate().unwrap();
        let shape = Shape::of(&horn);
        assert!(!shape.is_recursive() && fits(&shape), "seed {seed}: {shape:?}");
        let expected = if is_derivable(&horn) { "unsafe" } else { "safe" };
        let found = run(&horn);
        if style.functions && expected == "unsafe" && found.contains("leaves open") {
            refused += 1;
            continue;
        }
        assert_eq!(found, expected, "seed {seed}");
        safe += u64::from(found == "safe");
    }
    let unsafe_ = total - safe - refused;
    assert!(safe >= total / 10 && unsafe_ >= total / 10, "{safe} safe, {unsafe_} unsafe");
}

const GENERAL: Style = Style {
    body_disjoint: false,
    head_disjoint: false,
    atoms: 3,
    disjunctions: true,
    functions: false,
};

#[test]
fn tree_like_systems() {
    let style = Style { body_disjoint: true, head_disjoint: true, disjunctions: false, ..GENERAL };
    compare(style, 0..150, Shape::is_tree_like);
}

#[test]
fn linear_systems() {
    let style = Style { atoms: 1, disjunctions: false, ..GENERAL };
    compare(style, 1_000..1_150, |shape| shape.is_linear);
}

#[test]
fn body_disjoint_systems() {
    let style = Style { body_disjoint: true, ..GENERAL };
    compare(style, 2_000..2_150, |shape| shape.is_body_disjoint);
}

#[test]
fn head_disjoint_systems() {
    let style = Style { head_disjoint: true, ..GENERAL };
    compare(style, 3_000..3_100, |shape| shape.is_head_disjoint);
}

#[test]
fn general_systems() {
    compare(GENERAL, 4_000..4_150, |_| true);
}

#[test]
fn systems_with_functions() {
    let style = Style { functions: true, atoms: 2, ..GENERAL };
    compare(style, 5_000..5_100, |_| true);
}
