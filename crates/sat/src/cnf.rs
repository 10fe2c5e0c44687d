//! A formula as a list of clauses, and as text.
//!
//! The text is a DIMACS file: a header `p cnf variables clauses`, then clauses of numbers ended by
//! 0. Reading such files is the business of the crate `front`, which says where they are broken.

use crate::literal::Lit;

/// A formula in conjunctive normal form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cnf {
    /// How many variables there are.
    pub variables: u32,
    /// All of these must have a true literal.
    pub clauses: Vec<Vec<Lit>>,
}

/// The formula as the text of a DIMACS file.
pub fn write_dimacs(cnf: &Cnf) -> String {
    let mut text = format!("p cnf {} {}\n", cnf.variables, cnf.clauses.len());
    for clause in &cnf.clauses {
        for lit in clause {
            text.push_str(&format!("{} ", lit.to_dimacs()));
        }
        text.push_str("0\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is written, the product's reader reads.
    #[test]
    fn writing_and_reading_agree() {
        let text = "p cnf 3 3\n1 -2 0\n0\n3 2 -1 0\n";
        let (read, diagnostics) = alphorn_front::dimacs::read(text.as_bytes());
        let read = read.unwrap_or_else(|| panic!("{diagnostics:?}"));
        let clauses = read.clauses().map(|clause| {
            clause.iter().map(|number| Lit::from_dimacs(*number).expect("a literal")).collect()
        });
        let cnf = Cnf { variables: read.variables, clauses: clauses.collect() };
        assert_eq!(write_dimacs(&cnf), text);
    }
}
