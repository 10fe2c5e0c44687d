//! Hands a piece to what `alphorn check` calls, and says what became of it.

use alphorn_driver::certify::{
    Asked, Certified, Request, certify_formula, certify_script, questions,
};
use alphorn_driver::{sat, smt};
use alphorn_testkit::hostile::Fate;
use alphorn_testkit::hostile::scripts::{
    About, CLAUSES_SAT, CLAUSES_UNSAT, SCRIPT_SAT, script_unsat,
};

/// The problems that pieces are about.
pub struct Problems {
    scripts: [(smt::Script, Asked); 2],
    clauses: [sat::Cnf; 2],
}

impl Problems {
    pub fn read() -> Problems {
        let scripts = [script_unsat(), SCRIPT_SAT.to_owned()].map(|text| {
            let script = smt::read(text.as_bytes()).0.expect("the script is read");
            let asked = questions(&script).pop().expect("it asks a question");
            (script, asked)
        });
        let clauses = [CLAUSES_UNSAT, CLAUSES_SAT]
            .map(|text| sat::read(text.as_bytes()).0.expect("the formula is read"));
        Problems { scripts, clauses }
    }

    /// What becomes of some bytes.
    pub fn judge(&self, about: About, bytes: &[u8]) -> Fate {
        let request = Request::default();
        let script = |at: usize| {
            let (script, asked) = &self.scripts[at];
            certify_script(script, asked, bytes, &request)
        };
        let certified = match about {
            About::ScriptUnsat => script(0),
            About::ScriptSat => script(1),
            About::ClausesUnsat => certify_formula(&self.clauses[0], bytes, &request),
            About::ClausesSat => certify_formula(&self.clauses[1], bytes, &request),
        };
        match certified {
            Certified::Accepted(_) | Certified::Answered(_) => Fate::Accepted,
            Certified::Refused(refusal) => Fate::Refused(refusal.to_string()),
            Certified::Unproved(reason) => Fate::Refused(reason),
            Certified::Unreadable(diagnostics) => {
                let first = diagnostics.list.first().map(|first| first.message.clone());
                Fate::Unreadable(first.unwrap_or_default())
            }
        }
    }
}
