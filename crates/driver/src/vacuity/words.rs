//! Word-level systems without a first step: constraints that no initial state satisfies.

use super::{Found, Questions, listed};
use crate::settings::VACUITY_MAX_TERMS;
use alphorn_problem::{Span, Words};
use alphorn_term::TermId;

/// Whether the constraints exclude every initial state.
pub(super) fn look(words: &Words) -> Found {
    let constraints: Vec<TermId> = words.constraints.iter().map(|c| c.term).collect();
    if constraints.is_empty() || words.terms.len() > VACUITY_MAX_TERMS.size() {
        return Found::default();
    }
    let mut store = words.terms.clone();
    let first: Vec<TermId> =
        (words.states.iter()).filter_map(|state| Some(store.eq(state.var, state.init?))).collect();
    let first = store.and(&first);
    let Some(core) = Questions::new().core(&mut store, first, &constraints) else {
        return Found::default();
    };
    let mut names: Vec<String> = Vec::new();
    let mut span = Span::NONE;
    for (index, constraint) in words.constraints.iter().enumerate() {
        if core.contains(&constraint.term) {
            span = constraint.span;
            names.push(match &constraint.name {
                Some(name) => format!("constraint {index} (\"{name}\")"),
                None => format!("constraint {index}"),
            });
        }
    }
    let (what, together) =
        if names.len() == 1 { ("excludes", "") } else { ("exclude", " together") };
    let names = if names.is_empty() { "the constraints".to_owned() } else { listed(&names) };
    let message = format!("{names} {what} every initial state{together}: there is no run at all");
    Found::vacuous(span, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alphorn_front::btor2;

    fn found(text: &str) -> Found {
        look(&btor2::read(text.as_bytes()).0.expect("a system"))
    }

    #[test]
    fn constraints_that_contradict_each_other_are_named() {
        let text = "1 sort bitvec 1\n2 input 1 a\n3 constraint 2\n4 constraint -2\n5 bad 2\n";
        let found = found(text);
        assert!(found.is_vacuous);
        let message = &found.warnings[0].message;
        assert!(message.starts_with("constraint 0 and constraint 1 exclude"), "{message}");
    }

    #[test]
    fn a_constraint_that_no_initial_value_satisfies_makes_a_system_vacuous() {
        let system = |init: &str| {
            format!(
                "1 sort bitvec 4\n2 sort bitvec 1\n3 zero 1\n4 one 1\n5 state 1 s\n{init}\
                 7 next 1 5 5\n8 eq 2 5 4\n9 constraint 8\n10 bad 8\n"
            )
        };
        assert!(found(&system("6 init 1 5 3\n")).is_vacuous);
        assert!(!found(&system("6 init 1 5 4\n")).is_vacuous);
        assert!(!found(&system("")).is_vacuous);
    }
}
