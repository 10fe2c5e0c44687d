//! A small circuit over latches as formulas: the conjuncts of its output, a line each.
//!
//! Gates are conjunctions; a negated one is shown as a disjunction, and nested ones of one kind are
//! drawn together. A gate that is used in several places is shown in each, so circuits that are not
//! small are not shown at all.

use alphorn_problem::Circuit;
use alphorn_problem::circuit::Lit;

/// The most gates of a circuit that is shown.
const MAX_GATES: usize = 300;
/// The most characters of all lines together.
const MAX_CHARACTERS: usize = 20_000;

/// The conjuncts of `output`, whose inputs have the given names; nothing if that would be too long.
pub(super) fn lines(
    circuit: &Circuit,
    output: Lit,
    name: impl Fn(usize) -> String,
) -> Option<Vec<String>> {
    if circuit.ands.len() > MAX_GATES {
        return None;
    }
    let printer = Printer { circuit, name };
    let mut room = MAX_CHARACTERS;
    let mut parts: Vec<String> = Vec::new();
    for conjunct in printer.parts(output) {
        // A disjunction stands alone on its line.
        parts.push(printer.show(conjunct, false, &mut room)?);
    }
    parts.sort_by_key(|part| (part.len(), part.clone()));
    parts.dedup();
    Some(parts)
}

struct Printer<'c, N> {
    circuit: &'c Circuit,
    name: N,
}

impl<N: Fn(usize) -> String> Printer<'_, N> {
    /// The gate that a literal is, if it is one.
    fn gate(&self, lit: Lit) -> Option<[Lit; 2]> {
        let index = lit.var().checked_sub(1 + self.circuit.inputs)?;
        let and = self.circuit.ands.get(index as usize)?;
        Some([and.left, and.right])
    }

    /// The conjuncts of a literal; itself if it is no conjunction.
    fn parts(&self, lit: Lit) -> Vec<Lit> {
        let mut parts = Vec::new();
        let mut stack = vec![lit];
        while let Some(lit) = stack.pop() {
            match self.gate(lit).filter(|_| !lit.is_negated()) {
                Some(sides) => stack.extend(sides),
                None => parts.push(lit),
            }
        }
        parts.sort_unstable();
        parts.dedup();
        parts
    }

    /// A literal as a formula, in brackets if it needs them; nothing if there is no more room.
    fn show(&self, lit: Lit, in_brackets: bool, room: &mut usize) -> Option<String> {
        if self.gate(lit).is_none() {
            let text = match lit {
                Lit::TRUE => "true".to_owned(),
                Lit::FALSE => "false".to_owned(),
                _ => {
                    let name = (self.name)(lit.var() as usize - 1);
                    format!("{}{name}", if lit.is_negated() { "!" } else { "" })
                }
            };
            *room = room.checked_sub(text.len())?;
            return Some(text);
        }
        // A negated conjunction is the disjunction of the negated conjuncts.
        let (parts, sign): (Vec<Lit>, &str) = match lit.is_negated() {
            true => (self.parts(!lit).into_iter().map(|part| !part).collect(), " | "),
            false => (self.parts(lit), " & "),
        };
        let shown: Option<Vec<String>> =
            parts.into_iter().map(|part| self.show(part, true, room)).collect();
        let text = shown?.join(sign);
        Some(if in_brackets { format!("({text})") } else { text })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alphorn_problem::circuit::And;

    #[test]
    fn conjuncts_are_lines_and_negated_gates_disjunctions() {
        // a ∧ ¬(b ∧ ¬(a ∧ c)), with inputs a, b, c as 2, 4, 6.
        let circuit = Circuit {
            inputs: 3,
            ands: vec![
                And { left: Lit(6), right: Lit(2) },
                And { left: Lit(9), right: Lit(4) },
                And { left: Lit(11), right: Lit(2) },
            ],
            ..Circuit::default()
        };
        let name = |at: usize| ["a", "b", "c"][at].to_owned();
        assert_eq!(lines(&circuit, Lit(12), name), Some(vec!["a".into(), "!b | (a & c)".into()]));
        assert_eq!(lines(&circuit, Lit(1), name), Some(vec!["true".into()]));
        let shown = lines(&circuit, Lit(13), name);
        assert_eq!(shown, Some(vec!["!a | (b & (!a | !c))".into()]));
    }
}
