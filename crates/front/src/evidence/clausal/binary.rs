//! Binary proofs of clauses, as CaDiCaL and others write them: numbers of seven bits a byte, least first.

use super::{DratLine, Fallible, Numbers, drat_line, wrong};
use alphorn_problem::Span;
use alphorn_problem::evidence::circuit::{Lrat, LratStep};

pub(super) fn binary_drat(bytes: &[u8]) -> Fallible<Vec<DratLine>> {
    let mut reader = Binary { bytes, at: 0 };
    let mut steps = Vec::new();
    while let Some(letter) = reader.letter()? {
        let literals = reader.until_zero(Binary::literal)?;
        steps.push(drat_line((letter == b'd', literals)));
    }
    Ok(steps)
}

pub(super) fn binary_lrat(bytes: &[u8], numbers: Numbers) -> Fallible<Lrat> {
    let mut reader = Binary { bytes, at: 0 };
    let mut steps = Vec::new();
    while let Some(letter) = reader.letter()? {
        if letter == b'd' {
            steps.push(LratStep::Delete(reader.until_zero(Binary::id)?));
            continue;
        }
        let start = reader.at;
        let id = match numbers {
            Numbers::Doubled => reader.id()?,
            Numbers::Plain => reader.number()?,
        };
        if id == 0 {
            return wrong(Span::new(start, reader.at), "a clause has no number");
        }
        let clause = reader.until_zero(Binary::literal)?;
        let hints = reader.until_zero(|reader| {
            let code = reader.number()?;
            let hint = (code >> 1) as i64;
            Ok(if code & 1 == 1 { -hint } else { hint })
        })?;
        steps.push(LratStep::Add { id, clause, hints });
    }
    Ok(Lrat { steps })
}

/// Numbers in groups of seven bits, the smallest first.
struct Binary<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl Binary<'_> {
    pub(super) fn wrong<T>(&self, message: &str) -> Fallible<T> {
        wrong(Span::new(self.at, (self.at + 1).min(self.bytes.len())), message)
    }

    /// The letter that begins a step; nothing at the end.
    fn letter(&mut self) -> Fallible<Option<u8>> {
        match self.bytes.get(self.at) {
            None => Ok(None),
            Some(&letter @ (b'a' | b'd')) => {
                self.at += 1;
                Ok(Some(letter))
            }
            Some(_) => self.wrong("a binary step begins with `a` or `d`"),
        }
    }

    fn number(&mut self) -> Fallible<u64> {
        let mut number = 0u64;
        for shift in (0..63).step_by(7) {
            let Some(&byte) = self.bytes.get(self.at) else {
                return self.wrong("the file ends in the middle of a step");
            };
            self.at += 1;
            number |= u64::from(byte & 127) << shift;
            if byte & 128 == 0 {
                return Ok(number);
            }
        }
        self.wrong("a number is too large")
    }

    fn id(&mut self) -> Fallible<u64> {
        let code = self.number()?;
        if code & 1 == 1 { self.wrong("a clause's number is negative") } else { Ok(code >> 1) }
    }

    pub(super) fn literal(&mut self) -> Fallible<i32> {
        let code = self.number()?;
        let Some(variable) = i32::try_from(code >> 1).ok().filter(|&v| v > 0 || code == 0) else {
            return self.wrong("this is no literal");
        };
        Ok(if code & 1 == 1 { -variable } else { variable })
    }

    fn until_zero<T: PartialEq + Default>(
        &mut self,
        mut next: impl FnMut(&mut Self) -> Fallible<T>,
    ) -> Fallible<Vec<T>> {
        let mut all = Vec::new();
        loop {
            let item = next(self)?;
            if item == T::default() {
                return Ok(all);
            }
            all.push(item);
        }
    }
}
