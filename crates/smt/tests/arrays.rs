//! Arrays: what is decided, with models that are evaluated and refutations that are replayed.

use alphorn_smt::{Answer, Budget, Options, Smt};
use alphorn_term::{Op, Sort, SortId, Store, TermId};
use alphorn_testkit::formulas::check_answer;

/// Variables of integers and of arrays of integers, by name.
struct World {
    store: Store,
}

impl World {
    fn new() -> World {
        World { store: Store::new() }
    }

    fn int(&mut self, name: &str) -> TermId {
        self.store.var(name, SortId::INT)
    }

    fn array(&mut self, name: &str) -> TermId {
        let sort = self.store.array_sort(SortId::INT, SortId::INT);
        self.store.var(name, sort)
    }

    fn constant(&mut self, value: i64) -> TermId {
        let sort = self.store.array_sort(SortId::INT, SortId::INT);
        let value = self.store.int(value);
        self.store.const_array(sort, value)
    }

    fn different(&mut self, left: TermId, right: TermId) -> TermId {
        let equation = self.store.eq(left, right);
        self.store.not(equation)
    }

    /// Decides a conjunction; the answer is justified.
    fn decide(&mut self, formulas: &[TermId]) -> Answer {
        let mut smt = Smt::new(Options { proofs: true, ..Options::default() });
        for formula in formulas {
            smt.assert(&mut self.store, *formula);
        }
        let answer = smt.check(&mut self.store, &[]);
        check_answer(&smt, &mut self.store, answer, "an example");
        if answer == Answer::Sat {
            let model = smt.model(&self.store);
            for formula in formulas {
                let value = alphorn_term::eval(&self.store, *formula, &model);
                let is_true = value.as_ref().is_ok_and(|value| value.as_bool() == Some(true));
                assert!(is_true, "{} is {value:?}", self.store.show(*formula));
            }
        }
        answer
    }
}

#[test]
fn reads_see_the_last_write() {
    let mut w = World::new();
    let (a, i, j, x) = (w.array("a"), w.int("i"), w.int("j"), w.int("x"));
    let written = w.store.store(a, i, x);
    let (read, old) = (w.store.select(written, j), w.store.select(a, j));
    let new = w.different(read, x);
    let same = w.different(read, old);
    assert_eq!(w.decide(&[new]), Answer::Sat);
    assert_eq!(w.decide(&[same]), Answer::Sat);
    assert_eq!(w.decide(&[new, same]), Answer::Unsat);
}

#[test]
fn writes_at_different_indices_commute() {
    let mut w = World::new();
    let a = w.array("a");
    let [i, j, x, y] = ["i", "j", "x", "y"].map(|name| w.int(name));
    let first = w.store.store(a, i, x);
    let first = w.store.store(first, j, y);
    let second = w.store.store(a, j, y);
    let second = w.store.store(second, i, x);
    let arrays = w.different(first, second);
    let indices = w.different(i, j);
    assert_eq!(w.decide(&[arrays]), Answer::Sat);
    assert_eq!(w.decide(&[arrays, indices]), Answer::Unsat);
}

#[test]
fn arrays_that_agree_everywhere_are_equal() {
    let mut w = World::new();
    let (a, b, i) = (w.array("a"), w.array("b"), w.int("i"));
    let (at_a, at_b) = (w.store.select(a, i), w.store.select(b, i));
    let b_written = w.store.store(b, i, at_a);
    let equal = w.store.eq(a, b_written);
    let elements = w.store.eq(at_a, at_b);
    let different = w.different(a, b);
    assert_eq!(w.decide(&[equal, different]), Answer::Sat);
    assert_eq!(w.decide(&[equal, elements, different]), Answer::Unsat);
}

#[test]
fn swapping_twice_changes_nothing() {
    let mut w = World::new();
    let (a, i, j) = (w.array("a"), w.int("i"), w.int("j"));
    let swap = |w: &mut World, a: TermId| {
        let (x, y) = (w.store.select(a, i), w.store.select(a, j));
        let half = w.store.store(a, i, y);
        w.store.store(half, j, x)
    };
    let once = swap(&mut w, a);
    let twice = swap(&mut w, once);
    let different = w.different(a, twice);
    assert_eq!(w.decide(&[different]), Answer::Unsat);
    let different = w.different(a, once);
    assert_eq!(w.decide(&[different]), Answer::Sat);
}

#[test]
fn constant_arrays_differ_beyond_all_writes() {
    let mut w = World::new();
    let (zero, one) = (w.constant(0), w.constant(1));
    let [i, j, x, y] = ["i", "j", "x", "y"].map(|name| w.int(name));
    let left = w.store.store(zero, i, x);
    let left = w.store.store(left, j, y);
    let right = w.store.store(one, j, x);
    let equal = w.store.eq(left, right);
    assert_eq!(w.decide(&[equal]), Answer::Unsat);
    let also_zero = w.store.store(zero, j, x);
    let equal = w.store.eq(left, also_zero);
    assert_eq!(w.decide(&[equal]), Answer::Sat);
}

#[test]
fn over_truth_values_writes_may_cover_everything() {
    let mut w = World::new();
    let sort = w.store.array_sort(SortId::BOOL, SortId::INT);
    let (zero, one) = (w.store.int(0), w.store.int(1));
    let (zeros, ones) = (w.store.const_array(sort, zero), w.store.const_array(sort, one));
    let p = w.store.var("p", SortId::BOOL);
    let not_p = w.store.not(p);
    let left = w.store.store(zeros, p, one);
    let left = w.store.store(left, not_p, one);
    let equal = w.store.eq(left, ones);
    assert_eq!(w.decide(&[equal]), Answer::Sat);
    let half = w.store.store(zeros, p, one);
    let equal = w.store.eq(half, ones);
    assert_eq!(w.decide(&[equal]), Answer::Unsat);
}

#[test]
fn there_are_four_arrays_of_truth_values_over_truth_values() {
    let mut w = World::new();
    let sort = w.store.array_sort(SortId::BOOL, SortId::BOOL);
    let arrays: Vec<TermId> = (0..5).map(|n| w.store.var(&format!("a{n}"), sort)).collect();
    let distinct = w.store.mk(Op::Distinct, &arrays);
    assert_eq!(w.decide(&[distinct]), Answer::Unsat);
    let distinct = w.store.mk(Op::Distinct, &arrays[1..]);
    assert_eq!(w.decide(&[distinct]), Answer::Sat);
}

#[test]
fn rows_of_a_matrix_are_arrays() {
    let mut w = World::new();
    let row = w.store.array_sort(SortId::INT, SortId::INT);
    let matrix = w.store.array_sort(SortId::INT, row);
    let m = w.store.var("m", matrix);
    let [i, j, k, x] = ["i", "j", "k", "x"].map(|name| w.int(name));
    // m[i][j] := x, then m[i][k] is read.
    let old_row = w.store.select(m, i);
    let new_row = w.store.store(old_row, j, x);
    let written = w.store.store(m, i, new_row);
    let read_row = w.store.select(written, k);
    let read = w.store.select(read_row, j);
    let same = w.store.eq(i, k);
    let wrong = w.different(read, x);
    assert_eq!(w.decide(&[wrong]), Answer::Sat);
    assert_eq!(w.decide(&[same, wrong]), Answer::Unsat);
    // Matrices that differ have rows that differ.
    let n = w.store.var("n", matrix);
    let different = w.different(m, n);
    let (first, second) = (w.store.select(m, i), w.store.select(n, i));
    let equal_rows = w.store.eq(first, second);
    let patched = w.store.store(n, i, first);
    let equal = w.store.eq(m, patched);
    assert_eq!(w.decide(&[different, equal_rows, equal]), Answer::Unsat);
    assert_eq!(w.decide(&[different, equal_rows]), Answer::Sat);
}

#[test]
fn conditionals_between_arrays() {
    let mut w = World::new();
    let (a, b, i) = (w.array("a"), w.array("b"), w.int("i"));
    let p = w.store.var("p", SortId::BOOL);
    let chosen = w.store.ite(p, a, b);
    let reads = [chosen, a, b].map(|array| w.store.select(array, i));
    let (not_a, not_b) = (w.different(reads[0], reads[1]), w.different(reads[0], reads[2]));
    assert_eq!(w.decide(&[not_a]), Answer::Sat);
    assert_eq!(w.decide(&[not_a, not_b]), Answer::Unsat);
}

/// Equal arrays have equal images, and a function may tell different ones apart.
#[test]
fn functions_of_arrays() {
    let mut w = World::new();
    let sort = w.store.array_sort(SortId::INT, SortId::INT);
    let f = w.store.declare("f", &[sort], SortId::INT);
    let (a, i, x) = (w.array("a"), w.int("i"), w.int("x"));
    let written = w.store.store(a, i, x);
    let images = [a, written].map(|array| w.store.mk(Op::Apply(f), &[array]));
    let different = w.different(images[0], images[1]);
    let read = w.store.select(a, i);
    let same = w.store.eq(read, x);
    assert_eq!(w.decide(&[different]), Answer::Sat);
    assert_eq!(w.decide(&[different, same]), Answer::Unsat);
}

/// The formula of Niemetz, Preiner, Biere (FMCAD 2014), with arrays for functions.
#[test]
fn only_what_matters_is_looked_at() {
    let mut w = World::new();
    let (f, g) = (w.array("f"), w.array("g"));
    let [i, j, k, e, v] = ["i", "j", "k", "e", "v"].map(|name| w.int(name));
    let indices = w.different(i, k);
    let (at_i, at_k, at_j) = (w.store.select(f, i), w.store.select(f, k), w.store.select(g, j));
    let (first, second) = (w.store.eq(at_i, e), w.store.eq(at_k, v));
    let either = w.store.or(&[first, second]);
    let same = w.store.eq(i, j);
    let chosen = w.store.ite(same, e, at_j);
    let choice = w.store.eq(v, chosen);
    assert_eq!(w.decide(&[indices, either, choice]), Answer::Sat);
}

/// What was said about arrays of an ended scope costs nothing, and comes back when it is needed.
#[test]
fn scopes() {
    let mut w = World::new();
    let (a, i, j, x) = (w.array("a"), w.int("i"), w.int("j"), w.int("x"));
    let written = w.store.store(a, i, x);
    let read = w.store.select(written, j);
    let old = w.store.select(a, j);
    let wrong = [w.different(read, x), w.different(read, old)];
    let mut smt = Smt::new(Options { proofs: true, ..Options::default() });
    for _ in 0..3 {
        smt.push();
        for formula in wrong {
            smt.assert(&mut w.store, formula);
        }
        let answer = smt.check(&mut w.store, &[]);
        assert_eq!(answer, Answer::Unsat);
        check_answer(&smt, &mut w.store, answer, "in the scope");
        smt.pop();
        assert_eq!(smt.check(&mut w.store, &wrong[..1]), Answer::Sat);
        assert_eq!(smt.check(&mut w.store, &wrong), Answer::Unsat);
    }
}

/// Over a sort that may be finite, constant arrays may become equal by writes; nobody knows.
#[test]
fn sorts_of_unknown_size() {
    let mut w = World::new();
    let symbol = w.store.symbol("U");
    let element = w.store.sort_id(Sort::Uninterpreted(symbol, Vec::new()));
    let sort = w.store.array_sort(element, SortId::INT);
    let (zero, one) = (w.store.int(0), w.store.int(1));
    let (zeros, ones) = (w.store.const_array(sort, zero), w.store.const_array(sort, one));
    let u = w.store.var("u", element);
    let written = w.store.store(zeros, u, one);
    let equal = w.store.eq(written, ones);
    assert_eq!(w.decide(&[equal]), Answer::Unknown);
    let different = w.store.not(equal);
    assert_eq!(w.decide(&[different]), Answer::Sat);
}

/// A memory with conditional writes, read where a register follows one cell: unfolded reads take
/// few conflicts, whereas the ways through the writes are exponentially many.
#[test]
fn a_register_that_shadows_a_cell_of_a_memory() {
    let mut store = Store::new();
    let (address, word) = (store.bv_sort(16), store.bv_sort(8));
    let memories = store.array_sort(address, word);
    let [cell, port] = ["cell", "port"].map(|name| store.var(name, address));
    let mut memory = store.var("memory", memories);
    let mut shadow = store.select(memory, cell);
    for step in 0..8 {
        let write = store.var(&format!("write{step}"), SortId::BOOL);
        let to = store.var(&format!("to{step}"), address);
        let value = store.var(&format!("value{step}"), word);
        let written = store.store(memory, to, value);
        memory = store.ite(write, written, memory);
        let is_cell = store.eq(to, cell);
        let is_hit = store.and(&[write, is_cell]);
        shadow = store.ite(is_hit, value, shadow);
    }
    let read = store.select(memory, port);
    let (same, equal) = (store.eq(port, cell), store.eq(read, shadow));
    let different = store.not(equal);
    for (formulas, expected) in
        [(vec![same, different], Answer::Unsat), (vec![different], Answer::Sat)]
    {
        let mut smt = Smt::new(Options { proofs: true, ..Options::default() });
        smt.set_budget(Budget { conflicts: Some(3_000), ..Budget::default() });
        for formula in formulas {
            smt.assert(&mut store, formula);
        }
        let answer = smt.check(&mut store, &[]);
        assert_eq!(answer, expected);
        check_answer(&smt, &mut store, answer, "a shadow");
    }
}

/// Constant arrays over a sort without literals differ at any term that is not written.
#[test]
fn constant_arrays_over_other_sorts() {
    let mut w = World::new();
    let symbol = w.store.symbol("U");
    let indices = w.store.sort_id(Sort::Uninterpreted(symbol, Vec::new()));
    let arrays = w.store.array_sort(indices, SortId::INT);
    let [i, j] = ["i", "j"].map(|name| w.store.var(name, indices));
    let [zero, one] = [0, 1].map(|value| w.store.int(value));
    let [zeros, ones] = [zero, one].map(|value| w.store.const_array(arrays, value));
    let written = w.store.store(ones, i, zero);
    let equal = w.store.eq(zeros, written);
    let different = w.different(i, j);
    assert_eq!(w.decide(&[equal, different]), Answer::Unsat);
}

/// An index that is read is compared with one that is written, where indices are arrays themselves.
#[test]
fn indices_that_are_arrays() {
    let mut w = World::new();
    let inner = w.store.array_sort(SortId::INT, SortId::BOOL);
    let outer = w.store.array_sort(inner, SortId::INT);
    let memory = w.store.var("memory", outer);
    let [s, t] = ["s", "t"].map(|name| w.store.var(name, inner));
    let [x, y] = ["x", "y"].map(|name| w.store.var(name, SortId::INT));
    let written = w.store.store(memory, s, x);
    let read = w.store.select(written, t);
    let is_y = w.store.eq(read, y);
    let different = w.different(x, y);
    assert_eq!(w.decide(&[is_y, different]), Answer::Sat);
    let same = w.store.eq(s, t);
    assert_eq!(w.decide(&[is_y, different, same]), Answer::Unsat);
}

/// A read behind a condition that does not hold has no value to be right about.
#[test]
fn a_branch_that_is_not_taken_brings_no_lemma() {
    let mut w = World::new();
    let [i, j, v, x] = ["i", "j", "v", "x"].map(|name| w.int(name));
    let a = w.array("a");
    let condition = w.store.var("c", SortId::BOOL);
    let (one, two) = (w.store.int(1), w.store.int(2));
    let written = w.store.mk(Op::Store, &[a, i, one]);
    let read = w.store.select(written, j);
    let chosen = w.store.mk(Op::Ite, &[condition, x, read]);
    let (named, same, value) = (w.store.eq(v, chosen), w.store.eq(i, j), w.store.eq(v, two));
    let mut smt = Smt::new(Options::default());
    for formula in [named, same, value] {
        smt.assert(&mut w.store, formula);
    }
    assert_eq!(smt.check(&mut w.store, &[condition]), Answer::Sat);
    assert_eq!(smt.theory_stats().array_lemmas, 0);
    let other = w.store.not(condition);
    assert_eq!(smt.check(&mut w.store, &[other]), Answer::Unsat);
    assert!(smt.theory_stats().array_lemmas > 0);
}
