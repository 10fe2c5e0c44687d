//! Arrays that are too large to be written out: cells that are followed, proofs and runs.

use crate::{decide, summary};
use alphorn_problem::evidence::words::{Address, WordInvariant};
use alphorn_problem::{Verdict, Words};
use alphorn_term::{Op, SortId, TermId};
use alphorn_testkit::words::build::{input, named, state, word};
use alphorn_testkit::words::judge::accept;

/// A memory of 65,536 bytes that starts with zeros. What is written is even, except at address `odd`.
fn memory(odd: Option<u64>) -> (Words, TermId, SortId) {
    let mut system = Words::default();
    let (at, cell) = (system.terms.bv_sort(16), system.terms.bv_sort(8));
    let sort = system.terms.array_sort(at, cell);
    let memory = state(&mut system, "memory", sort);
    let address = input(&mut system, "address", at);
    let value = input(&mut system, "value", cell);
    let (zero, mask) = (word(&mut system, 8, 0), word(&mut system, 8, 0xfe));
    let even = system.terms.mk(Op::BvAnd, &[value, mask]);
    let stored = match odd {
        Some(odd) => {
            let odd = word(&mut system, 16, odd);
            let here = system.terms.eq(address, odd);
            system.terms.ite(here, value, even)
        }
        None => even,
    };
    let next = system.terms.store(memory, address, stored);
    let zeros = system.terms.const_array(sort, zero);
    system.states[0].init = Some(zeros);
    system.states[0].next = Some(next);
    (system, memory, at)
}

/// It is bad to read an odd byte at `at`.
fn reads_odd(system: &mut Words, memory: TermId, at: TermId) {
    let read = system.terms.select(memory, at);
    let low = system.terms.mk(Op::Extract(0, 0), &[read]);
    let bad = system.terms.bv_to_bool(low);
    system.bads.push(named(bad));
}

fn cells(verdict: &Verdict<Words>) -> Vec<Address> {
    let Verdict::Safe(certificate) = verdict else { panic!("it is safe") };
    let WordInvariant::Bits(bits) = &certificate.invariant else { panic!("about bits") };
    bits.abstraction.cells.clone()
}

#[test]
fn a_cell_at_a_fixed_address() {
    let (mut system, array, _) = memory(None);
    let at = word(&mut system, 16, 77);
    reads_odd(&mut system, array, at);
    let (verdict, _, _) = decide("words-memory", &system, 1_000_000, 1);
    assert_eq!(summary(&verdict), "safe, by bits");
    assert!(matches!(&cells(&verdict.expect("safe"))[..], [Address::Word(_)]));

    let (mut system, array, _) = memory(Some(77));
    let at = word(&mut system, 16, 77);
    reads_odd(&mut system, array, at);
    let (verdict, _, _) = decide("words-memory", &system, 1_000_000, 1);
    assert_eq!(summary(&verdict), "unsafe, 2 steps");
}

/// A state that never changes stands for all addresses at once.
#[test]
fn a_cell_at_an_address_that_never_changes() {
    for (odd, expected) in [(None, "safe, by bits"), (Some(5), "unsafe, 2 steps")] {
        let (mut system, array, at) = memory(odd);
        let watched = state(&mut system, "watched", at);
        system.states[1].next = Some(watched);
        reads_odd(&mut system, array, watched);
        let (verdict, _, _) = decide("words-memory", &system, 1_000_000, 1);
        assert_eq!(summary(&verdict), expected);
        if let Ok(Verdict::Safe(_)) = &verdict {
            let mut verdict = verdict.expect("safe");
            assert_eq!(cells(&verdict), [Address::State(1)]);
            accept(&system, &verdict);
            // Without the cell the invariant is not one, and an address that moves is none.
            let Verdict::Safe(certificate) = &mut verdict else { panic!("it is safe") };
            let WordInvariant::Bits(bits) = &mut certificate.invariant else { panic!("bits") };
            for address in [None, Some(Address::State(0)), Some(Address::State(7))] {
                bits.abstraction.cells = address.into_iter().collect();
                let invariant = WordInvariant::Bits(bits.clone());
                let changed =
                    alphorn_problem::evidence::words::WordCertificate { property: 0, invariant };
                alphorn_check::words::check_certificate(&system, &changed).expect_err("refused");
            }
        }
    }
}

#[test]
fn circuits_do_without_large_arrays() {
    let (mut system, array, _) = memory(None);
    let at = word(&mut system, 16, 77);
    reads_odd(&mut system, array, at);
    let (verdict, _, _) = decide("ic3", &system, 1_000, 1);
    let said = summary(&verdict);
    assert!(said.starts_with("unsupported: arrays of sort (Array (_ BitVec 16)"), "{said}");
    // Nobody reads it: then it does not matter how large it is.
    let flag = state(&mut system, "flag", SortId::BOOL);
    system.states[1].init = Some(TermId::FALSE);
    system.states[1].next = Some(flag);
    system.bads[0] = named(flag);
    let (verdict, _, _) = decide("ic3", &system, 1_000, 1);
    assert_eq!(summary(&verdict), "safe, by bits");
}
