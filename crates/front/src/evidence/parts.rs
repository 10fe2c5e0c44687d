//! Files with evidence about several properties: witnesses and certificates, one after the other.
//!
//! Witnesses are in a community's format, certificates in ours, and every certificate begins with
//! a line that no witness contains. So a text falls into certificates and stretches of witnesses.

use crate::diag::{Diagnostic, Diagnostics, Read};
use alphorn_problem::Span;

/// Reads a text part by part: `opens` says whether a line begins a certificate, `certificate`
/// reads one from an offset on and says where it ends, and `witnesses` reads a stretch of
/// witnesses.
pub fn read<V>(
    text: &[u8],
    opens: impl Fn(&[u8]) -> bool,
    mut certificate: impl FnMut(usize) -> Result<(V, usize), Box<Diagnostic>>,
    witnesses: impl Fn(&[u8]) -> Read<Vec<V>>,
) -> Read<Vec<V>> {
    let mut verdicts = Vec::new();
    let mut diagnostics = Diagnostics::default();
    let mut at = 0;
    loop {
        let (stretch, next) = witnesses_from(text, at, &opens);
        // A text without any certificate is the witness reader's to complain about.
        if stretch || (at == 0 && next == text.len()) {
            let (found, said) = witnesses(&text[at..next]);
            verdicts.extend(found.into_iter().flatten());
            said.list.into_iter().for_each(|d| diagnostics.push(moved(d, at)));
        }
        if next == text.len() || !diagnostics.is_clean() {
            return (diagnostics.is_clean().then_some(verdicts), diagnostics);
        }
        match certificate(next) {
            Ok((verdict, end)) => {
                verdicts.push(verdict);
                at = end.max(next + 1);
            }
            Err(diagnostic) => {
                diagnostics.push(*diagnostic);
                return (None, diagnostics);
            }
        }
        if text[at..].trim_ascii().is_empty() {
            return (Some(verdicts), diagnostics);
        }
    }
}

/// Where the next certificate begins, and whether something but comments stands before it.
fn witnesses_from(text: &[u8], from: usize, opens: &impl Fn(&[u8]) -> bool) -> (bool, usize) {
    let (mut at, mut something) = (from, false);
    while at < text.len() {
        let rest = &text[at..];
        let length = rest.iter().position(|&byte| byte == b'\n').map_or(rest.len(), |n| n + 1);
        let line = rest[..length].trim_ascii();
        if opens(line) {
            return (something, at);
        }
        something |= !line.is_empty() && !matches!(line[0], b'c' | b';');
        at += length;
    }
    (something, text.len())
}

/// A diagnostic about a part of a text, at its place in the whole.
fn moved(diagnostic: Diagnostic, by: usize) -> Diagnostic {
    if diagnostic.span == Span::NONE {
        return diagnostic;
    }
    let Span { start, end } = diagnostic.span;
    Diagnostic { span: Span::new(start as usize + by, end as usize + by), ..diagnostic }
}
