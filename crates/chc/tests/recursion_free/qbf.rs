//! Quantified Boolean formulas as systems without recursion, against evaluation by cases.
//!
//! A formula with the prefix Q1 x1 … Qn xn and clauses C1 … Cm becomes: for each literal of a clause,
//! `cj` holds where the literal does; all `cj` give the matrix `fn`; `fi` follows from `f(i+1)` for
//! one value of the next variable, or for both, as the quantifier says; `f0` is a query. The system
//! is unsafe iff the formula is true.

use crate::judge::run;
use alphorn_problem::horn::{Clause, Head, PredId};
use alphorn_problem::{Horn, Span};
use alphorn_term::{Op, SortId, Store, TermId};
use alphorn_testkit::Rng;

struct Formula {
    /// Whether each variable is universal.
    universal: Vec<bool>,
    /// Clauses of variables and whether they are negated.
    clauses: Vec<Vec<(usize, bool)>>,
}

impl Formula {
    fn random(rng: &mut Rng, vars: usize, clauses: usize) -> Formula {
        let universal = (0..vars).map(|_| rng.one_in(2)).collect();
        let literal = |rng: &mut Rng| (rng.below(vars), rng.one_in(2));
        let clause = |rng: &mut Rng| (0..1 + rng.below(3)).map(|_| literal(rng)).collect();
        Formula { universal, clauses: (0..clauses).map(|_| clause(rng)).collect() }
    }

    fn is_true(&self, values: &mut Vec<bool>) -> bool {
        let Some(&universal) = self.universal.get(values.len()) else {
            let holds = |&(var, negated): &(usize, bool)| values[var] != negated;
            return self.clauses.iter().all(|clause| clause.iter().any(holds));
        };
        let mut branch = |value| {
            values.push(value);
            let result = self.is_true(values);
            values.pop();
            result
        };
        if universal { branch(false) && branch(true) } else { branch(false) || branch(true) }
    }

    /// The system; truth values are of sort Bool, or the numbers 0 and 1.
    fn system(&self, sort: SortId) -> Horn {
        let mut horn = Horn::new(Store::new());
        let count = self.universal.len();
        let constants = match sort {
            SortId::BOOL => [TermId::FALSE, TermId::TRUE],
            _ => [horn.terms.int(0), horn.terms.int(1)],
        };
        let vars: Vec<TermId> =
            (0..count).map(|i| horn.terms.var(&format!("x{i}"), sort)).collect();
        let prefix: Vec<PredId> =
            (0..=count).map(|i| horn.declare_pred(&format!("f{i}"), &vec![sort; i])).collect();
        let mut matrix = Vec::new();
        for (number, clause) in self.clauses.iter().enumerate() {
            let pred = horn.declare_pred(&format!("c{number}"), &vec![sort; count]);
            for &(var, negated) in clause {
                let body = horn.terms.eq(vars[var], constants[usize::from(!negated)]);
                add(&mut horn, &vars, &[body], Some((pred, &vars)));
            }
            matrix.push(atom(&mut horn, pred, &vars));
        }
        add(&mut horn, &vars, &matrix, Some((prefix[count], &vars)));
        for (level, &universal) in self.universal.iter().enumerate() {
            let outer = &vars[..level];
            let ways = constants.map(|constant| {
                let args: Vec<TermId> = outer.iter().copied().chain([constant]).collect();
                atom(&mut horn, prefix[level + 1], &args)
            });
            let head = Some((prefix[level], outer));
            match universal {
                true => add(&mut horn, outer, &ways, head),
                false => ways.iter().for_each(|&way| add(&mut horn, outer, &[way], head)),
            }
        }
        let query = atom(&mut horn, prefix[0], &[]);
        add(&mut horn, &[], &[query], None);
        horn
    }
}

fn atom(horn: &mut Horn, pred: PredId, args: &[TermId]) -> TermId {
    let func = horn.pred(pred).func;
    horn.terms.mk(Op::Apply(func), args)
}

fn add(horn: &mut Horn, vars: &[TermId], body: &[TermId], head: Option<(PredId, &[TermId])>) {
    let body = horn.terms.and(body);
    let head = head.map_or(Head::False, |(pred, args)| Head::Atom(pred, args.to_vec()));
    horn.clauses.push(Clause { vars: vars.to_vec(), body, head, name: None, span: Span::NONE });
}

#[test]
fn differ_or_agree() {
    // For all x there is a y that differs from it; there is an x that all y agree with.
    let differ = vec![vec![(0, false), (1, false)], vec![(0, true), (1, true)]];
    let agree = vec![vec![(0, false), (1, true)], vec![(0, true), (1, false)]];
    for sort in [SortId::BOOL, SortId::INT] {
        let formula = Formula { universal: vec![true, false], clauses: differ.clone() };
        assert_eq!(run(&formula.system(sort)), "unsafe");
        let formula = Formula { universal: vec![false, true], clauses: agree.clone() };
        assert_eq!(run(&formula.system(sort)), "safe");
    }
}

#[test]
fn random_formulas() {
    let (mut truths, mut rng) = (0, Rng::new(7));
    const COUNT: usize = 120;
    for number in 0..COUNT {
        let vars = 1 + rng.below(4) as usize;
        let clauses = 1 + rng.below(5) as usize;
        let formula = Formula::random(&mut rng, vars, clauses);
        let is_true = formula.is_true(&mut Vec::new());
        truths += usize::from(is_true);
        let sort = if number % 2 == 0 { SortId::BOOL } else { SortId::INT };
        let expected = if is_true { "unsafe" } else { "safe" };
        assert_eq!(run(&formula.system(sort)), expected, "formula {number}");
    }
    assert!(truths > COUNT / 8 && truths < COUNT - COUNT / 8, "{truths} true formulas");
}
