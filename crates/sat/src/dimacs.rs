//! CNF files in DIMACS format.
//!
//! Comments, a header `p cnf variables clauses`, then clauses of numbers ended by 0. The reader
//! insists on the header and on what it promises, and says where it is broken; a line `%`, with
//! which some old files end, ends reading.

use std::fmt;

use crate::literal::Lit;

/// A formula in conjunctive normal form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cnf {
    /// How many variables there are.
    pub variables: u32,
    /// The clauses.
    pub clauses: Vec<Vec<Lit>>,
}

/// What is wrong with a file, and on which line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DimacsError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for DimacsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for DimacsError {}

/// Reads a file.
pub fn read_dimacs(text: &str) -> Result<Cnf, DimacsError> {
    let mut header: Option<(u32, usize)> = None;
    let mut cnf = Cnf::default();
    let mut clause = Vec::new();
    let mut last_line = 1;
    for (index, content) in text.lines().enumerate() {
        let line = index + 1;
        last_line = line;
        let error = |message: String| DimacsError { line, message };
        let content = content.trim_start();
        if content.starts_with('c') || content.is_empty() {
            continue;
        }
        if content.starts_with('%') {
            break;
        }
        let Some((variables, _)) = header else {
            header = Some(read_header(content).ok_or_else(|| error("no header p cnf".into()))?);
            cnf.variables = header.map_or(0, |(variables, _)| variables);
            continue;
        };
        for word in content.split_ascii_whitespace() {
            let number: i32 = word.parse().map_err(|_| error(format!("{word} is not a number")))?;
            match Lit::from_dimacs(number) {
                None if number == 0 => cnf.clauses.push(std::mem::take(&mut clause)),
                Some(lit) if lit.var().0 < variables => clause.push(lit),
                _ => return Err(error(format!("{word} is beyond the header's variables"))),
            }
        }
    }
    let error = |message: &str| DimacsError { line: last_line, message: message.into() };
    let (_, promised) = header.ok_or_else(|| error("no header p cnf"))?;
    if !clause.is_empty() {
        return Err(error("the last clause is not ended by 0"));
    }
    if cnf.clauses.len() != promised {
        return Err(error("the header promises another number of clauses"));
    }
    Ok(cnf)
}

fn read_header(line: &str) -> Option<(u32, usize)> {
    let mut words = line.split_ascii_whitespace();
    if words.next()? != "p" || words.next()? != "cnf" {
        return None;
    }
    let variables = words.next()?.parse().ok().filter(|count| *count <= i32::MAX as u32)?;
    let clauses = words.next()?.parse().ok()?;
    words.next().is_none().then_some((variables, clauses))
}

/// Prints a file.
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

    #[test]
    fn reading_and_printing_agree() {
        let text = "p cnf 3 3\n1 -2 0\n0\n3 2 -1 0\n";
        let cnf = read_dimacs(text).unwrap();
        assert_eq!(write_dimacs(&cnf), text);
        assert_eq!(read_dimacs("c hello\np cnf 3 3\n1\n-2 0 0 3 2 -1 0\n%\n0\n").unwrap(), cnf);
    }

    #[test]
    fn broken_files_are_refused_with_a_line() {
        for (text, line) in [
            ("", 1),
            ("1 0\n", 1),
            ("p cnf 1 1\n2 0\n", 2),
            ("p cnf 1 1\n1\n", 2),
            ("p cnf 1 2\n1 0\n", 2),
            ("p cnf 1 1\nx 0\n", 2),
            ("p cnf 1 1\n-2147483648 0\n", 2),
            ("p cnf 99999999999 1\n", 1),
        ] {
            assert_eq!(read_dimacs(text).unwrap_err().line, line, "{text}");
        }
    }
}
