//! Select one property: the system with that property as its only one.
//!
//! Nothing else changes; the way back only says which property it was. Fairness restricts
//! infinite runs and goes with the justice properties.

use alphorn_problem::evidence::words::{Property, WordCertificate, WordTrace};
use alphorn_problem::{Back, Lost, Words};

/// The system whose only property is the safety property `index`; `None` if there is none.
pub fn select_property(system: &Words, index: usize) -> Option<(Words, Back<Words, Words>)> {
    let bad = system.bads.get(index)?.clone();
    let selected = Words { bads: vec![bad], ..bare(system) };
    let back = Back::new(
        move |certificate: WordCertificate| Ok(WordCertificate { property: index, ..certificate }),
        move |trace: WordTrace| Ok(WordTrace { property: Property::Bad(index), ..trace }),
    );
    Some((selected, back))
}

/// The system whose only property is the justice property `index`; `None` if there is none.
pub fn select_justice(system: &Words, index: usize) -> Option<(Words, Back<Words, Words>)> {
    let justice = system.justice.get(index)?.clone();
    let fairness = system.fairness.clone();
    let selected = Words { justice: vec![justice], fairness, ..bare(system) };
    let back = Back::new(
        |_| Err(Lost("certificates speak about safety properties only".into())),
        move |trace: WordTrace| Ok(WordTrace { property: Property::Justice(index), ..trace }),
    );
    Some((selected, back))
}

/// The system without outputs and properties.
fn bare(system: &Words) -> Words {
    Words {
        terms: system.terms.clone(),
        inputs: system.inputs.clone(),
        states: system.states.clone(),
        constraints: system.constraints.clone(),
        ..Words::default()
    }
}
