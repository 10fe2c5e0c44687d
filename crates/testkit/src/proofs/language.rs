//! A small language in which the tests write terms, clauses and rules, over a fixed vocabulary.
//!
//! Terms are S-expressions in SMT-LIB's words. Variables x y z i j k are integers, u v w reals,
//! p q r truth values, A B C words of three bits, D one of one, a b c arrays from Int to Int, l m lists, s a colour, S T
//! streams and O Q values of codatatypes, of which the latter has one alone, e o elements of an uninterpreted sort. f is a function on integers, g one of two, P a property of integers.

use alphorn_problem::evidence::proof::{LinearStep, Literal, Proof, ProofStep, Rule, StepId};
use alphorn_term::{Bv, CtorId, FuncId, Op, Rat, Sort, SortId, Store, TermId};
use std::collections::BTreeMap;

/// The vocabulary, and the store its terms are made in.
#[derive(Clone)]
pub struct World {
    /// Where terms are made.
    pub store: Store,
    /// The functions by their names.
    pub funcs: BTreeMap<&'static str, FuncId>,
    names: BTreeMap<&'static str, SortId>,
    ctors: BTreeMap<&'static str, CtorId>,
}

#[derive(Clone, Debug)]
enum Sexp {
    Word(String),
    List(Vec<Sexp>),
}

fn read_all(text: &str) -> Vec<Sexp> {
    let text = text.replace('(', " ( ").replace(')', " ) ");
    let mut stack: Vec<Vec<Sexp>> = vec![Vec::new()];
    for word in text.split_whitespace() {
        match word {
            "(" => stack.push(Vec::new()),
            ")" => {
                let list = stack.pop().expect("a list is open");
                stack.last_mut().expect("parentheses balance").push(Sexp::List(list));
            }
            _ => stack.last_mut().expect("parentheses balance").push(Sexp::Word(word.to_owned())),
        }
    }
    assert_eq!(stack.len(), 1, "parentheses balance in {text}");
    stack.remove(0)
}

impl Default for World {
    fn default() -> World {
        World::new()
    }
}

impl World {
    /// The vocabulary in a store of its own.
    pub fn new() -> World {
        let mut store = Store::new();
        let int = SortId::INT;
        let array = store.array_sort(int, int);
        let list = store.declare_data("list", &[]);
        let list_sort = store.data(list).sort;
        let fields = vec![("head".to_owned(), int), ("tail".to_owned(), list_sort)];
        store.define_data(list, &[("nil", vec![]), ("cons", fields)]);
        let colour = store.declare_data("colour", &[]);
        store.define_data(colour, &[("red", vec![]), ("green", vec![]), ("blue", vec![])]);
        let pair = store.declare_data("pair", &[]);
        let fields = vec![("first".to_owned(), int), ("second".to_owned(), int)];
        store.define_data(pair, &[("pair", fields)]);
        let stream = store.declare_data_or_codata("stream", &[], true);
        let stream_sort = store.data(stream).sort;
        let fields = vec![("now".to_owned(), int), ("then".to_owned(), stream_sort)];
        store.define_data(stream, &[("flow", fields), ("dry", vec![])]);
        let only = store.declare_data_or_codata("only", &[], true);
        let only_sort = store.data(only).sort;
        store.define_data(only, &[("again", vec![("once".to_owned(), only_sort)])]);
        let colour_sort = store.data(colour).sort;
        let pair_sort = store.data(pair).sort;
        let thing = store.symbol("Thing");
        let thing = store.sort_id(Sort::Uninterpreted(thing, vec![]));
        let f = store.declare("f", &[int], int);
        let g = store.declare("g", &[int, int], int);
        let property = store.declare("P", &[int], SortId::BOOL);
        let names = [
            ("x y z i j k n", int),
            ("u v w", SortId::REAL),
            ("p q r", SortId::BOOL),
            ("a b c", array),
            ("l m", list_sort),
            ("s t", colour_sort),
            ("d", pair_sort),
            ("S T", stream_sort),
            ("O Q", only_sort),
            ("e o", thing),
            ("A B C", store.bv_sort(3)),
            ("D", store.bv_sort(1)),
        ];
        let names = names.iter().flat_map(|(names, sort)| {
            names.split_whitespace().map(|name| (name, *sort)).collect::<Vec<_>>()
        });
        let mut ctors = BTreeMap::new();
        let all = [
            (list, "nil cons"),
            (colour, "red green blue"),
            (pair, "pair"),
            (stream, "flow dry"),
            (only, "again"),
        ];
        for (data, names) in all {
            ctors.extend(names.split_whitespace().zip(store.data(data).ctors.iter().copied()));
        }
        let funcs = BTreeMap::from([("f", f), ("g", g), ("P", property)]);
        let names = names.collect();
        let mut world = World { store, funcs, names, ctors };
        // Every name exists in every world, in the same order.
        for name in world.names.keys().copied().collect::<Vec<_>>() {
            world.term(name);
        }
        world
    }

    /// All variables of the vocabulary.
    pub fn vars(&mut self) -> Vec<TermId> {
        let names: Vec<&str> = self.names.keys().copied().collect();
        names.into_iter().map(|name| self.term(name)).collect()
    }

    /// The term that a text says.
    pub fn term(&mut self, text: &str) -> TermId {
        let all = read_all(text);
        assert_eq!(all.len(), 1, "one term in {text}");
        self.build(&all[0])
    }

    /// The terms that a text says.
    pub fn terms(&mut self, text: &str) -> Vec<TermId> {
        read_all(text).iter().map(|sexp| self.build(sexp)).collect()
    }

    /// The clause whose literals a text lists.
    pub fn clause(&mut self, text: &str) -> Vec<Literal> {
        let terms = self.terms(text);
        terms.into_iter().map(|term| Literal::of(&self.store, term)).collect()
    }

    fn build(&mut self, sexp: &Sexp) -> TermId {
        match sexp {
            Sexp::Word(word) => self.word(word),
            Sexp::List(list) => match list.as_slice() {
                [Sexp::Word(op), Sexp::List(vars), body] if op == "forall" || op == "exists" => {
                    let mut args: Vec<TermId> = vars.iter().map(|var| self.build(var)).collect();
                    args.push(self.build(body));
                    self.store.mk(if op == "forall" { Op::Forall } else { Op::Exists }, &args)
                }
                [Sexp::Word(op), args @ ..] => {
                    let args: Vec<TermId> = args.iter().map(|arg| self.build(arg)).collect();
                    self.apply(op, &args)
                }
                _ => panic!("{sexp:?} is no term"),
            },
        }
    }

    fn word(&mut self, word: &str) -> TermId {
        if let Some(&sort) = self.names.get(word) {
            return self.store.var(word, sort);
        }
        if let Some(&ctor) = self.ctors.get(word) {
            return self.store.mk(Op::Construct(ctor), &[]);
        }
        if let Some(&func) = self.funcs.get(word) {
            return self.store.mk(Op::Apply(func), &[]);
        }
        match word {
            "true" => TermId::TRUE,
            "false" => TermId::FALSE,
            _ if word.starts_with("#b") => {
                let value = Bv::parse_binary(&word.as_bytes()[2..]).expect("binary digits");
                self.store.bv(value)
            }
            _ if word.contains('.') => self.store.real(
                Rat::parse_decimal(word.trim_start_matches('-').as_bytes())
                    .map(|value| if word.starts_with('-') { -value } else { value })
                    .expect("a decimal"),
            ),
            _ => {
                let value: i64 = word.parse().unwrap_or_else(|_| panic!("{word} is no term"));
                self.store.int(value)
            }
        }
    }

    fn apply(&mut self, op: &str, args: &[TermId]) -> TermId {
        if let Some(&func) = self.funcs.get(op) {
            return self.store.mk(Op::Apply(func), args);
        }
        if let Some(&ctor) = self.ctors.get(op) {
            return self.store.mk(Op::Construct(ctor), args);
        }
        if let Some(ctor) = op.strip_prefix("is-") {
            return self.store.mk(Op::Is(self.ctors[ctor]), args);
        }
        let op = match op {
            "=" => Op::Eq,
            "not" => Op::Not,
            "and" => Op::And,
            "or" => Op::Or,
            "distinct" => Op::Distinct,
            "ite" => Op::Ite,
            "+" => Op::Add,
            "*" => Op::Mul,
            "<=" => Op::Le,
            "<" => Op::Lt,
            ">=" => return self.store.ge(args[0], args[1]),
            ">" => return self.store.gt(args[0], args[1]),
            "-" if args.len() == 1 => return self.store.neg(args[0]),
            "-" => return self.store.sub(args[0], args[1]),
            "=>" => return self.store.implies(args[0], args[1]),
            "div" => Op::IntDiv,
            "mod" => Op::Mod,
            "/" => Op::RealDiv,
            "abs" => Op::Abs,
            "to_real" => Op::ToReal,
            "to_int" => Op::ToInt,
            "is_int" => Op::IsInt,
            "ubv_to_int" => Op::UbvToInt,
            "sbv_to_int" => Op::SbvToInt,
            "int_to_bv1" => Op::IntToBv(1),
            "bvnot" => Op::BvNot,
            "bvneg" => Op::BvNeg,
            "bvand" => Op::BvAnd,
            "bvxor" => Op::BvXor,
            "bvadd" => Op::BvAdd,
            "bvmul" => Op::BvMul,
            "bvsub" => Op::BvSub,
            "bvshl" => Op::BvShl,
            "bvudiv" => Op::BvUdiv,
            "bvurem" => Op::BvUrem,
            "bvsdiv" => Op::BvSdiv,
            "bvult" => Op::BvUlt,
            "bvule" => Op::BvUle,
            "bvslt" => Op::BvSlt,
            "bvuaddo" => Op::BvUaddo,
            "concat" => Op::Concat,
            "bit0" => Op::Extract(0, 0),
            "bit1" => Op::Extract(1, 1),
            "bit2" => Op::Extract(2, 2),
            "select" => Op::Select,
            "store" => Op::Store,
            "const" => {
                let sort = self.names["a"];
                return self.store.const_array(sort, args[0]);
            }
            "head" => Op::Field(self.ctors["cons"], 0),
            "tail" => Op::Field(self.ctors["cons"], 1),
            "now" => Op::Field(self.ctors["flow"], 0),
            "then" => Op::Field(self.ctors["flow"], 1),
            "once" => Op::Field(self.ctors["again"], 0),
            "first" => Op::Field(self.ctors["pair"], 0),
            "second" => Op::Field(self.ctors["pair"], 1),
            _ => panic!("{op} is no operator"),
        };
        self.store.mk(op, args)
    }

    /// A rule: its name, then what it carries.
    pub fn rule(&mut self, text: &str) -> Rule {
        let (name, rest) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
        let numbers = || rest.split_whitespace().map(rational);
        match name {
            "assert" => Rule::Assert(rest.trim().parse().expect("a number")),
            "rup" => Rule::Rup(
                rest.split_whitespace().map(|n| StepId(n.parse().expect("a number"))).collect(),
            ),
            "tautology" => Rule::Tautology,
            "farkas" => Rule::Farkas(numbers().collect()),
            "linear" => Rule::Linear(rest.split(';').map(line).collect()),
            "branch" => Rule::Branch,
            "trichotomy" => Rule::Trichotomy,
            "arithmetic" => Rule::Arithmetic(self.term(rest)),
            "product" => match self.terms(rest)[..] {
                [left, right] => Rule::Product([left, right]),
                _ => panic!("a product has two factors"),
            },
            "transitivity" => Rule::Transitivity,
            "congruence" => Rule::Congruence,
            "array" => Rule::Array(self.term(rest)),
            "conditional" => Rule::Conditional(self.term(rest)),
            "datatype" => Rule::Datatype,
            "bisimulation" => Rule::Bisimulation(self.terms(rest)),
            "instantiate" => Rule::Instantiate(self.terms(rest)),
            "skolem" => Rule::Skolem(self.terms(rest)),
            "bits" => Rule::Bits,
            "ring" => Rule::Ring,
            "evaluate" => Rule::Evaluate,
            _ => panic!("{name} is no rule"),
        }
    }

    /// A proof, one step per line: the rule, a bar, the clause.
    pub fn proof(&mut self, text: &str) -> Proof {
        let mut steps = Vec::new();
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let (rule, clause) = line.split_once('|').expect("a bar between rule and clause");
            steps.push(ProofStep { clause: self.clause(clause), rule: self.rule(rule) });
        }
        Proof { steps }
    }
}

fn rational(text: &str) -> Rat {
    let (num, den) = text.split_once('/').unwrap_or((text, "1"));
    Rat::ratio(num.parse().expect("a number"), den.parse().expect("a number")).expect("not over 0")
}

/// `hypothesis 0`, `round 2`, or `sum 1 0 1/2 3` with pairs of multiplier and line.
fn line(text: &str) -> LinearStep {
    let words: Vec<&str> = text.split_whitespace().collect();
    match words.as_slice() {
        ["hypothesis", index] => LinearStep::Hypothesis(index.parse().expect("a number")),
        ["round", index] => LinearStep::Round(index.parse().expect("a number")),
        ["sum", pairs @ ..] => LinearStep::Combine(
            pairs
                .chunks(2)
                .map(|pair| (rational(pair[0]), pair[1].parse().expect("a number")))
                .collect(),
        ),
        _ => panic!("{text} is no line"),
    }
}
