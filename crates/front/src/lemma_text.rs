//! Formulas about single predicates as text, and back: what journals and messages between runs are made of.
//!
//! A formula is SMT-LIB over names for the predicate's arguments; the sorts are those of the predicate's
//! declaration. What is read is a hint: nothing is true because it is written. Text that does not fit the
//! problem, because it was written about another one, is left out, and the rest is read.

use crate::evidence::Names;
use crate::hints::read;
use alphorn_problem::hint::{Hint, Hints};
use alphorn_problem::horn::{Horn, PredId};
use alphorn_term::print::quote;
use alphorn_term::{Store, TermId};

/// What is said of a predicate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LemmaText {
    /// The predicate's name.
    pub pred: String,
    /// Names for its arguments, as the formula has them.
    pub params: Vec<String>,
    /// The formula.
    pub formula: String,
}

/// Formulas about predicates of a system, over parameters, as text.
pub fn write_lemmas(
    horn: &Horn,
    store: &Store,
    lemmas: &[(PredId, Vec<TermId>, TermId)],
) -> Vec<LemmaText> {
    let all = lemmas.iter().flat_map(|(_, params, term)| params.iter().chain([term]));
    let mut names = Names::of(store, &all.copied().collect::<Vec<TermId>>());
    let mut texts = Vec::with_capacity(lemmas.len());
    for (pred, params, term) in lemmas {
        let name = |&param: &TermId| {
            let written = names.written(param);
            quote(names.store.var_name(written).unwrap_or_default())
        };
        let params = params.iter().map(name).collect();
        let pred = horn.pred_name(*pred).to_owned();
        texts.push(LemmaText { pred, params, formula: names.show(*term) });
    }
    texts
}

/// The formulas that can be read as ones about predicates of the system, in a store that extends its own.
pub fn read_lemmas(horn: &Horn, texts: &[LemmaText]) -> Vec<Hints> {
    let commands: Vec<String> = texts.iter().filter_map(|text| command(horn, text)).collect();
    let mut all = Vec::new();
    read_some(horn, &commands, &mut all);
    all
}

/// Reads all of the commands, or those of both halves where one cannot be read.
fn read_some(horn: &Horn, commands: &[String], all: &mut Vec<Hints>) {
    if commands.is_empty() {
        return;
    }
    let (found, _) = read(commands.join("\n").as_bytes(), horn);
    match found {
        Some(hints) => all.push(hints),
        None if commands.len() == 1 => {}
        None => {
            let (first, second) = commands.split_at(commands.len() / 2);
            read_some(horn, first, all);
            read_some(horn, second, all);
        }
    }
}

/// The definition that says the same, if the predicate is one of the system's.
fn command(horn: &Horn, text: &LemmaText) -> Option<String> {
    let pred = horn.pred_ids().find(|&pred| horn.pred_name(pred) == text.pred)?;
    let sorts = horn.pred_args(pred);
    if sorts.len() != text.params.len() {
        return None;
    }
    let params = text.params.iter().zip(sorts);
    let params = params.map(|(name, &sort)| format!("({name} {})", horn.terms.show_sort(sort)));
    let params: Vec<String> = params.collect();
    let (name, params) = (quote(&text.pred), params.join(" "));
    Some(format!("(define-fun {name} ({params}) Bool {})", text.formula))
}

/// The parts of hints that were read together.
pub fn each(hints: &[Hints]) -> impl Iterator<Item = (&Store, &Hint)> {
    hints.iter().flat_map(|some| some.all.iter().map(|hint| (&some.terms, hint)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smtlib;

    fn system() -> Horn {
        let text = b"(set-logic HORN) (declare-fun |a b| (Int Bool) Bool)
            (assert (forall ((x Int) (x0 Bool)) (=> (and (= x 0) x0) (|a b| x x0))))
            (assert (forall ((x Int) (x0 Bool)) (=> (and (|a b| x x0) (< x 0)) false)))";
        let (read, diagnostics) = smtlib::read(text);
        assert!(diagnostics.is_clean(), "{diagnostics:?}");
        read.expect("a script without errors is a system").horn
    }

    #[test]
    fn what_is_written_is_read_again_and_the_rest_is_left_out() {
        let horn = system();
        let good = LemmaText {
            pred: "a b".to_owned(),
            params: vec!["x0".to_owned(), "x1".to_owned()],
            formula: "(or x1 (>= x0 0))".to_owned(),
        };
        let other = LemmaText { pred: "c".to_owned(), ..good.clone() };
        let short = LemmaText { params: vec!["x0".to_owned()], ..good.clone() };
        let broken = LemmaText { formula: "(or x1 (>= x0".to_owned(), ..good.clone() };
        let read = read_lemmas(&horn, &[other, broken, good.clone(), short]);
        let found: Vec<(&Store, &Hint)> = each(&read).collect();
        let [(store, hint)] = &found[..] else { panic!("one of them fits: {found:?}") };
        let lemma = (hint.pred, hint.params.clone(), hint.term);
        let [text] = &write_lemmas(&horn, store, &[lemma])[..] else { panic!("it is written") };
        assert_eq!(text.pred, "a b");
        let again = read_lemmas(&horn, std::slice::from_ref(text));
        assert_eq!(each(&again).count(), 1, "{text:?}");
    }
}
