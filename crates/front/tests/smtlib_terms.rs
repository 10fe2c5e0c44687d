//! Reading what was printed gives the same term: random well-sorted terms over all operators.

use alphorn_front::smtlib::{Context, print_script, read};
use alphorn_term::{Bv, Op, Rat, Sort, SortId, Store, TermId};
use alphorn_testkit::Rng;
use proptest::prelude::*;

/// Names that need bars, look like something else, or are as short as can be.
const NAMES: &[&str] = &[
    "x", "a!1", "a b", "let", "0abc", "", "(", ")", ";", "é", "_", "as", "forall", "#x1", "\"",
    ":k", "-5", "x!1", "NUMERAL", "true?", "a\nb", "par", "!", "exists", "1", "is-red", "bv1",
    "assert",
];

/// A store with terms to start from, and the terms made so far.
struct Maker {
    store: Store,
    random: Rng,
    terms: Vec<TermId>,
    vars: Vec<TermId>,
    sorts: Vec<SortId>,
    bound: usize,
}

impl Maker {
    fn new(seed: u64) -> Maker {
        let script = "(declare-datatype List (par (X) ((nil) (|co ns| (head X) (tail (List X))))))
            (declare-datatype |Co lor| ((red) (|gr een|) (mix (|le ft| |Co lor|) (rest Int))))
            (declare-sort |S t| 1)
            (declare-fun f (Int Real) Int)
            (declare-fun |g h| ((List Int) |Co lor| (|S t| Bool)) Bool)
            (declare-fun c () (|S t| Bool))
            (declare-fun lists () (List (List Int)))
            (check-sat)";
        let (script, diagnostics) = read(script.as_bytes());
        let mut store = script.unwrap_or_else(|| panic!("{:?}", diagnostics.list)).horn.terms;
        let datas: Vec<SortId> = store.datas().map(|data| store.data(data).sort).collect();
        let (four, eight) = (store.bv_sort(4), store.bv_sort(8));
        let ints = store.array_sort(SortId::INT, SortId::INT);
        let words = store.array_sort(four, SortId::BOOL);
        let set = store.func(store.funcs().nth(2).expect("three are declared")).result;
        let mut sorts =
            vec![SortId::BOOL, SortId::INT, SortId::REAL, four, eight, ints, words, set];
        sorts.extend(datas);
        let mut maker = Maker {
            store,
            random: Rng::new(seed),
            terms: Vec::new(),
            vars: Vec::new(),
            sorts,
            bound: 0,
        };
        for (number, name) in NAMES.iter().enumerate() {
            let sort = maker.sorts[number % maker.sorts.len()];
            let var = maker.store.var(name, sort);
            maker.vars.push(var);
        }
        maker.terms = maker.vars.clone();
        maker
    }

    fn pick(&mut self, sort: SortId) -> Option<TermId> {
        let fitting: Vec<TermId> =
            self.terms.iter().copied().filter(|&term| self.store.sort(term) == sort).collect();
        match fitting.len() {
            0 => None,
            count => {
                // Recent terms are larger.
                let back = self.random.below(count).min(self.random.below(count));
                Some(fitting[count - 1 - back])
            }
        }
    }

    fn any(&mut self) -> TermId {
        self.terms[self.random.below(self.terms.len())]
    }

    fn literal(&mut self) -> TermId {
        let n = self.random.below(2000) as i64 - 1000;
        match self.random.below(5) {
            0 => self.store.int(n),
            1 => self.store.real(Rat::ratio(n, 1 + self.random.below(9) as i64).expect("not zero")),
            2 => self.store.bv(Bv::from_u64(4, n as u64)),
            3 => self.store.bv(Bv::from_u64(8, n as u64)),
            _ => self.store.bool(n > 0),
        }
    }

    /// A random application; `None` if the operator drawn has no arguments to take.
    fn application(&mut self) -> Option<TermId> {
        use Op::*;
        const WORDS: &[Op] = &[
            BvAnd, BvOr, BvXor, BvAdd, BvSub, BvMul, BvUdiv, BvUrem, BvSdiv, BvSrem, BvSmod, BvShl,
            BvLshr, BvAshr, BvUlt, BvUle, BvSlt, BvSle, BvUaddo, BvSaddo, BvUsubo, BvSsubo,
            BvUmulo, BvSmulo, BvSdivo,
        ];
        const WORD: &[Op] = &[
            BvNot,
            BvNeg,
            BvNego,
            UbvToInt,
            SbvToInt,
            Extract(2, 1),
            Repeat(2),
            ZeroExtend(3),
            SignExtend(2),
            Extract(3, 0),
        ];
        let (bool, int, real) = (SortId::BOOL, SortId::INT, SortId::REAL);
        let number = if self.random.below(2) == 0 { int } else { real };
        let word = self.sorts[3 + self.random.below(2)];
        let some = self.sorts[self.random.below(self.sorts.len())];
        let (op, args) = match self.random.below(24) {
            0 => (Not, vec![self.pick(bool)?]),
            1 => (And, vec![self.pick(bool)?, self.pick(bool)?, self.pick(bool)?]),
            2 => (Or, vec![self.pick(bool)?, self.pick(bool)?]),
            3 => (Eq, vec![self.pick(some)?, self.pick(some)?]),
            4 => (Distinct, vec![self.pick(some)?, self.pick(some)?, self.pick(some)?]),
            5 => (Ite, vec![self.pick(bool)?, self.pick(some)?, self.pick(some)?]),
            6 => (Add, vec![self.pick(number)?, self.pick(number)?, self.pick(number)?]),
            7 => (Mul, vec![self.pick(number)?, self.pick(number)?]),
            8 => (Le, vec![self.pick(number)?, self.pick(number)?]),
            9 => (Lt, vec![self.pick(number)?, self.pick(number)?]),
            10 => (if self.random.below(2) == 0 { IntDiv } else { Mod }, {
                vec![self.pick(int)?, self.pick(int)?]
            }),
            11 => (RealDiv, vec![self.pick(real)?, self.pick(real)?]),
            12 => (if self.random.below(2) == 0 { Abs } else { ToReal }, vec![self.pick(int)?]),
            13 => (if self.random.below(2) == 0 { ToInt } else { IsInt }, vec![self.pick(real)?]),
            14 => (WORDS[self.random.below(WORDS.len())], vec![self.pick(word)?, self.pick(word)?]),
            15 => (WORD[self.random.below(WORD.len())], vec![self.pick(word)?]),
            16 => (IntToBv(4), vec![self.pick(int)?]),
            17 => (Concat, vec![self.pick(self.sorts[3])?, self.pick(self.sorts[3])?]),
            18 | 19 => {
                let array = self.sorts[5 + self.random.below(2)];
                let &Sort::Array(index, element) = self.store.sort_of(array) else { return None };
                let mut args = vec![self.pick(array)?, self.pick(index)?];
                if self.random.below(2) == 0 {
                    (Select, args)
                } else {
                    args.push(self.pick(element)?);
                    (Store, args)
                }
            }
            20 => {
                let array = self.sorts[5 + self.random.below(2)];
                let &Sort::Array(_, element) = self.store.sort_of(array) else { return None };
                let value = self.pick(element)?;
                return Some(self.store.const_array(array, value));
            }
            21 => {
                let funcs: Vec<_> = self.store.funcs().collect();
                let func = funcs[self.random.below(funcs.len())];
                let sorts = self.store.func(func).args.clone();
                let args: Option<Vec<TermId>> =
                    sorts.into_iter().map(|sort| self.pick(sort)).collect();
                (Apply(func), args?)
            }
            _ => return self.of_datatype(),
        };
        Some(self.store.mk(op, &args))
    }

    fn of_datatype(&mut self) -> Option<TermId> {
        let datas: Vec<_> = self.store.datas().collect();
        let data = self.store.data(datas[self.random.below(datas.len())]).clone();
        let ctor = data.ctors[self.random.below(data.ctors.len())];
        let fields: Vec<SortId> = self.store.ctor(ctor).fields.iter().map(|f| f.1).collect();
        let (op, args) = match self.random.below(3) {
            0 => (Op::Is(ctor), vec![self.pick(data.sort)?]),
            1 if !fields.is_empty() => {
                let field = self.random.below(fields.len()) as u32;
                (Op::Field(ctor, field), vec![self.pick(data.sort)?])
            }
            _ => {
                let args: Option<Vec<TermId>> =
                    fields.into_iter().map(|sort| self.pick(sort)).collect();
                (Op::Construct(ctor), args?)
            }
        };
        Some(self.store.mk(op, &args))
    }

    /// A quantifier over a variable of its own; terms with that variable are forgotten.
    fn quantifier(&mut self, steps: usize) {
        let before = self.terms.len();
        self.bound += 1;
        let sort = self.sorts[self.random.below(self.sorts.len())];
        let var = self.store.var(&format!("q {}", self.bound), sort);
        self.terms.push(var);
        self.grow(steps);
        let Some(body) = self.pick(SortId::BOOL) else { return self.terms.truncate(before) };
        let op = if self.random.below(2) == 0 { Op::Forall } else { Op::Exists };
        let term = self.store.mk(op, &[var, body]);
        self.terms.truncate(before);
        self.terms.push(term);
    }

    fn grow(&mut self, steps: usize) {
        for _ in 0..steps {
            match self.random.below(12) {
                0 => {
                    let literal = self.literal();
                    self.terms.push(literal);
                }
                1 if steps > 4 => self.quantifier(steps / 3),
                _ => {
                    let made = self.application();
                    self.terms.extend(made);
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn reading_what_is_printed(seed in any::<u64>(), steps in 1usize..120) {
        let mut maker = Maker::new(seed);
        maker.grow(steps);
        let mut roots: Vec<TermId> = (0..4).map(|_| maker.any()).collect();
        roots.extend(maker.terms.last());
        let vars = maker.vars.clone();
        let mut context = Context::over(maker.store);
        for var in vars {
            let name = context.store().var_name(var).expect("a variable has a name").to_owned();
            context.bind(&name, var);
        }
        for root in roots {
            let text = context.store().show(root);
            let read = context.parse_term_text(text.as_bytes());
            prop_assert_eq!(read, Ok(root), "{}", text);
        }
    }
}

#[test]
fn obligations_are_scripts_of_the_smallest_logic() {
    // Free variables of one name become different constants.
    let mut store = Store::new();
    let (x, y) = (store.var("x", SortId::INT), store.var("x", SortId::REAL));
    let (one, half) = (store.int(1), store.real(Rat::ratio(1, 2).expect("not zero")));
    let (a, b) = (store.lt(x, one), store.lt(y, half));
    assert_eq!(
        print_script(&store, &[a, b]),
        "(set-logic QF_LIRA)\n\n(declare-const x Int)\n(declare-const x!1 Real)\n\n\
         (assert\n  (< x 1))\n\n(assert\n  (< x!1 (/ 1.0 2.0)))\n\n(check-sat)\n"
    );
    let logic = |store: &Store, term: TermId| {
        let script = print_script(store, &[term]);
        script.lines().next().expect("a script has lines").to_owned()
    };
    assert_eq!(logic(&store, TermId::TRUE), "(set-logic QF_UF)");
    assert_eq!(logic(&store, a), "(set-logic QF_LIA)");
    let square = store.mul(&[x, x]);
    let nonlinear = store.lt(square, one);
    assert_eq!(logic(&store, nonlinear), "(set-logic QF_NIA)");
    let all = store.forall(&[x], nonlinear);
    assert_eq!(logic(&store, all), "(set-logic NIA)");
    let sort = store.array_sort(SortId::INT, SortId::INT);
    let array = store.var("a", sort);
    let read = store.select(array, x);
    let reads = store.lt(read, one);
    assert_eq!(logic(&store, reads), "(set-logic QF_ALIA)");
    let func = store.declare("f", &[SortId::INT], SortId::INT);
    let applied = store.mk(Op::Apply(func), &[x]);
    let applies = store.lt(applied, one);
    assert_eq!(logic(&store, applies), "(set-logic QF_UFLIA)");
    let word = store.bv_sort(4);
    let w = store.var("w", word);
    let words = store.mk(Op::BvUlt, &[w, w]);
    assert_eq!(words, TermId::FALSE);
    let zero = store.bv(Bv::from_u64(4, 0));
    let words = store.mk(Op::BvUlt, &[zero, w]);
    assert_eq!(logic(&store, words), "(set-logic QF_BV)");
}
