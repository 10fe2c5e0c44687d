//! Loops and recursions as programs have them, with random numbers in them.
//!
//! Words: a counter that is masked, shifted or wraps around. Arrays: a loop that fills, copies or looks
//! for an element. Datatypes: a function on lists or on trees as a predicate, and a question about its
//! results.

use super::{Sort, Systems, Theory, Var};

fn var(name: &str, sort: &Sort) -> Var {
    (name.to_owned(), sort.clone())
}

fn texts(parts: &[&str]) -> Vec<String> {
    parts.iter().map(|&part| part.to_owned()).collect()
}

impl Systems {
    /// Adds the clauses of a random shape that fits the theory.
    pub(super) fn shape(&mut self) {
        match (self.theory, self.below(3)) {
            (Theory::Words, _) => self.word_loop(),
            (Theory::Arrays, 0) => self.copy_loop(),
            (Theory::Arrays, _) => self.fill_loop(),
            (Theory::Data, 0) => self.tree_recursion(),
            (Theory::Data, 1) => self.append(),
            (Theory::Data, _) => self.list_recursion(),
        }
    }

    /// Two words that change in each step, and a question about them.
    fn word_loop(&mut self) {
        let width = [2, 3, 4, 6, 8, 16][self.below(6) as usize];
        let sort = Sort::Word(width);
        let both = [var("x", &sort), var("y", &sort)];
        self.preds.push(("Loop".to_owned(), vec![sort.clone(), sort.clone()]));
        let mut number = |bound| format!("(_ bv{} {width})", self.below(bound));
        let (start, second, small, large, end) =
            (number(3), number(4), number(4), number(1 << width), number(1 << width));
        let step = match self.below(7) {
            0 => format!("(bvadd x {small})"),
            1 => format!("(bvand (bvadd x {small}) {large})"),
            2 => format!("(bvshl x {small})"),
            3 => format!("(bvor x {large})"),
            4 => format!("(bvmul x {small})"),
            5 => "(bvadd x y)".to_owned(),
            _ => format!("(bvurem (bvadd x {small}) {large})"),
        };
        let other = match self.below(4) {
            0 => format!("(bvxor y {large})"),
            1 => format!("(bvadd y {small})"),
            2 => "(bvsub y x)".to_owned(),
            _ => "y".to_owned(),
        };
        let guard = match self.below(4) {
            0 => format!("(bvult x {end})"),
            1 => format!("(bvsle x {end})"),
            2 => "(bvule y x)".to_owned(),
            _ => "true".to_owned(),
        };
        let question = match self.below(6) {
            0 => format!("(bvugt x {end})"),
            1 => format!("(= x {end})"),
            2 => format!("(= (bvadd x y) {end})"),
            3 => format!("(bvslt x {second})"),
            4 => "(= ((_ extract 0 0) x) #b1)".to_owned(),
            _ => "(bvult y x)".to_owned(),
        };
        let starts = [format!("(= x {start})"), format!("(= y {second})")];
        self.clause(&both, &starts, Some("(Loop x y)".to_owned()));
        let body = ["(Loop x y)".to_owned(), guard];
        self.clause(&both, &body, Some(format!("(Loop {step} {other})")));
        self.clause(&both, &["(Loop x y)".to_owned(), question], None);
    }

    /// A loop that writes an array from some index on, and a question about an element.
    fn fill_loop(&mut self) {
        let ints = Sort::array(Sort::Int, Sort::Int);
        let vars =
            [var("i", &Sort::Int), var("n", &Sort::Int), var("a", &ints), var("k", &Sort::Int)];
        self.preds.push(("Fill".to_owned(), vec![Sort::Int, Sort::Int, ints]));
        let (start, end) = (self.below(2), 1 + self.below(4));
        let (step, value) =
            (1 + self.below(5) / 4, self.pick(&["i", "7", "(+ i 1)", "(- n i)", "(select a n)"]));
        let upper = if self.chance(60) { "n".to_owned() } else { end.to_string() };
        let lower = self.below(2);
        let question = self.pick(&[
            "(< (select a k) 0)",
            "(distinct (select a k) 7)",
            "(> (select a k) k)",
            "(> (select a k) (+ k 1))",
            "(distinct (select a k) (select a (+ k 1)))",
            "(= (select a k) (select a n))",
        ]);
        let head = Some("(Fill i n a)".to_owned());
        self.clause(&vars[..3], &[format!("(= i {start})")], head);
        let next = Some(format!("(Fill (+ i {step}) n (store a i {value}))"));
        self.clause(&vars[..3], &["(Fill i n a)".to_owned(), format!("(< i {upper})")], next);
        let asked = [
            "(Fill i n a)".to_owned(),
            format!("(>= i {upper})"),
            format!("(<= {lower} k)"),
            format!("(< k {upper})"),
            question.to_owned(),
        ];
        self.clause(&vars, &asked, None);
    }

    /// A loop that copies one array to another with a change, and a question about two elements.
    fn copy_loop(&mut self) {
        let (index, element) = match self.below(3) {
            0 => (Sort::Word(3), Sort::Word(4)),
            _ => (Sort::Int, Sort::Int),
        };
        let array = Sort::array(index.clone(), element.clone());
        let vars = [var("i", &index), var("a", &array), var("b", &array), var("k", &index)];
        self.preds.push(("Copy".to_owned(), vec![index.clone(), array.clone(), array]));
        let is_word = matches!(index, Sort::Word(_));
        let (add, less, at_most) = match is_word {
            true => ("bvadd", "bvult", "bvule"),
            false => ("+", "<", "<="),
        };
        let number = |sort: &Sort, value: u64| match sort {
            Sort::Word(width) => format!("(_ bv{value} {width})"),
            _ => value.to_string(),
        };
        let (zero, one, end) =
            (number(&index, 0), number(&index, 1), number(&index, 1 + self.below(5)));
        let change = self.below(2);
        let copied = match self.below(3) {
            0 => format!("({add} (select a i) {})", number(&element, change)),
            1 => format!("(select a ({add} i {one}))"),
            _ => "(select a i)".to_owned(),
        };
        let question = match self.below(3) {
            0 => "(distinct (select a k) (select b k))".to_owned(),
            1 => "(= (select a k) (select b k))".to_owned(),
            _ => format!("({less} (select b k) (select a k))"),
        };
        self.clause(&vars[..3], &[format!("(= i {zero})")], Some("(Copy i a b)".to_owned()));
        let next = Some(format!("(Copy ({add} i {one}) a (store b i {copied}))"));
        self.clause(&vars[..3], &["(Copy i a b)".to_owned(), format!("({less} i {end})")], next);
        let asked = [
            "(Copy i a b)".to_owned(),
            format!("({at_most} {end} i)"),
            format!("({less} k {end})"),
            format!("({at_most} {zero} k)"),
            question,
        ];
        self.clause(&vars, &asked, None);
    }

    /// A function on lists with a number for its result, as a predicate.
    fn list_recursion(&mut self) {
        let list = Sort::Data("List");
        let vars =
            [var("l", &list), var("n", &Sort::Int), var("h", &Sort::Int), var("m", &Sort::Int)];
        self.preds.push(("F".to_owned(), vec![list, Sort::Int]));
        let start = self.below(2);
        let step = self.pick(&[
            "(+ n 1)",
            "(+ n h)",
            "(ite (> h n) h n)",
            "(ite (> h 0) (+ n 1) n)",
            "(- n)",
            "h",
        ]);
        let guard = self.pick(&["true", "true", "(> h 0)", "(distinct h n)"]);
        self.clause(&vars[..0], &[], Some(format!("(F nil {start})")));
        let next = Some(format!("(F (cons h l) {step})"));
        self.clause(&vars[..3], &texts(&["(F l n)", guard]), next);
        let asked = match self.below(6) {
            0 => texts(&["(F l n)", "(< n 0)"]),
            1 => texts(&["(F l n)", "(F l m)", "(distinct n m)"]),
            2 => texts(&["(F l n)", "((_ is nil) l)", "(distinct n 0)"]),
            3 => texts(&["(F l n)", "((_ is cons) l)", "(= n 0)"]),
            4 => texts(&["(F l n)", "(F (cons h l) m)", "(<= m n)"]),
            _ => texts(&["(F (cons 1 (cons 2 l)) n)", "(= n 1)"]),
        };
        self.clause(&vars, &asked, None);
    }

    /// A function on trees with a number for its result, as a predicate.
    fn tree_recursion(&mut self) {
        let tree = Sort::Data("Tree");
        let vars = [
            var("s", &tree),
            var("t", &tree),
            var("n", &Sort::Int),
            var("m", &Sort::Int),
            var("k", &Sort::Int),
        ];
        self.preds.push(("G".to_owned(), vec![tree, Sort::Int]));
        let start = self.below(2);
        let step = self.pick(&[
            "(+ n m 1)",
            "(+ n m)",
            "(+ 1 (ite (> n m) n m))",
            "(+ n k m)",
            "(ite (< n m) n m)",
        ]);
        let guard = self.pick(&["true", "true", "(= n m)", "(> k 0)", "(<= n m)"]);
        self.clause(&vars[..0], &[], Some(format!("(G leaf {start})")));
        let next = Some(format!("(G (node s k t) {step})"));
        self.clause(&vars, &texts(&["(G s n)", "(G t m)", guard]), next);
        let asked = match self.below(5) {
            0 => texts(&["(G s n)", "(< n 0)"]),
            1 => texts(&["(G s n)", "(G s m)", "(distinct n m)"]),
            2 => texts(&["(G s n)", "((_ is node) s)", "(= n 0)"]),
            3 => texts(&["(G (node s k t) n)", "(G t m)", "(< n m)"]),
            _ => texts(&["(G s n)", "(= n 2)"]),
        };
        self.clause(&vars, &asked, None);
    }

    /// Appending lists, and the lengths of what comes of it.
    fn append(&mut self) {
        let list = Sort::Data("List");
        let vars = [
            var("l", &list),
            var("r", &list),
            var("s", &list),
            var("h", &Sort::Int),
            var("n", &Sort::Int),
            var("m", &Sort::Int),
        ];
        self.preds.push(("App".to_owned(), vec![list.clone(), list.clone(), list.clone()]));
        self.preds.push(("Len".to_owned(), vec![list, Sort::Int]));
        let head = self.pick(&["h", "h", "(+ h 1)"]);
        self.clause(&vars[1..2], &[], Some("(App nil r r)".to_owned()));
        let next = Some(format!("(App (cons h l) r (cons {head} s))"));
        self.clause(&vars[..4], &texts(&["(App l r s)"]), next);
        self.clause(&vars[..0], &[], Some("(Len nil 0)".to_owned()));
        let longer = Some("(Len (cons h l) (+ n 1))".to_owned());
        let measured = [vars[0].clone(), vars[3].clone(), vars[4].clone()];
        self.clause(&measured, &texts(&["(Len l n)"]), longer);
        let asked = match self.below(5) {
            0 => texts(&["(App l r s)", "(Len l n)", "(Len s m)", "(< m n)"]),
            1 => texts(&["(App l r s)", "(Len r n)", "(Len s m)", "(< m n)"]),
            2 => texts(&["(App l nil s)", "(distinct l s)"]),
            3 => texts(&["(App l r s)", "((_ is nil) s)", "((_ is cons) l)"]),
            _ => texts(&["(App l r s)", "(Len l n)", "(Len s m)", "(<= m n)"]),
        };
        self.clause(&vars, &asked, None);
    }
}
