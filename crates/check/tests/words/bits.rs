//! Invariants about the bits of a system, accepted and refused.

use super::{counter, named};
use crate::prove::refutation;
use alphorn_check::words::check_certificate;
use alphorn_problem::Words;
use alphorn_problem::evidence::circuit::{Invariant, Lrat};
use alphorn_problem::evidence::words::{
    Abstraction, Address, BitInvariant, WordCertificate, WordInvariant,
};
use alphorn_problem::obligation::blast::{Goal, blast};
use alphorn_problem::obligation::circuit::Obligations;
use alphorn_term::{Bv, Op, SortId, TermId};

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
