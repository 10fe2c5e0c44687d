//! Random linear systems over small numbers and truth values, against forward derivation.
//!
//! All arguments are bounded, so forward derivation decides most of them; the engines must agree
//! wherever both decide, and must decide most of them, too.

use crate::judge::run;
use crate::small::read;
use alphorn_engine::Rng;

struct Generator {
    rng: Rng,
}

impl Generator {
    fn pick<'a>(&mut self, items: &[&'a str]) -> &'a str {
        items[self.rng.below(items.len() as u64) as usize]
    }

    fn number(&mut self) -> String {
        let base = self.pick(&["x", "y", "0", "1", "2"]);
        match self.rng.below(4) {
            0 => format!("(+ {base} 1)"),
            1 => format!("(- {base} y)"),
            2 => format!("(ite b {base} 3)"),
            _ => base.to_owned(),
        }
    }

    fn formula(&mut self) -> String {
        let (left, right) = (self.number(), self.number());
        match self.rng.below(5) {
            0 => "b".to_owned(),
            1 => format!("(< {left} {right})"),
            2 => format!("(or (<= {left} {right}) b)"),
            3 => format!("(distinct {left} {right})"),
            _ => format!("(= {left} {right})"),
        }
    }

    fn atom(&mut self) -> String {
        let first = self.number();
        match self.rng.below(3) {
            0 => format!("(q {first})"),
            1 => format!("(p {first} y (not b))"),
            _ => format!("(p x {first} b)"),
        }
    }

    fn clause(&mut self, atoms: u64, is_query: bool) -> String {
        let mut body = vec!["(<= 0 x 3)".to_owned(), "(<= 0 y 3)".to_owned()];
        body.push(self.formula());
        for _ in 0..atoms {
            body.push(self.pick(&["(p x y b)", "(q x)", "(p y x b)", "(p x x b)"]).to_owned());
        }
        let head = if is_query { "false".to_owned() } else { self.atom() };
        let body = body.join(" ");
        format!("(assert (forall ((x Int) (y Int) (b Bool)) (=> (and {body}) {head})))")
    }

    fn system(&mut self) -> String {
        let mut text = "(set-logic HORN) (declare-fun p (Int Int Bool) Bool)
                        (declare-fun q (Int) Bool)"
            .to_owned();
        text.push_str(&self.clause(0, false));
        for _ in 0..1 + self.rng.below(4) {
            text.push_str(&self.clause(1, false));
        }
        for _ in 0..1 + self.rng.below(2) {
            text.push_str(&self.clause(1, true));
        }
        text
    }
}

#[test]
fn engines_agree_with_forward_derivation() {
    let mut generator = Generator { rng: Rng::new(11) };
    let (mut decided, mut open) = (0, 0);
    for _ in 0..150 {
        let text = generator.system();
        let horn = read(&text);
        let verdict = |engine: &str, ticks: u64| {
            let (line, ..) = run(engine, &horn, ticks);
            line.split(',').next().unwrap_or_default().to_owned()
        };
        let expected = verdict("forward", 200_000);
        for engine in ["ic3", "tpa"] {
            let found = verdict(engine, 2_000_000);
            match (found.as_str(), expected.as_str()) {
                ("safe" | "unsafe", "safe" | "unsafe") => {
                    assert_eq!(found, expected, "{engine} on {text}");
                    decided += 1;
                }
                ("safe" | "unsafe", _) => decided += 1,
                _ if found.starts_with("unsupported") => {}
                _ => open += 1,
            }
        }
    }
    assert!(decided > 180 && open < 30, "{decided} decided, {open} open");
}
