//! Invariants about the bits of a system, accepted and refused.

use super::{counter, named};
use alphorn_check::words::check_certificate;
use alphorn_problem::evidence::circuit::{Invariant, Lrat, Property};
use alphorn_problem::evidence::words::{
    Abstraction, Address, BitInvariant, WordCertificate, WordInvariant,
};
use alphorn_problem::monitor::Monitor;
use alphorn_problem::obligation::blast::{Goal, blast};
use alphorn_problem::obligation::circuit::Obligations;
use alphorn_problem::{Circuit, Words};
use alphorn_term::{Bv, Op, SortId, TermId};
use alphorn_testkit::cnf::prove::refutation;

/// The counter that adds zero or four, so that its low bits stay zero and six is never reached.
fn safe_counter() -> Words {
    let mut words = counter();
    let terms = &mut words.terms;
    let low = terms.mk(Op::Extract(0, 0), &[words.inputs[0]]);
    let none = terms.bv(Bv::from_u64(2, 0));
    let four = terms.mk(Op::Concat, &[low, none]);
    words.states[0].next = Some(terms.mk(Op::BvAdd, &[words.states[0].var, four]));
    words
}

fn follow(states: &[usize]) -> Abstraction {
    Abstraction { states: states.to_vec(), cells: Vec::new() }
}

fn certificate(
    abstraction: Abstraction,
    invariant: Invariant,
    proofs: Vec<Lrat>,
) -> WordCertificate {
    let found = BitInvariant { abstraction, invariant, proofs };
    WordCertificate { property: 0, invariant: WordInvariant::Bits(Box::new(found)) }
}

/// The certificate with proofs, if the invariant has them.
fn proved(
    words: &Words,
    abstraction: Abstraction,
    invariant: Invariant,
) -> Option<WordCertificate> {
    let circuit = blast(words, Goal::Safety(0), &abstraction).unwrap().circuit;
    let obligations = Obligations::new(&circuit, 0, &invariant).unwrap();
    let proof = |index| refutation(obligations.build(index).unwrap().cnf.clauses());
    let proofs = (0..obligations.count()).map(proof).collect::<Option<Vec<Lrat>>>()?;
    Some(certificate(abstraction, invariant, proofs))
}

/// That bit 1 of the counter is zero, where the counter is the first state that is followed.
fn second_bit_is_zero(words: &Words, abstraction: &Abstraction) -> Invariant {
    let circuit = blast(words, Goal::Safety(0), abstraction).unwrap().circuit;
    Invariant::Clauses(vec![vec![!circuit.latch(1)]])
}

fn refusal(words: &Words, certificate: &WordCertificate) -> String {
    check_certificate(words, certificate).unwrap_err().to_string()
}

#[test]
fn clauses_and_induction_are_accepted() {
    let words = safe_counter();
    for states in [&[0][..], &[0, 1], &[0, 2], &[0, 1, 2]] {
        let invariant = second_bit_is_zero(&words, &follow(states));
        let found = proved(&words, follow(states), invariant).unwrap();
        assert_eq!(check_certificate(&words, &found), Ok(()));
    }
    let rows = Invariant::States { latches: vec![1], states: vec![vec![false]] };
    let found = proved(&words, follow(&[0]), rows).unwrap();
    assert_eq!(check_certificate(&words, &found), Ok(()));
}

#[test]
fn an_invariant_of_another_circuit_is_refused() {
    let words = safe_counter();
    let invariant = second_bit_is_zero(&words, &follow(&[0]));
    let WordInvariant::Bits(good) = proved(&words, follow(&[0]), invariant).unwrap().invariant
    else {
        panic!("about bits")
    };
    let with = |abstraction, invariant| certificate(abstraction, invariant, good.proofs.clone());
    // A state too many is a circuit with other latches; none at all is one without.
    for states in [&[1][..], &[1, 2], &[]] {
        let changed = with(follow(states), good.invariant.clone());
        assert!(check_certificate(&words, &changed).is_err(), "{states:?}");
    }
    for states in [&[0, 0][..], &[2, 0], &[0, 3]] {
        let text = refusal(&words, &with(follow(states), good.invariant.clone()));
        assert!(text.contains("the positions of states"), "{text}");
    }
    let cells = vec![Address::State(0)];
    let moving = with(Abstraction { states: vec![0], cells }, good.invariant.clone());
    assert!(refusal(&words, &moving).contains("state 0 is no address"));
    // Other clauses, and proofs that are missing.
    let circuit = blast(&words, Goal::Safety(0), &follow(&[0])).unwrap().circuit;
    let first = Invariant::Clauses(vec![vec![!circuit.latch(0)]]);
    assert!(check_certificate(&words, &with(follow(&[0]), first)).is_err());
    let bare = certificate(follow(&[0]), good.invariant.clone(), Vec::new());
    assert!(refusal(&words, &bare).contains("0 proofs for 3 obligations"));
    // The same evidence about a system that does reach six.
    assert!(check_certificate(&counter(), &with(follow(&[0]), good.invariant.clone())).is_err());
}

/// What is not followed may be anything: a proof that needs it does not exist.
#[test]
fn what_is_left_out_is_any_value() {
    let words = safe_counter();
    let nothing = Invariant::Clauses(Vec::new());
    assert!(proved(&words, follow(&[]), nothing.clone()).is_none());
    assert!(proved(&words, follow(&[1, 2]), nothing).is_none());
}

/// Cells of a large array that are not followed may be anything, those that are are known.
#[test]
fn cells_of_large_arrays() {
    let mut words = Words::default();
    let terms = &mut words.terms;
    let (at, bit) = (terms.bv_sort(20), terms.bv_sort(1));
    let sort = terms.array_sort(at, bit);
    let (memory, address) = (terms.var("memory", sort), terms.var("address", at));
    let (zero, five) = (terms.bv(Bv::from_u64(1, 0)), terms.bv(Bv::from_u64(20, 5)));
    let zeros = terms.const_array(sort, zero);
    let next = terms.store(memory, address, zero);
    let read = terms.select(memory, five);
    let bad = terms.bv_to_bool(read);
    words.states.push(super::state(memory, Some(zeros), Some(next)));
    words.inputs.push(address);
    words.bads.push(named(bad));
    let cell = |index: u64| Abstraction {
        states: vec![0],
        cells: vec![Address::Word(Bv::from_u64(20, index))],
    };
    let zero_cell = |words: &Words, abstraction: &Abstraction| {
        let circuit = blast(words, Goal::Safety(0), abstraction).unwrap().circuit;
        Invariant::Clauses(vec![vec![!circuit.latch(0)]])
    };
    let found = proved(&words, cell(5), zero_cell(&words, &cell(5))).unwrap();
    assert_eq!(check_certificate(&words, &found), Ok(()));
    let other = proved(&words, cell(6), zero_cell(&words, &cell(6)));
    assert!(other.is_none(), "cell 5 is not followed");
    assert!(proved(&words, follow(&[0]), Invariant::Clauses(Vec::new())).is_none());
    // Whether two arrays are equal is not known from some of their cells.
    let mut compared = words.clone();
    let same = compared.terms.eq(memory, zeros);
    for bad in [same, compared.terms.not(same)] {
        compared.bads[0].term = bad;
        assert!(proved(&compared, cell(5), zero_cell(&compared, &cell(5))).is_none());
    }
    // An address of a width that no array has follows nothing.
    let other = Abstraction { states: vec![0], cells: vec![Address::Word(Bv::from_u64(3, 5))] };
    assert_eq!(blast(&words, Goal::Safety(0), &other).unwrap().circuit.latches.len(), 0);
}

/// A few arrays of which nothing is followed have no bits at all.
#[test]
fn arrays_of_large_arrays() {
    let mut words = Words::default();
    let terms = &mut words.terms;
    let (at, bit) = (terms.bv_sort(20), terms.bv_sort(1));
    let inner = terms.array_sort(at, bit);
    let outer = terms.array_sort(bit, inner);
    let (pages, page) = (terms.var("pages", outer), terms.var("page", bit));
    let five = terms.bv(Bv::from_u64(20, 5));
    let chosen = terms.select(pages, page);
    let read = terms.select(chosen, five);
    let bad = terms.bv_to_bool(read);
    let cleared = terms.ite(bad, pages, pages);
    words.states.push(super::state(pages, None, Some(cleared)));
    words.inputs.push(page);
    words.bads.push(named(bad));
    for (cells, latches) in [(vec![], 0), (vec![Address::Word(Bv::from_u64(20, 5))], 2)] {
        let abstraction = Abstraction { states: vec![0], cells };
        let circuit = blast(&words, Goal::Safety(0), &abstraction).unwrap().circuit;
        assert_eq!(circuit.latches.len(), latches);
        assert!(proved(&words, abstraction, Invariant::Clauses(Vec::new())).is_none());
    }
}

#[test]
fn what_has_no_bits_is_refused() {
    let mut words = Words::default();
    let number = words.terms.var("n", SortId::INT);
    words.states.push(super::state(number, None, None));
    words.bads.push(named(TermId::FALSE));
    let empty = certificate(follow(&[0]), Invariant::Clauses(Vec::new()), Vec::new());
    assert!(refusal(&words, &empty).contains("values of sort Int"));
    // It is not needed, so leaving it out is fine.
    let found = proved(&words, follow(&[]), Invariant::Clauses(Vec::new())).unwrap();
    assert_eq!(check_certificate(&words, &found), Ok(()));
}

/// The counter that stays where it is once it is three: it is zero finitely often only.
fn settling_counter() -> Words {
    let mut words = counter();
    let terms = &mut words.terms;
    let count = words.states[0].var;
    let (one, three) = (terms.bv(Bv::from_u64(3, 1)), terms.bv(Bv::from_u64(3, 3)));
    let (next, is_over) = (terms.mk(Op::BvAdd, &[count, one]), terms.eq(count, three));
    words.states[0].next = Some(terms.ite(is_over, count, next));
    words
}

/// A certificate that a justice property holds, with proofs if the invariant has them.
fn proved_justice(
    words: &Words,
    states: &[usize],
    monitor: Monitor,
    of: impl Fn(&Circuit, &Circuit) -> Invariant,
) -> Option<WordCertificate> {
    let circuit = blast(words, Goal::Justice(0), &follow(states)).unwrap().circuit;
    let watched = monitor.build(&circuit, 0).unwrap();
    let invariant = of(&circuit, &watched);
    let obligations = Obligations::new(&watched, 0, &invariant).unwrap();
    let proof = |index| refutation(obligations.build(index).unwrap().cnf.clauses());
    let proofs = (0..obligations.count()).map(proof).collect::<Option<Vec<Lrat>>>()?;
    let invariant = Invariant::Justice { monitor, invariant: Box::new(invariant) };
    Some(certificate(follow(states), invariant, proofs))
}

/// With two signals, zero and fairness, both flags are seen at most once while the counter is zero: as
/// soon as it was counted the counter is not zero, and never is again.
fn counted_once(_: &Circuit, watched: &Circuit) -> Invariant {
    let latch = |index: usize| watched.latch(index);
    // The counter has latches 0 to 2, the flags are 3 and 4, and 5 says that it happened once.
    let nonzero = vec![latch(0), latch(1), latch(2)];
    let mut after = vec![!latch(5)];
    after.extend(nonzero);
    Invariant::Clauses(vec![after, vec![!latch(5), !latch(3)], vec![!latch(2)]])
}

#[test]
fn a_monitor_on_bits_proves_justice() {
    let words = settling_counter();
    let count = Monitor::Count { most: 1 };
    let found = proved_justice(&words, &[0], count, counted_once).unwrap();
    assert_eq!(check_certificate(&words, &found), Ok(()));
    assert_eq!(found.holds(), Property::Justice(0));
    // More states than needed are fine, with latches that come after the counter's.
    let wide = |_: &Circuit, watched: &Circuit| {
        let latch = |index: usize| watched.latch(index);
        let after = vec![!latch(8), latch(0), latch(1), latch(2)];
        Invariant::Clauses(vec![after, vec![!latch(8), !latch(6)], vec![!latch(2)]])
    };
    let found = proved_justice(&words, &[0, 2], count, wide).unwrap();
    assert_eq!(check_certificate(&words, &found), Ok(()));
}

#[test]
fn a_proof_of_justice_is_about_its_property_alone() {
    let words = settling_counter();
    let count = Monitor::Count { most: 1 };
    let found = proved_justice(&words, &[0], count, counted_once).unwrap();
    let WordInvariant::Bits(bits) = &found.invariant else { panic!("about bits") };
    // The counter that goes round is zero again and again.
    assert!(check_certificate(&counter(), &found).is_err());
    assert!(proved_justice(&counter(), &[0], count, counted_once).is_none());
    // Without fairness there is one signal, and the monitor has other latches.
    let mut unfair = words.clone();
    unfair.fairness.clear();
    assert!(check_certificate(&unfair, &found).is_err());
    // A smaller count, another monitor, no proofs, another property, the invariant alone.
    let with = |invariant: Invariant, proofs: &[Lrat]| {
        certificate(follow(&[0]), invariant, proofs.to_vec())
    };
    let Invariant::Justice { invariant, .. } = &bits.invariant else { panic!("of a monitor") };
    for monitor in [Monitor::Count { most: 0 }, Monitor::Count { most: 2 }, Monitor::Loop] {
        let other = Invariant::Justice { monitor, invariant: invariant.clone() };
        assert!(check_certificate(&words, &with(other, &bits.proofs)).is_err(), "{monitor:?}");
    }
    assert!(refusal(&words, &with(bits.invariant.clone(), &[])).contains("0 proofs for 3"));
    let missing = WordCertificate { property: 1, ..found.clone() };
    assert!(refusal(&words, &missing).contains("the system has no justice property 1"));
    assert!(check_certificate(&words, &with((**invariant).clone(), &bits.proofs)).is_err());
    let twice = Invariant::Justice { monitor: count, invariant: Box::new(bits.invariant.clone()) };
    assert!(refusal(&words, &with(twice, &bits.proofs)).contains("proves justice, not safety"));
    // A justice certificate says nothing about the safety property of the same position.
    assert_ne!(found.holds(), Property::Bad(0));
}
