//! Live formulas over axioms: what must come, of a system that is given by first-order formulas.
//!
//! A script of SMT-LIB declares `init`, a predicate on states, and `next`, one on pairs of them; a state is the
//! list of arguments that `init` takes. Other predicates with these arguments are what formulas speak of. Of
//! EX, AX, EF, AF, E[· U ·] and A[· U ·], with nothing negated above them, each is the least predicate with
//! certain implications; so the formula holds if in every interpretation of the axioms and of such predicates
//! each initial state has it. That is one question whether formulas contradict each other, which the
//! solver for scripts answers with a proof. It finds what holds, and says nothing otherwise; over numbers it
//! has no induction.
//!
//! After Vakili and Day, "Verifying CTL-live properties of infinite state models using an SMT solver" (FSE
//! 2014), \[VD14\].

use crate::smt;
use alphorn_front::ctl::read_formula;
use alphorn_front::smtlib::general::Command;
use alphorn_front::{Code, Diagnostic, Diagnostics};
use alphorn_problem::temporal::{Node, NodeId, Runs};
use alphorn_problem::{Flow, Span};
use alphorn_script::{Ending, Request, Said};
use alphorn_term::print::quote;
use alphorn_term::{FuncId, Op, SortId, Store, TermId};
use std::fmt::Write;
use std::sync::Arc;

/// What came of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lives {
    /// The formula holds: the script has no model, with a proof that was checked.
    Holds,
    /// Nobody knows, for this reason.
    Unknown(String),
}

fn wrong(message: impl Into<String>) -> Diagnostics {
    let mut diagnostics = Diagnostics::default();
    diagnostics.push(Diagnostic::error(Code::Temporal, Span::NONE, message.into()));
    diagnostics
}

/// The script that contradicts itself if the formula holds of the system that the axioms describe.
pub fn script(axioms: &[u8], formula: &str) -> Result<String, Diagnostics> {
    let (read, diagnostics) = smt::read(axioms);
    let Some(read) = read.filter(|_| diagnostics.is_clean()) else { return Err(diagnostics) };
    // Anything else might reply, or change what the question is.
    let is_axiom = |(command, _): &(Command, Span)| {
        matches!(
            command,
            Command::SetLogic(_)
                | Command::SetInfo(_)
                | Command::DeclareFun(_)
                | Command::Declare
                | Command::Define { .. }
                | Command::Assert { .. }
        )
    };
    if !read.commands.iter().all(is_axiom) {
        return Err(wrong("the file must have declarations and assertions alone, and ask nothing"));
    }
    let store = &read.store;
    let named = |name: &str| store.funcs().find(|&f| store.name(store.func(f).name) == name);
    let (Some(init), Some(next)) = (named("init"), named("next")) else {
        return Err(wrong("the axioms must declare `init`, of a state, and `next`, of two"));
    };
    let state = store.func(init).args.clone();
    let twice = [&state[..], &state[..]].concat();
    let is_predicate = |func: FuncId| store.func(func).result == SortId::BOOL;
    if state.is_empty()
        || store.func(next).args != twice
        || !is_predicate(init)
        || !is_predicate(next)
    {
        return Err(wrong("`init` must take a state and `next` two of them, and both be Boolean"));
    }
    // The other predicates on states, as truth values of a flow with one location.
    let mut terms = Store::new();
    let names = store.funcs().filter(|&func| {
        func != init && func != next && store.func(func).args == state && is_predicate(func)
    });
    let names: Vec<String> =
        names.map(|func| store.name(store.func(func).name).to_owned()).collect();
    let vars: Vec<TermId> = names.iter().map(|name| terms.var(name, SortId::BOOL)).collect();
    let mut flow = Flow::new(terms, &vars);
    flow.add_location("state", Span::NONE);
    let nodes = read_formula(formula, &mut flow).map_err(|found| wrong(found.message.clone()))?;
    let sorts: Vec<String> = state.iter().map(|&sort| store.show_sort(sort)).collect();
    let writer = Writer { flow: &flow, nodes: &nodes, sorts };
    let mut out = String::from_utf8_lossy(axioms).into_owned();
    out.push('\n');
    writer.write(&mut out).map_err(wrong)?;
    Ok(out)
}

/// Decides a formula over axioms.
pub fn decide(axioms: &[u8], formula: &str, request: &Request) -> Result<Lives, Diagnostics> {
    let text: Arc<[u8]> = script(axioms, formula)?.into_bytes().into();
    let mut last = Lives::Unknown("the solver did not answer".to_owned());
    let mut is_asked = false;
    let summary = smt::run(&text, request, |said| match said {
        Said::Asked => is_asked = true,
        Said::Reply(reply) if is_asked => {
            last = match reply.as_str() {
                "unsat" => Lives::Holds,
                "sat" => {
                    let why = "some least predicates and some states do not have it";
                    Lives::Unknown(why.to_owned())
                }
                _ => Lives::Unknown("the solver cannot tell".to_owned()),
            };
        }
        Said::Reply(_) | Said::Refused(_) | Said::Noticed(_) => {}
    });
    // An answer to a script of which a part was not understood is one to another question.
    let is_whole = matches!(summary.ending(), Ending::Done | Ending::Undecided);
    match is_whole {
        true => Ok(last),
        false => Ok(Lives::Unknown("the script was not run as a whole".to_owned())),
    }
}

struct Writer<'w> {
    flow: &'w Flow,
    nodes: &'w [Node],
    sorts: Vec<String>,
}

impl Writer<'_> {
    /// Declares a predicate for each operator, says what it follows from, and denies the formula.
    fn write(&self, out: &mut String) -> Result<(), String> {
        let (s, t) = (self.variables("s"), self.variables("t"));
        let (one, two) = (self.binder("s"), format!("{} {}", self.binder("s"), self.binder("t")));
        let next = format!("(next {s} {t})");
        for (position, node) in self.nodes.iter().enumerate() {
            let (Node::Next(runs, _) | Node::Until(runs, ..)) = node else { continue };
            let sorts = self.sorts.join(" ");
            let _ = writeln!(out, "(declare-fun |live {position}| ({sorts}) Bool)");
            let own = |at: &str| format!("(|live {position}| {at})");
            let after = match node {
                Node::Next(_, a) => self.formula(*a, &t)?,
                _ => own(&t),
            };
            let step = match runs {
                Runs::Some => format!("(exists ({}) (and {next} {after}))", self.binder("t")),
                Runs::All => format!("(forall ({}) (=> {next} {after}))", self.binder("t")),
            };
            match node {
                Node::Until(_, a, b) => {
                    let (a, b) = (self.formula(*a, &s)?, self.formula(*b, &s)?);
                    let _ = writeln!(out, "(assert (forall ({one}) (=> {b} {})))", own(&s));
                    let _ = match runs {
                        Runs::Some => writeln!(
                            out,
                            "(assert (forall ({two}) (=> (and {a} {next} {after}) {})))",
                            own(&s)
                        ),
                        Runs::All => writeln!(
                            out,
                            "(assert (forall ({one}) (=> (and {a} {step}) {})))",
                            own(&s)
                        ),
                    };
                }
                _ => {
                    let _ = writeln!(out, "(assert (forall ({one}) (=> {step} {})))", own(&s));
                }
            }
        }
        let whole = self.formula(self.nodes.len() - 1, &s)?;
        let _ = writeln!(out, "(assert (not (forall ({one}) (=> (init {s}) {whole}))))");
        out.push_str("(check-sat)\n");
        Ok(())
    }

    fn variables(&self, stem: &str) -> String {
        let names: Vec<String> = (0..self.sorts.len()).map(|at| format!("|{stem} {at}|")).collect();
        names.join(" ")
    }

    fn binder(&self, stem: &str) -> String {
        let sorts = self.sorts.iter().enumerate();
        let all: Vec<String> = sorts.map(|(at, sort)| format!("(|{stem} {at}| {sort})")).collect();
        all.join(" ")
    }

    /// A subformula at a state.
    fn formula(&self, node: NodeId, state: &str) -> Result<String, String> {
        Ok(match &self.nodes[node] {
            Node::Atom(formulas) => self.atom(formulas[0], state),
            Node::And(a, b) => {
                format!("(and {} {})", self.formula(*a, state)?, self.formula(*b, state)?)
            }
            Node::Or(a, b) => {
                format!("(or {} {})", self.formula(*a, state)?, self.formula(*b, state)?)
            }
            Node::Next(..) | Node::Until(..) => format!("(|live {node}| {state})"),
            Node::Weak(..) => {
                let why = "a live formula has EX, AX, EF, AF and U, and nothing negated above them";
                return Err(why.to_owned());
            }
        })
    }

    /// A formula over truth values, as one of predicates of a state.
    fn atom(&self, term: TermId, state: &str) -> String {
        let terms = &self.flow.terms;
        let inside: Vec<String> =
            terms.args(term).iter().map(|&arg| self.atom(arg, state)).collect();
        let inside = inside.join(" ");
        match terms.op(term) {
            Op::Var(_) => format!("({} {state})", quote(terms.var_name(term).unwrap_or_default())),
            Op::Not => format!("(not {inside})"),
            Op::And => format!("(and {inside})"),
            Op::Or => format!("(or {inside})"),
            Op::Eq => format!("(= {inside})"),
            Op::False => "false".to_owned(),
            _ => "true".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHAIN: &str = "(set-logic UF)
(declare-sort State 0)
(declare-fun init (State) Bool)
(declare-fun next (State State) Bool)
(declare-fun first (State) Bool)
(declare-fun second (State) Bool)
(declare-fun done (State) Bool)
(assert (forall ((s State)) (=> (init s) (first s))))
(assert (forall ((s State) (t State)) (=> (and (first s) (next s t)) (second t))))
(assert (forall ((s State) (t State)) (=> (and (second s) (next s t)) (done t))))
";

    fn lives(formula: &str) -> Lives {
        // Without an end of the search there is none for what does not hold.
        let request = Request { question_milliseconds: Some(500), ..Request::default() };
        decide(CHAIN.as_bytes(), formula, &request).expect("the axioms are fine")
    }

    #[test]
    fn what_must_come_by_the_axioms_holds() {
        for formula in ["AF done", "AX second", "AX AF done", "A[first || second U done]", "first"]
        {
            assert_eq!(lives(formula), Lives::Holds, "{formula}");
        }
    }

    #[test]
    fn what_need_not_come_is_not_said_to() {
        // There need not be a step.
        for formula in ["EF done", "EX second", "second", "AX done", "A[first U done]"] {
            assert!(matches!(lives(formula), Lives::Unknown(_)), "{formula}");
        }
    }

    #[test]
    fn what_is_not_live_is_refused() {
        for formula in ["AG first", "!(AF done)", "E[first W done]", "AF nobody"] {
            assert!(script(CHAIN.as_bytes(), formula).is_err(), "{formula}");
        }
        for more in
            ["(check-sat)", "(echo \"unsat\")", "(push 1)", "(set-option :print-success true)"]
        {
            assert!(script(format!("{CHAIN}{more}").as_bytes(), "AF done").is_err(), "{more}");
        }
        assert!(script(b"(declare-fun init (Int) Bool)", "true").is_err());
    }
}
