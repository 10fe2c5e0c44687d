//! Evaluates models of formulas in conjunctive normal form.
//!
//! A model lists the literals that are true. It need not speak of every variable, but every clause
//! must have one of the literals, and no variable may be both true and false.

use crate::Refusal;

/// Accepts `literals` if they agree with each other and make every clause of `formula` true.
pub fn satisfy<'a>(
    formula: impl IntoIterator<Item = &'a [i32]>,
    literals: &[i32],
) -> Result<(), Refusal> {
    let mut model = literals.to_vec();
    model.sort_unstable();
    for &lit in literals {
        if lit == 0 || lit == i32::MIN {
            return Err(Refusal::new("the model", format!("{lit} is no literal")));
        }
        if lit > 0 && model.binary_search(&-lit).is_ok() {
            return Err(Refusal::new("the model", format!("it says both {lit} and {}", -lit)));
        }
    }
    let holds = |lit: &i32| model.binary_search(lit).is_ok();
    match formula.into_iter().position(|clause| !clause.iter().any(holds)) {
        None => Ok(()),
        Some(index) => {
            let reason = "none of its literals is true in the model";
            Err(Refusal::new(format!("clause {} of the formula", index + 1), reason))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::satisfy;

    const FORMULA: [&[i32]; 3] = [&[1, 2], &[-1], &[2, -3]];

    fn reason(model: &[i32]) -> Option<String> {
        satisfy(FORMULA, model).err().map(|refusal| refusal.to_string())
    }

    #[test]
    fn models_are_accepted_and_may_leave_variables_out() {
        assert_eq!(reason(&[-1, 2, 3]), None);
        assert_eq!(reason(&[2, -1]), None);
        assert_eq!(reason(&[2, -1, 2, 77]), None);
    }

    #[test]
    fn what_makes_a_clause_false_or_open_is_refused() {
        let clause = |n: u8| {
            Some(format!("clause {n} of the formula: none of its literals is true in the model"))
        };
        assert_eq!(reason(&[-1, -2, -3]), clause(1));
        assert_eq!(reason(&[1, 2]), clause(2));
        assert_eq!(reason(&[2]), clause(2));
        assert_eq!(reason(&[]), clause(1));
    }

    #[test]
    fn contradictions_and_numbers_that_are_no_literals_are_refused() {
        assert_eq!(reason(&[2, -1, 1]).as_deref(), Some("the model: it says both 1 and -1"));
        assert_eq!(reason(&[2, 0, -1]).as_deref(), Some("the model: 0 is no literal"));
        let smallest = reason(&[2, i32::MIN, -1]).expect("it is refused");
        assert_eq!(smallest, "the model: -2147483648 is no literal");
    }
}
