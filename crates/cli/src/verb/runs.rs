//! `alphorn terminate`, `alphorn ctl` and `alphorn respond`: questions about runs that never end.

use super::{decide, live};
use crate::args::{Ctl, Decide, EndsName, Respond};
use crate::speak;
use alphorn_driver::flow::{Asked, Ends, Said, TemporalWish};
use alphorn_driver::report::Exit;

/// Decides whether all runs end, for all files.
pub fn terminate(mut args: Decide) -> u8 {
    args.asked = Asked::Termination;
    decide::main(args)
}

/// Decides whether something leads to something else, for all files.
pub fn respond(args: Respond) -> u8 {
    let mut decide = args.decide;
    match args.response.asked() {
        Some(asked) => decide.asked = asked,
        // A fair transition system says itself what is asked.
        None if args.response.from.is_none() => {}
        None => {
            speak::complain("--from", "both --from and --to are needed", decide.json);
            return Exit::Usage as u8;
        }
    }
    decide::main(decide)
}

/// Decides a temporal formula, for all files.
pub fn ctl(args: Ctl) -> u8 {
    let mut decide = args.decide;
    let wrong = |about: &str, why: &str, as_json| {
        speak::complain(about, why, as_json);
        Exit::Usage as u8
    };
    let Some(formula) = decide.property.take() else {
        return wrong("--property", "a formula is needed: --property 'AG (x > 0)'", decide.json);
    };
    if args.live {
        return live::main(&decide, &formula, args.script.as_deref());
    }
    let fairness = match args.fair.as_deref().map(split_pair) {
        None => None,
        Some(Some(pair)) => Some(pair),
        Some(None) => {
            return wrong(
                "--fair",
                "two conditions are needed: --fair 'x > 0, y > 0'",
                decide.json,
            );
        }
    };
    let ends = args.ends.map(|ends| match ends {
        EndsName::Vacuous => Ends::Vacuous,
        EndsName::Stutter => Ends::Stutter,
    });
    decide.asked = Asked::Temporal(TemporalWish { said: Said { formula, fairness }, ends });
    decide::main(decide)
}

/// The two conditions of `P,Q`, perhaps in parentheses.
fn split_pair(text: &str) -> Option<(String, String)> {
    let text = text.trim();
    let outer_comma = |text: &str| {
        let mut depth = 0_i64;
        text.char_indices().find_map(|(at, c)| {
            depth += i64::from(c == '(') - i64::from(c == ')');
            (c == ',' && depth == 0).then_some(at)
        })
    };
    let inner = || text.strip_prefix('(')?.strip_suffix(')');
    let (text, at) = match outer_comma(text) {
        Some(at) => (text, at),
        None => inner().and_then(|text| Some((text, outer_comma(text)?)))?,
    };
    Some((text[..at].trim().to_owned(), text[at + 1..].trim().to_owned()))
}
