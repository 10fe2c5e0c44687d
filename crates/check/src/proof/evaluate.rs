//! Lemmas by evaluation.
//!
//! A literal that evaluates to true under the model that interprets nothing is true under every
//! model: evaluation fails where it would have to know a variable, a declared function, or what
//! division by zero gives. Quantifiers are not expanded here, as the proof does not say how much
//! work that is.

use super::context::Context;
use alphorn_problem::evidence::proof::Literal;
use alphorn_term::eval::bound;
use alphorn_term::{Model, Value, eval};

/// Some literal evaluates to true.
pub(super) fn evaluate(context: &Context, clause: &[Literal]) -> Result<(), String> {
    let store = context.store();
    let model = Model::new();
    let mut problem = None;
    for literal in clause {
        if store.has_quantifier(literal.atom) {
            problem = Some("a quantifier is not evaluated".to_owned());
            continue;
        }
        let tables = bound::Tables::default();
        let bounded = bound::evaluation(store, &[literal.atom], &model, &tables, context.meter());
        if let Err(reason) = bounded {
            problem = Some(reason);
            continue;
        }
        match eval(store, literal.atom, &model) {
            Ok(Value::Bool(value)) if value != literal.negated => return Ok(()),
            Ok(_) => {}
            Err(error) => problem = Some(error.describe(store)),
        }
    }
    Err(match problem {
        Some(reason) => format!("no literal evaluates to true; {reason}"),
        None => "no literal evaluates to true".to_owned(),
    })
}
