//! Random programs: the checksum of the form is that of the program.

use super::agree::{agree, task};
use alphorn_program::c::evidence::Numbers;
use alphorn_program::c::layout::DataModel;
use alphorn_program::c::lower::lower;
use alphorn_program::c::property::{Malloc, Property};
use alphorn_program::c::run::{Limits, Listed, Runnable, State, Value, Watcher};
use alphorn_program::c::tree::FuncId;
use alphorn_testkit::{Rng, c};

/// Keeps what a function returned last.
struct Result {
    of: FuncId,
    value: Option<Value>,
}

impl Watcher for Result {
    fn leave(&mut self, function: FuncId, result: Value, _: &State<'_>) {
        if function == self.of {
            self.value = Some(result);
        }
    }
}

#[test]
fn random_programs_compute_the_same_checksums() {
    let mut same = 0;
    for seed in 0..400 {
        let program = c::random(&mut Rng::new(seed), "r");
        let (entry, text) = (&program.entry, program.text());
        let whole = |check: &str| {
            let text = format!(
                "{text}\nint main(void) {{ unsigned long r = {entry}(); {check} return 0; }}"
            );
            task(&text, &[Property::UnreachCall], DataModel::Lp64, Malloc::Succeeds)
        };
        let first = whole("");
        let of = first.unit.find_function(entry).expect("the entry is there");
        let mut result = Result { of, value: None };
        let limits = Limits { steps: 3000, ..Limits::default() };
        Runnable::new(&first).run(&mut Listed::new(&[]), limits, &mut result);
        let Some(Value::Int(checksum)) = result.value else { continue };
        let task = whole(&format!("if (r == {checksum}ul) reach_error();"));
        for numbers in [Numbers::Integers, Numbers::Words] {
            match lower(&task, numbers) {
                Ok(lowered) => {
                    let tally = agree(&task, &lowered, seed, 1);
                    assert_eq!(tally.outside, 0, "{text}");
                    same += tally.violated;
                }
                // Bytes of other objects are not treated, nor are bits among integers.
                Err(all) => assert!(!all.is_empty()),
            }
        }
    }
    assert!(same > 10, "{same}");
}
