//! Costs of parameters as text: a line for each, as in
//!
//! ```text
//! price = 5 param_a + 2 * param_b + param_c + 10
//! # a comment
//! mass = param_a
//! ```
//!
//! Names are those of parameters, numbers are not negative; what is not named costs nothing. A parameter
//! that is named twice costs the sum.

use crate::diag::{Code, Diagnostic, Diagnostics, Read};
use crate::suggest::nearest;
use alphorn_problem::Span;
use alphorn_problem::parameters::Cost;

/// Reads costs of parameters with these names.
pub fn read(bytes: &[u8], params: &[String]) -> Read<Vec<Cost>> {
    let mut diagnostics = Diagnostics::default();
    let mut costs: Vec<Cost> = Vec::new();
    let Ok(text) = std::str::from_utf8(bytes) else {
        diagnostics.push(Diagnostic::error(Code::FileEncoding, Span::NONE, "costs are text"));
        return (None, diagnostics);
    };
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let (start, own) = (at, line.split('#').next().unwrap_or_default());
        at += line.len();
        if own.trim().is_empty() || diagnostics.is_full() {
            continue;
        }
        let mut reader = Line { text: own, start, at: 0, params };
        match reader.cost() {
            Ok(cost) if costs.iter().any(|other| other.name == cost.name) => {
                let message = format!("there are two costs called `{}`", cost.name);
                let span = Span::new(start, start + own.trim_end().len());
                diagnostics.push(Diagnostic::error(Code::CostName, span, message));
            }
            Ok(cost) => costs.push(cost),
            Err(diagnostic) => diagnostics.push(*diagnostic),
        }
    }
    if costs.is_empty() && diagnostics.list.is_empty() {
        let message = "the file has no cost";
        let hint = "a cost is a line such as: price = 5 param_a + 2 param_b";
        diagnostics.push(Diagnostic::error(Code::CostSyntax, Span::NONE, message).hint(hint));
    }
    (diagnostics.is_clean().then_some(costs), diagnostics)
}

struct Line<'t> {
    text: &'t str,
    /// Where the line is in the file.
    start: usize,
    at: usize,
    params: &'t [String],
}

impl<'t> Line<'t> {
    fn cost(&mut self) -> Result<Cost, Box<Diagnostic>> {
        let Some((name, _)) = self.text.split_once('=') else {
            let hint = "a cost is a line such as: price = 5 param_a + 2 param_b";
            return Err(Box::new(
                self.wrong(self.text.trim_end().len(), "`=` is missing").hint(hint),
            ));
        };
        self.at = name.len() + 1;
        let mut cost =
            Cost { name: name.trim().to_owned(), base: 0, weights: vec![0; self.params.len()] };
        if cost.name.is_empty() {
            return Err(Box::new(self.wrong(name.len() + 1, "the cost has no name")));
        }
        loop {
            self.term(&mut cost)?;
            match self.peek() {
                None => return Ok(cost),
                Some("+") => drop(self.take()),
                Some(word) => {
                    let message = match word.starts_with('-') {
                        true => "costs are sums: nothing is subtracted".to_owned(),
                        false => format!("`+` is expected, not `{word}`"),
                    };
                    return Err(Box::new(self.wrong(self.at + word.len(), message)));
                }
            }
        }
    }

    /// A term of the sum: a number, a parameter, or both.
    fn term(&mut self, cost: &mut Cost) -> Result<(), Box<Diagnostic>> {
        let Some(word) = self.peek() else {
            let message = "a number or a parameter is expected";
            return Err(Box::new(self.wrong(self.text.len(), message)));
        };
        if word.starts_with('-') {
            let message = "a cost is not negative";
            return Err(Box::new(self.wrong(self.at + word.len(), message)));
        }
        let mut factor = None;
        if word.starts_with(|c: char| c.is_ascii_digit()) && self.position(word).is_none() {
            let Ok(number) = word.parse::<u64>() else {
                let message = format!("`{word}` is not a whole number of at most 64 bits");
                return Err(Box::new(self.wrong(self.at + word.len(), message)));
            };
            self.take();
            factor = Some(number);
            if self.peek() == Some("*") {
                self.take();
            } else if self.peek().is_none_or(|word| word == "+") {
                return self.add(&mut cost.base, number);
            }
        }
        let Some(word) = self.peek() else {
            return Err(Box::new(self.wrong(self.text.len(), "a parameter is expected")));
        };
        let Some(position) = self.position(word) else {
            let message = format!("there is no parameter `{word}`");
            let wrong =
                Diagnostic { code: Code::CostName, ..self.wrong(self.at + word.len(), message) };
            let near = nearest(word, self.params.iter().map(String::as_str));
            return Err(Box::new(match near {
                Some(near) => wrong.hint(format!("did you mean `{near}`?")),
                None => wrong,
            }));
        };
        self.take();
        self.add(&mut cost.weights[position], factor.unwrap_or(1))
    }

    fn add(&self, to: &mut u64, number: u64) -> Result<(), Box<Diagnostic>> {
        match to.checked_add(number) {
            Some(sum) => {
                *to = sum;
                Ok(())
            }
            None => Err(Box::new(self.wrong(self.at, "the sum has more than 64 bits"))),
        }
    }

    fn position(&self, word: &str) -> Option<usize> {
        self.params.iter().position(|param| param == word)
    }

    /// The next word: up to a blank, or a sign between words.
    fn peek(&mut self) -> Option<&'t str> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        let rest = &self.text[self.at..];
        if rest.is_empty() {
            return None;
        }
        if rest.starts_with(['+', '*']) {
            return Some(&rest[..1]);
        }
        let end = rest.find(|c: char| c.is_whitespace() || c == '+' || c == '*');
        Some(&rest[..end.unwrap_or(rest.len())])
    }

    fn take(&mut self) -> Option<&'t str> {
        let word = self.peek()?;
        self.at += word.len();
        Some(word)
    }

    /// An error between the place that was come to and `end`, a place in the line.
    fn wrong(&self, end: usize, message: impl Into<String>) -> Diagnostic {
        let start = self.at.min(end.saturating_sub(1));
        Diagnostic::error(
            Code::CostSyntax,
            Span::new(self.start + start, self.start + end),
            message,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is said first about a text, and its line and column.
    type Complaint = (String, Option<(usize, usize)>);

    fn read_all(text: &str) -> Result<Vec<Cost>, Complaint> {
        let params = ["a".to_owned(), "b[0]".to_owned(), "2x".to_owned()];
        let (costs, diagnostics) = read(text.as_bytes(), &params);
        costs.ok_or_else(|| {
            let first = &diagnostics.list[0];
            (first.message.clone(), first.place(text.as_bytes()))
        })
    }

    #[test]
    fn costs_are_sums_of_numbers_and_parameters() {
        let costs = read_all("c = 5 a + 2*b[0]+2x + 7 # all\n\nd d = a + a\n").expect("two costs");
        assert_eq!(costs[0], Cost { name: "c".into(), base: 7, weights: vec![5, 2, 1] });
        assert_eq!(costs[1], Cost { name: "d d".into(), base: 0, weights: vec![2, 0, 0] });
    }

    #[test]
    fn wrong_costs_are_refused_where_they_are_wrong() {
        let refused = |text: &str| read_all(text).expect_err("it is wrong");
        let cases = [
            ("c = 5 q\n", "there is no parameter `q`", Some((1, 7))),
            ("\nc = -5 a\n", "a cost is not negative", Some((2, 5))),
            ("c = a - a\n", "costs are sums: nothing is subtracted", Some((1, 7))),
            ("c = 1.5 a\n", "`1.5` is not a whole number of at most 64 bits", Some((1, 5))),
            ("c 5 a\n", "`=` is missing", Some((1, 1))),
            ("c = a +\n", "a number or a parameter is expected", Some((1, 8))),
            ("c = 3 *\n", "a parameter is expected", Some((1, 8))),
            ("c = a\nc = a\n", "there are two costs called `c`", Some((2, 1))),
            ("# nothing\n", "the file has no cost", None),
        ];
        for (text, message, place) in cases {
            assert_eq!(refused(text), (message.to_owned(), place), "{text}");
        }
        let large = format!("c = {} a + a\n", u64::MAX);
        assert_eq!(refused(&large).0, "the sum has more than 64 bits");
    }
}
