//! Random linear systems over small numbers and truth values, against forward derivation.

use crate::judge::run;
use crate::small::{PROVERS, read};
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
            1 => format!("(- {base} 1)"),
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
        let (first, second) = (self.pick(&["x", "y", "2"]), self.pick(&["x", "y", "b"]));
        match second {
            "b" => format!("(q {first} b)"),
            _ => format!("(p {first} {second})"),
        }
    }

    fn clause(&mut self, has_atom: bool, is_query: bool) -> String {
        let mut body = vec!["(<= 0 x 3)".to_owned(), "(<= 0 y 3)".to_owned(), self.formula()];
        if has_atom {
            let atom = self.atom();
            body.push(match self.rng.below(4) {
                0 => format!("(or {atom} {})", self.formula()),
                1 => format!("(or {atom} (and {} {}))", self.atom(), self.formula()),
                _ => atom,
            });
        }
        let head = if is_query { "false".to_owned() } else { self.atom() };
        let body = body.join(" ");
        format!("(assert (forall ((x Int) (y Int) (b Bool)) (=> (and {body}) {head})))\n")
    }

    fn system(&mut self) -> String {
        let mut text =
            "(declare-fun p (Int Int) Bool)\n(declare-fun q (Int Bool) Bool)\n".to_owned();
        text += &self.clause(false, false);
        for _ in 0..1 + self.rng.below(4) {
            text += &self.clause(true, false);
        }
        text += &self.clause(true, true);
        format!("(set-logic HORN)\n{text}")
    }
}

#[test]
fn random_systems_against_forward_derivation() {
    let mut generator = Generator { rng: Rng::new(11) };
    let (mut safe, mut unsafe_, mut undecided) = (0, 0, 0);
    for _ in 0..150 {
        let text = generator.system();
        let horn = read(&text);
        let expected = run("forward", &horn, 200_000).0;
        let verdict = |line: &str| line.split(',').next().unwrap_or_default().to_owned();
        for engine in PROVERS {
            let line = verdict(&run(engine, &horn, 400_000).0);
            match line.as_str() {
                "safe" => safe += 1,
                "unsafe" => unsafe_ += 1,
                _ => {
                    undecided += 1;
                    continue;
                }
            }
            if ["safe", "unsafe"].contains(&verdict(&expected).as_str()) {
                assert_eq!(line, verdict(&expected), "{engine}\n{text}");
            }
        }
        if verdict(&expected) == "unsafe" {
            assert_eq!(verdict(&run("bmc", &horn, 400_000).0), "unsafe", "{text}");
        }
    }
    assert!(safe > 100 && unsafe_ > 100, "{safe} safe, {unsafe_} unsafe, {undecided} undecided");
    assert!(undecided < 15, "{safe} safe, {unsafe_} unsafe, {undecided} undecided");
}
