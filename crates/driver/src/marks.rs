//! What an answer says at places of the file, for editors.
//!
//! A model says something where its predicate is declared, an invariant where its loop or property stands; a violation has
//! a place, and the steps that lead there have theirs. Nothing here is believed: the evidence was checked before.

use crate::evidence::AnyEvidence;
use crate::invariant::lines;
use crate::open::{AnyProblem, Opened};
use crate::source::{annotations, proof_of, run_of, story};
use crate::waveform::waveform;
use alphorn_front::c::print::Style;
use alphorn_problem::evidence::horn::{Derivation, HornModel};
use alphorn_problem::{Horn, Span, Verdict};

/// How many steps are told from the beginning of a violation, and from its end.
const MAX_STEPS: usize = 50;

/// A text at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The place.
    pub span: Span,
    /// What is declared there, where it has a name.
    pub name: Option<String>,
    /// What is said.
    pub text: String,
}

/// All that is said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// What holds.
    pub holds: Vec<Mark>,
    /// Where the property stands that the answer is about.
    pub property: Span,
    /// Where the violation is.
    pub violation: Option<Span>,
    /// The steps to the violation.
    pub steps: Vec<Mark>,
}

/// What the evidence about property number `index` says.
pub fn marks(opened: &Opened, index: usize, evidence: &AnyEvidence) -> Marks {
    let mut marks = Marks { property: property(opened, index), ..Marks::default() };
    if let (AnyEvidence::Horn(checked), Some(AnyProblem::Horn(horn))) = (evidence, &opened.problem)
    {
        match checked.verdict() {
            Verdict::Safe(model) => marks.holds = definitions(horn, model),
            Verdict::Unsafe(derivation) => derive(opened, horn, derivation, evidence, &mut marks),
        }
        return marks;
    }
    if let Some((task, proof)) = proof_of(evidence) {
        for note in annotations(&task, proof, &opened.bytes, Style::C) {
            let text = format!("{} {}", note.kind.word(), note.formulas.join(" && "));
            marks.holds.push(Mark { span: note.span, name: None, text });
        }
    } else if let Some((task, run)) = run_of(evidence) {
        marks.violation = Some(run.violation.span);
        let told = story(&task, run, &opened.bytes);
        let step = |line: &crate::source::Line| {
            let values: Vec<String> =
                line.values.iter().map(|(n, v)| format!("{n} = {v}")).collect();
            let text = format!("in {}: {}", line.function, values.join(", "));
            Mark { span: line.span, name: None, text }
        };
        let lines = told.lines.iter().filter(|line| !line.values.is_empty());
        marks.steps = ends(lines.map(step).collect());
    } else if let Some(wave) = waveform(opened, evidence) {
        marks.violation = Some(marks.property);
        for step in 0..wave.steps() {
            let values = wave.signals.iter().map(|s| format!("{} = {}", s.name, s.value(step)));
            let text = format!("step {step}: {}", values.collect::<Vec<_>>().join(", "));
            marks.steps.push(Mark { span: marks.property, name: None, text });
        }
        marks.steps = ends(std::mem::take(&mut marks.steps));
    } else if let Some(lines) = lines(opened, evidence) {
        let text = lines.join("\n");
        marks.holds.push(Mark { span: marks.property, name: None, text });
    }
    marks
}

/// Where a property stands.
fn property(opened: &Opened, index: usize) -> Span {
    match &opened.problem {
        Some(AnyProblem::Words(words)) => {
            let bads = words.bads.iter().map(|bad| bad.span);
            let all = bads.chain(words.justice.iter().map(|justice| justice.span));
            let all = all.chain(words.homes.iter().map(|home| home.span));
            all.into_iter().nth(index).unwrap_or(Span::NONE)
        }
        _ => Span::NONE,
    }
}

/// The definitions of a model, where their predicates are declared.
fn definitions(horn: &Horn, model: &HornModel) -> Vec<Mark> {
    let mark = |(pred, definition): (_, &alphorn_problem::evidence::horn::Definition)| {
        let name = horn.pred_name(pred).to_owned();
        let params: Vec<String> = definition.params.iter().map(|&p| model.terms.show(p)).collect();
        let text =
            format!("({name} {}) is {}", params.join(" "), model.terms.show(definition.body));
        Mark { span: horn.pred(pred).span, name: Some(name), text: text.replace(" )", ")") }
    };
    horn.pred_ids().zip(&model.preds).map(mark).collect()
}

/// The steps of a derivation, where their clauses stand.
fn derive(
    opened: &Opened,
    horn: &Horn,
    derivation: &Derivation,
    evidence: &AnyEvidence,
    marks: &mut Marks,
) {
    let place = |clause| horn.clause(clause).span;
    marks.violation = derivation.steps.last().map(|step| place(step.clause));
    let told = evidence.tree_lines(opened).unwrap_or_default();
    let mut steps: Vec<Mark> = Vec::new();
    for (at, step) in derivation.steps.iter().enumerate() {
        let Some(line) = told.iter().find(|line| line.step == at) else { continue };
        let rounds = line.rounds.as_ref().map_or(String::new(), |r| format!(", after {r} rounds"));
        let text = format!("{}{rounds}", line.fact);
        steps.push(Mark { span: place(step.clause), name: None, text });
    }
    marks.steps = ends(steps);
}

/// The beginning and the end of what is long.
fn ends(mut steps: Vec<Mark>) -> Vec<Mark> {
    if steps.len() > 2 * MAX_STEPS {
        steps.drain(MAX_STEPS..steps.len() - MAX_STEPS);
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::{Marks, marks};
    use crate::open::open_bytes;
    use crate::run::decide;
    use crate::{Config, Stopper};

    fn of(name: &str, text: &str) -> (Marks, String) {
        let opened = open_bytes(name, text.as_bytes().to_vec(), None);
        let decided =
            decide(&opened, &Config::default(), &Stopper::new(), &mut |_| {}, &mut |_| {});
        let decision = decided.expect("there is a property").remove(0);
        let evidence = decision.evidence.expect("it is decided");
        (marks(&opened.question(0), 0, &evidence), text.to_owned())
    }

    #[test]
    fn a_model_stands_where_its_predicate_is_declared() {
        let (marks, text) = of("a.smt2", include_str!("../samples/bounded_counter.smt2"));
        let [mark] = &marks.holds[..] else { panic!("{marks:?}") };
        assert_eq!(mark.name.as_deref(), Some("counter"));
        assert!(text[mark.span.start as usize..mark.span.end as usize].contains("counter"));
        assert!(mark.text.starts_with("(counter ") && mark.text.contains("10"), "{}", mark.text);
    }

    #[test]
    fn a_derivation_stands_at_its_clauses_and_ends_at_the_query() {
        let script = "(set-logic HORN)(declare-fun p (Int) Bool)(assert (p 3))
            (assert (forall ((x Int)) (=> (and (p x) (> x 2)) false)))(check-sat)";
        let (marks, text) = of("a.smt2", script);
        let violation = marks.violation.expect("it is unsafe");
        assert!(text[violation.start as usize..violation.end as usize].contains("false"));
        assert!(marks.steps.iter().any(|step| step.text.contains("3")), "{marks:?}");
    }

    #[test]
    fn a_run_of_a_program_ends_where_it_fails() {
        let program = "#include <assert.h>\nint main(void) {\n  int x = 1;\n  x = x + 2;\n  assert(x != 3);\n}\n";
        let (marks, text) = of("a.c", program);
        let violation = marks.violation.expect("it is unsafe");
        assert_eq!(text[..violation.start as usize].matches('\n').count(), 4);
        assert!(marks.steps.iter().any(|step| step.text.contains("x = 3")), "{marks:?}");
    }
}
