//! Minimal unsatisfiable sets of groups.

use alphorn_sat::cores::{Effort, Found, Grouped, Settings, minimal_core};
use alphorn_sat::{Cnf, Lit, Var};
use alphorn_testkit::Rng;
use alphorn_testkit::cnf::random::{clause_of_distinct, has_model, random_options};

const VARIABLES: u32 = 8;

/// Hard clauses, and groups of clauses.
type Parts = (Vec<Vec<Lit>>, Vec<Vec<Vec<Lit>>>);

fn grouped((hard, groups): &Parts) -> Grouped {
    let mut formula = Grouped::default();
    for group in groups {
        let number = formula.new_group();
        group.iter().for_each(|clause| formula.add(number, clause));
    }
    hard.iter().for_each(|clause| formula.add_hard(clause));
    formula
}

fn possible((hard, groups): &Parts, chosen: &[usize]) -> bool {
    let soft = chosen.iter().flat_map(|group| &groups[*group]);
    has_model(VARIABLES, hard.iter().chain(soft).map(Vec::as_slice))
}

fn random_parts(random: &mut Rng) -> Parts {
    let clauses = |random: &mut Rng, count: u32| -> Vec<Vec<Lit>> {
        (0..count)
            .map(|_| {
                let width = 1 + random.below(3).max(random.below(3));
                clause_of_distinct(random, VARIABLES, width)
            })
            .collect()
    };
    let count = random.below(6);
    let hard = clauses(random, count);
    let count = 8 + random.below(14);
    let groups = (0..count)
        .map(|_| {
            let count = random.below(4);
            clauses(random, count)
        })
        .collect();
    (hard, groups)
}

fn is_minimal(parts: &Parts, core: &[usize]) -> bool {
    (0..core.len()).all(|index| {
        let mut fewer = core.to_vec();
        fewer.remove(index);
        possible(parts, &fewer)
    })
}

#[test]
fn cores_of_groups_are_minimal_in_every_mode() {
    let mut random = Rng::new(3);
    let mut sizes = 0;
    for _ in 0..400 {
        let parts = random_parts(&mut random);
        let all: Vec<usize> = (0..parts.1.len()).collect();
        let expected = possible(&parts, &all);
        for (trim, rotate) in [(false, false), (false, true), (true, false), (true, true)] {
            let options = random_options(&mut random);
            let settings = Settings { trim, rotate, options, ..Settings::default() };
            let found = minimal_core(&grouped(&parts), &settings);
            if expected {
                assert_eq!(found, Found::Satisfiable);
                continue;
            }
            let core = found.into_core().expect("there is no model");
            assert!(core.is_minimal);
            assert!(!possible(&parts, &core.elements), "{parts:?} {core:?}");
            assert!(is_minimal(&parts, &core.elements), "{parts:?} {core:?}");
            sizes += core.elements.len();
        }
    }
    assert!(sizes > 1000, "{sizes} groups");
}

#[test]
fn little_effort_gives_a_core_all_the_same() {
    let mut random = Rng::new(4);
    let mut unfinished = 0;
    for round in 0..400 {
        let parts = random_parts(&mut random);
        let queries = Some(1 + random.below(5));
        let effort = Effort { queries, ..Effort::default() };
        let settings = Settings { effort, trim: round % 2 == 0, ..Settings::default() };
        let Some(core) = minimal_core(&grouped(&parts), &settings).into_core() else { continue };
        assert!(!possible(&parts, &core.elements));
        assert!(!core.is_minimal || is_minimal(&parts, &core.elements));
        unfinished += usize::from(!core.is_minimal);
    }
    assert!(unfinished > 20, "{unfinished} unfinished");
    let nothing = Effort { queries: Some(0), ..Effort::default() };
    for trim in [false, true] {
        let settings = Settings { effort: nothing, trim, ..Settings::default() };
        assert_eq!(minimal_core(&Grouped::default(), &settings), Found::Unknown);
    }
}

/// Rows of pigeons with one hole too few, each with its own variables; every row is a core.
fn pigeon_rows(rows: u32, holes: u32) -> Cnf {
    let mut clauses = Vec::new();
    for row in 0..rows {
        let first = row * (holes + 1) * holes;
        let sits = |pigeon: u32, hole: u32| Var(first + pigeon * holes + hole).positive();
        for pigeon in 0..=holes {
            clauses.push((0..holes).map(|hole| sits(pigeon, hole)).collect());
        }
        for hole in 0..holes {
            for pigeon in 0..=holes {
                for other in 0..pigeon {
                    clauses.push(vec![!sits(pigeon, hole), !sits(other, hole)]);
                }
            }
        }
    }
    Cnf { variables: rows * (holes + 1) * holes, clauses }
}

/// All clauses of a pigeon-hole formula are necessary.
#[test]
fn pigeons_leave_one_row() {
    let cnf = pigeon_rows(4, 4);
    let row = cnf.clauses.len() / 4;
    for trim in [false, true] {
        let settings = Settings { trim, ..Settings::default() };
        let core = minimal_core(&Grouped::of_clauses(&cnf), &settings).into_core();
        let core = core.expect("there is no model");
        assert!(core.is_minimal);
        assert_eq!(core.elements.len(), row);
        assert!(core.elements.iter().all(|index| index / row == core.elements[0] / row));
    }
}

/// With rotation one model shows a chain of implications to be necessary as a whole.
#[test]
fn rotation_saves_queries() {
    let links = 200;
    let mut clauses = vec![vec![Var(0).positive()], vec![Var(links - 1).negative()]];
    clauses.extend((1..links).map(|var| vec![Var(var - 1).negative(), Var(var).positive()]));
    let formula = Grouped::of_clauses(&Cnf { variables: links, clauses });
    let is_minimal_with = |rotate: bool| {
        let effort = Effort { queries: Some(4), ..Effort::default() };
        let settings = Settings { effort, rotate, trim: false, ..Settings::default() };
        let core = minimal_core(&formula, &settings).into_core().expect("there is no model");
        assert_eq!(core.elements.len(), formula.groups());
        core.is_minimal
    };
    assert!(is_minimal_with(true));
    assert!(!is_minimal_with(false));
}
