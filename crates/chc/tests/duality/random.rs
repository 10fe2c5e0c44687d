//! Random systems with clauses of several atoms, some below disjunctions, against `forward` and `pdr`.

use crate::{ask, read};
use alphorn_engine::Rng;

struct Generator {
    rng: Rng,
}

impl Generator {
    fn pick<'a>(&mut self, items: &[&'a str]) -> &'a str {
        items[self.rng.below(items.len() as u64) as usize]
    }

    fn constraint(&mut self) -> String {
        let (left, right) = (self.pick(&["x", "y", "z"]), self.pick(&["x", "y", "0", "2"]));
        match self.rng.below(6) {
            0 => format!("(= z (+ {left} 1))"),
            1 => format!("(= (+ x y) (+ {left} {right}))"),
            2 => format!("(or b (< {left} {right}))"),
            3 => "(= b (< x y))".to_owned(),
            4 => format!("(distinct {left} {right})"),
            _ => format!("(<= {left} (ite b {right} y))"),
        }
    }

    fn atom(&mut self) -> String {
        let (first, second) = (self.pick(&["x", "y", "z", "(+ x 1)"]), self.pick(&["x", "z", "1"]));
        match self.rng.below(3) {
            0 => format!("(q {first} b)"),
            1 => format!("(r {first})"),
            _ => format!("(p {first} {second})"),
        }
    }

    fn clause(&mut self, atoms: u64, is_query: bool) -> String {
        let mut body = vec!["(<= 0 x 3) (<= 0 y 2) (<= 0 z 3)".to_owned(), self.constraint()];
        for _ in 0..atoms {
            let (atom, other) = (self.atom(), self.atom());
            body.push(match self.rng.below(5) {
                0 => format!("(or {atom} (and {other} {}))", self.constraint()),
                _ => atom,
            });
        }
        let head = if is_query { "false".to_owned() } else { self.atom() };
        format!(
            "(assert (forall ((x Int) (y Int) (z Int) (b Bool)) (=> (and {}) {head})))",
            body.join(" ")
        )
    }

    fn system(&mut self) -> String {
        let mut text = "(set-logic HORN) (declare-fun p (Int Int) Bool)
            (declare-fun q (Int Bool) Bool) (declare-fun r (Int) Bool)"
            .to_owned();
        for _ in 0..2 {
            text.push_str(&self.clause(0, false));
        }
        for _ in 0..2 + self.rng.below(4) {
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

fn is_decided(line: &str) -> bool {
    line == "safe" || line.starts_with("unsafe, ")
}

#[test]
fn agrees_with_other_engines() {
    let mut generator = Generator { rng: Rng::new(11) };
    let (mut safe, mut unsafe_) = (0, 0);
    for number in 0..120 {
        let text = generator.system();
        let horn = read(&text);
        let (expected, _) = ask("pdr", &horn, 1_000_000);
        let (other, _) = ask("forward", &horn, 200_000);
        for engine in ["duality", "duality-mark1", "duality-local", "la"] {
            let (line, _) = ask(engine, &horn, 300_000);
            for expected in [&expected, &other] {
                if is_decided(&line) && is_decided(expected) {
                    assert_eq!(line == "safe", expected == "safe", "{engine} {number}: {text}");
                }
            }
            assert!(
                engine != "duality" || is_decided(&line),
                "system {number} is {line} by {engine}: {text}"
            );
        }
        safe += u32::from(expected == "safe");
        unsafe_ += u32::from(expected.starts_with("unsafe"));
    }
    assert!(safe >= 20 && unsafe_ >= 20, "{safe} safe, {unsafe_} unsafe");
}
