//! Random systems over small numbers and truth values, against forward derivation.
//!
//! All arguments are bounded, so there are finitely many cubes: the engine must decide, and agree
//! where forward derivation decides.

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
            1 => format!("(- {base} 1)"),
            2 => format!("(ite b {base} 3)"),
            _ => base.to_owned(),
        }
    }

    fn formula(&mut self) -> String {
        let (left, right) = (self.number(), self.number());
        match self.rng.below(6) {
            0 => "b".to_owned(),
            1 => "(not b)".to_owned(),
            2 => format!("(< {left} {right})"),
            3 => format!("(or (<= {left} {right}) b)"),
            4 => format!("(distinct {left} {right})"),
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

    fn clause(&mut self, atoms: u64, is_query: bool) -> String {
        let mut body = vec!["(<= 0 x 3)".to_owned(), "(<= 0 y 3)".to_owned()];
        body.push(self.formula());
        for _ in 0..atoms {
            body.push(self.atom());
        }
        if atoms > 1 && self.rng.below(3) == 0 {
            let last = body.pop().unwrap();
            let other = self.formula();
            body.push(format!("(or {last} {other})"));
        }
        let head = if is_query { "false".to_owned() } else { self.atom() };
        let body = body.join(" ");
        format!("(assert (forall ((x Int) (y Int) (b Bool)) (=> (and {body}) {head})))")
    }

    fn system(&mut self) -> String {
        let mut text = "(set-logic HORN) (declare-fun p (Int Int) Bool)
                        (declare-fun q (Int Bool) Bool)"
            .to_owned();
        text.push_str(&self.clause(0, false));
        for _ in 0..1 + self.rng.below(4) {
            let atoms = 1 + self.rng.below(2);
            text.push_str(&self.clause(atoms, false));
        }
        for _ in 0..1 + self.rng.below(2) {
            let atoms = 1 + self.rng.below(2);
            text.push_str(&self.clause(atoms, true));
        }
        text
    }
}

#[test]
fn agrees_with_forward_derivation() {
    let mut generator = Generator { rng: Rng::new(7) };
    let (mut safe, mut unsafe_, mut agreed) = (0, 0, 0);
    for number in 0..150 {
        let text = generator.system();
        let horn = read(&text);
        let (line, ..) = run("pdr", &horn, 5_000_000);
        let (expected, ..) = run("forward", &horn, 5_000_000);
        let is_decided = |line: &str| line == "safe" || line.starts_with("unsafe, ");
        assert!(is_decided(&line), "system {number} is {line}: {text}");
        if is_decided(&expected) {
            agreed += 1;
            assert_eq!(line == "safe", expected == "safe", "system {number}: {text}");
        }
        safe += u32::from(line == "safe");
        unsafe_ += u32::from(line.starts_with("unsafe"));
    }
    assert!(safe >= 20 && unsafe_ >= 20, "{safe} safe, {unsafe_} unsafe");
    assert!(agreed >= 50, "forward derivation decided {agreed}");
}
