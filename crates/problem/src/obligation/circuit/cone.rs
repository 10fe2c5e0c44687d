//! What a literal depends on: through gates, and through gates of the first step.

use crate::circuit::{And, Circuit, Latch, Lit};

/// The variables that `roots` depend on within one step, in ascending order.
pub fn cone(circuit: &Circuit, roots: impl IntoIterator<Item = Lit>) -> Vec<u32> {
    let mut seen = vec![false; circuit.max_var() as usize + 1];
    influence(circuit, &mut seen, roots, |_| [None, None])
}

/// The variables that `roots` depend on in the first step, where latches depend on their resets,
/// in ascending order.
pub fn first_cone(circuit: &Circuit, roots: impl IntoIterator<Item = Lit>) -> Vec<u32> {
    let mut seen = vec![false; circuit.max_var() as usize + 1];
    influence(circuit, &mut seen, roots, |latch| [Some(latch.reset), None])
}

/// The variables that `roots` depend on, where a latch depends on what `through` says; `seen` has
/// a place for each variable and is false on entry and on return.
pub(in crate::obligation) fn influence(
    circuit: &Circuit,
    seen: &mut [bool],
    roots: impl IntoIterator<Item = Lit>,
    through: impl Fn(&Latch) -> [Option<Lit>; 2],
) -> Vec<u32> {
    let mut cone = Vec::new();
    let mut stack: Vec<u32> = roots.into_iter().map(Lit::var).collect();
    while let Some(var) = stack.pop() {
        if var == 0 || std::mem::replace(&mut seen[var as usize], true) {
            continue;
        }
        cone.push(var);
        if let Some(and) = gate(circuit, var) {
            stack.extend([and.left.var(), and.right.var()]);
        } else if var > circuit.inputs {
            let latch = &circuit.latches[(var - circuit.inputs - 1) as usize];
            stack.extend(through(latch).into_iter().flatten().map(Lit::var));
        }
    }
    cone.iter().for_each(|var| seen[*var as usize] = false);
    cone.sort_unstable();
    cone
}

/// The gate that defines `var`, if one does.
pub(super) fn gate(circuit: &Circuit, var: u32) -> Option<And> {
    let index = var.checked_sub(1 + circuit.inputs + circuit.latches.len() as u32)?;
    circuit.ands.get(index as usize).copied()
}
