//! The programs, from random numbers.

use super::{Expr, Function, Item, Part, Program, Stmt};
use crate::Rng;
use std::fmt::Write;

/// The integer types.
const TYPES: [&str; 11] = [
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned int",
    "long",
    "unsigned long",
    "_Bool",
    "char",
    "int",
];

/// Numbers that programs like.
const NUMBERS: [&str; 22] = [
    "0",
    "1",
    "2",
    "3",
    "5",
    "7",
    "8",
    "10",
    "31",
    "63",
    "100",
    "127",
    "128",
    "255",
    "256",
    "32767",
    "65535",
    "65536",
    "2147483647",
    "4294967295u",
    "0x7fffffffffffffffl",
    "0xffffffffffffffffu",
];

/// What a function can name.
struct Maker<'r> {
    rng: &'r mut Rng,
    prefix: String,
    globals: Vec<&'static str>,
    arrays: Vec<u64>,
    fields: usize,
    /// Functions that are there, with how many arguments they take.
    callable: Vec<(String, usize)>,
    params: usize,
    locals: Vec<&'static str>,
    /// Variables of loops that are open, which must not be assigned.
    loops: Vec<String>,
    names: usize,
    depth: usize,
    /// Whether the program asks for values and asserts: then it is small, defined, and every object has one
    /// type.
    is_asserting: bool,
}

/// The program of a seed; its names begin with the prefix.
pub fn random(rng: &mut Rng, prefix: &str) -> Program {
    let mut maker = Maker::new(rng, prefix, false);
    let globals = maker.declarations();
    let count = maker.rng.below(4usize);
    let mut functions: Vec<Function> = (0..count).map(|index| maker.function(index)).collect();
    functions.push(maker.entry());
    Program { globals, functions, entry: format!("{prefix}main") }
}

/// A program with assertions: it asks `__VERIFIER_nondet_uchar` for two values at most, of which it keeps three bits,
/// and calls `reach_error` if something does not hold. All its runs can be tried, and all are defined.
pub fn asserting(rng: &mut Rng, prefix: &str) -> Program {
    let mut maker = Maker::new(rng, prefix, true);
    let mut globals = String::from(
        "extern unsigned char __VERIFIER_nondet_uchar(void);\nextern void reach_error(void);\n",
    );
    globals.push_str(&maker.declarations());
    let count = maker.rng.below(2usize);
    let mut functions: Vec<Function> = (0..count).map(|index| maker.function(index)).collect();
    functions.push(maker.asserting_entry());
    Program { globals, functions, entry: format!("{prefix}main") }
}

impl<'r> Maker<'r> {
    fn new(rng: &'r mut Rng, prefix: &str, is_asserting: bool) -> Maker<'r> {
        Maker {
            rng,
            prefix: prefix.to_owned(),
            globals: Vec::new(),
            arrays: Vec::new(),
            fields: 0,
            callable: Vec::new(),
            params: 0,
            locals: Vec::new(),
            loops: Vec::new(),
            names: 0,
            depth: 0,
            is_asserting,
        }
    }
}

fn text(text: impl Into<String>) -> Item {
    Item::Text(text.into())
}

fn leaf(text: impl Into<String>) -> Expr {
    Expr::Leaf(text.into())
}

/// Pieces of text with operands between them.
fn node(pieces: &[&str], operands: Vec<Expr>) -> Expr {
    let mut parts = vec![Part::Text(pieces[0].to_owned())];
    for (operand, piece) in operands.into_iter().zip(&pieces[1..]) {
        parts.push(Part::Expr(operand));
        parts.push(Part::Text((*piece).to_owned()));
    }
    Expr::Node(parts)
}

impl Maker<'_> {
    fn name(&mut self, what: &str) -> String {
        self.names += 1;
        format!("{what}{}", self.names)
    }

    /// Globals, arrays, a structure, and the functions that make the checksum.
    fn declarations(&mut self) -> String {
        let p = self.prefix.clone();
        let mut out = String::new();
        let count = 2 + self.rng.below(4usize);
        for index in 0..count {
            let ty = self.rng.pick(&TYPES);
            let value = self.rng.pick(&NUMBERS);
            let _ = writeln!(out, "{ty} {p}g{index} = {value};");
            self.globals.push(ty);
        }
        for index in 0..1 + self.rng.below(3usize) {
            let ty = self.rng.pick(&TYPES);
            let length = 1 + self.rng.below(7u64);
            let _ = writeln!(out, "{ty} {p}a{index}[{length}] = {{ 1, 2 }};");
            self.arrays.push(length);
        }
        let _ = writeln!(out, "struct {p}s {{");
        self.fields = 2 + self.rng.below(5usize);
        for index in 0..self.fields {
            let field = match self.rng.below(4u32) {
                0 => {
                    let (ty, most) = self.rng.pick(&[
                        ("int", 32),
                        ("unsigned int", 32),
                        ("unsigned char", 8),
                        ("long", 64),
                        ("unsigned long", 64),
                        ("short", 16),
                    ]);
                    format!("{ty} f{index} : {};", 1 + self.rng.below(most as u64))
                }
                _ => format!("{} f{index};", self.rng.pick(&TYPES)),
            };
            let _ = writeln!(out, "  {field}");
        }
        let _ = writeln!(out, "}} {p}s0 = {{ 1, 1 }}, {p}s1;");
        if self.is_asserting {
            return out;
        }
        let _ = writeln!(
            out,
            "union {p}u {{ unsigned long w; unsigned int h[2]; short t[4]; }} {p}u0;"
        );
        let _ = writeln!(out, "unsigned long {p}sum; int {p}fuel = 300;");
        let _ = writeln!(
            out,
            "static void {p}observe(unsigned long x) {{ {p}sum = {p}sum * 31 + x; }}"
        );
        out
    }

    /// The beginning of a body: declarations.
    fn locals(&mut self, head: &mut String) {
        let p = self.prefix.clone();
        self.locals.clear();
        self.loops.clear();
        self.depth = 0;
        for index in 0..2 + self.rng.below(4usize) {
            let ty = self.rng.pick(&TYPES);
            let value = self.rng.pick(&NUMBERS);
            let _ = writeln!(head, "  {ty} l{index} = {value};");
            self.locals.push(ty);
        }
        if self.is_asserting {
            return;
        }
        let first = self.locals[0];
        let _ = writeln!(head, "  {first} *q0 = &l0; {first} **q1 = &q0;");
        let global = self.globals[0];
        let _ = writeln!(head, "  {global} *q2 = &{p}g0;");
        let _ = writeln!(head, "  struct {p}s s = {p}s0, *r = &s;");
        let _ = writeln!(head, "  int b[4] = {{ 3, [2] = -1 }}; int *e = b + 1;");
    }

    fn function(&mut self, index: usize) -> Function {
        let p = self.prefix.clone();
        self.params = self.rng.below(4usize);
        let ty = self.rng.pick(&TYPES);
        let params: Vec<String> =
            (0..self.params).map(|index| format!("{} x{index}", self.rng.pick(&TYPES))).collect();
        let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
        let name = format!("{p}f{index}");
        let mut head = format!("{ty} {name}({params}) {{\n");
        if !self.is_asserting {
            let _ = writeln!(head, "  if ({p}fuel <= 0) return 0;\n  {p}fuel--;");
        }
        self.locals(&mut head);
        let count = 1 + self.rng.below(6usize);
        let body = self.body(count);
        let result = self.expr(2);
        let mut tail = String::from("  return ");
        result.print(&mut tail);
        tail.push_str(";\n}\n");
        self.callable.push((name, self.params));
        Function { head, body, tail }
    }

    fn entry(&mut self) -> Function {
        let p = self.prefix.clone();
        self.params = 0;
        let mut head = format!("unsigned long {p}main(void) {{\n");
        self.locals(&mut head);
        let count = 3 + self.rng.below(10usize);
        let body = self.body(count);
        let mut tail = String::new();
        for index in 0..self.globals.len() {
            let _ = writeln!(tail, "  {p}observe({p}g{index});");
        }
        for (index, length) in self.arrays.iter().enumerate() {
            let _ =
                writeln!(tail, "  for (int i = 0; i < {length}; i++) {p}observe({p}a{index}[i]);");
        }
        for index in 0..self.locals.len() {
            let _ = writeln!(tail, "  {p}observe(l{index});");
        }
        for index in 0..self.fields {
            let _ = writeln!(tail, "  {p}observe({p}s0.f{index} + {p}s1.f{index} + s.f{index});");
        }
        let _ = writeln!(tail, "  for (int i = 0; i < 4; i++) {p}observe(b[i]);");
        let _ = writeln!(tail, "  {p}observe({p}u0.w); {p}observe(e - b);");
        let _ = writeln!(tail, "  return {p}sum;\n}}");
        Function { head, body, tail }
    }

    /// The function that asks and asserts.
    fn asserting_entry(&mut self) -> Function {
        let p = self.prefix.clone();
        self.params = 0;
        let mut head = format!("int {p}main(void) {{\n");
        self.locals(&mut head);
        for index in 0..1 + self.rng.below(2usize) {
            let _ = writeln!(head, "  l{index} = __VERIFIER_nondet_uchar() & 7;");
        }
        let count = 1 + self.rng.below(4usize);
        let mut body = self.body(count);
        body.push(self.assertion());
        Function { head, body, tail: "  return 0;\n}\n".to_owned() }
    }

    /// A statement that reports an error if something does not hold: mostly what seldom fails.
    fn assertion(&mut self) -> Stmt {
        let claim = match self.rng.below(4u32) {
            0 => self.expr(2),
            1 => {
                let pair = vec![self.place(), self.expr(1)];
                node(&["", " != ", ""], pair)
            }
            2 => {
                let op = self.rng.pick(&["<=", ">=", "!="]);
                let number = self.rng.pick(&NUMBERS);
                node(&["", &format!(" {op} {number}")], vec![self.place()])
            }
            _ => {
                let all = vec![self.expr(1), self.place(), self.expr(1)];
                node(&["!(", ") || ", " >= ", ""], all)
            }
        };
        Stmt(vec![text("if (!("), Item::Expr(claim), text(")) reach_error();")])
    }

    fn body(&mut self, count: usize) -> Vec<Stmt> {
        (0..count).map(|_| self.stmt()).collect()
    }

    /// Something that can be assigned.
    fn place(&mut self) -> Expr {
        let p = self.prefix.clone();
        let kinds = if self.is_asserting { 8u32 } else { 14 };
        match self.rng.below(kinds) {
            0..=3 => leaf(format!("l{}", self.rng.below(self.locals.len()))),
            4 | 5 => leaf(format!("{p}g{}", self.rng.below(self.globals.len()))),
            6 if self.params > 0 => leaf(format!("x{}", self.rng.below(self.params))),
            6 | 7 => {
                let array = self.rng.below(self.arrays.len());
                let length = self.arrays[array];
                let index = self.expr(1);
                let start = format!("{p}a{array}[(unsigned int)(");
                node(&[&start, &format!(") % {length}]")], vec![index])
            }
            8 => {
                let index = self.expr(1);
                node(&["b[(", ") & 3]"], vec![index])
            }
            9 => leaf(format!("{p}s{}.f{}", self.rng.below(2u32), self.rng.below(self.fields))),
            10 => leaf(format!("r->f{}", self.rng.below(self.fields))),
            11 => leaf(self.rng.pick(&["*q0", "**q1", "*q2", "*e", "e[-1]"])),
            12 => match self.rng.below(3u32) {
                0 => leaf(format!("{p}u0.w")),
                1 => leaf(format!("{p}u0.h[{}]", self.rng.below(2u32))),
                _ => leaf(format!("{p}u0.t[{}]", self.rng.below(4u32))),
            },
            _ => {
                // A byte of something.
                let at = self.rng.below(4u32);
                leaf(format!("((unsigned char *)&{p}u0)[{at}]"))
            }
        }
    }

    /// A value without effects.
    fn expr(&mut self, depth: usize) -> Expr {
        if depth == 0 || self.rng.one_in(5u32) {
            return match self.rng.below(5u32) {
                0 | 1 => leaf(self.rng.pick(&NUMBERS)),
                2 if !self.loops.is_empty() => {
                    let index = self.rng.below(self.loops.len());
                    leaf(self.loops[index].clone())
                }
                2 => leaf(format!("l{}", self.rng.below(self.locals.len()))),
                _ => {
                    if depth == 0 {
                        leaf(format!("l{}", self.rng.below(self.locals.len())))
                    } else {
                        self.place()
                    }
                }
            };
        }
        let down = depth - 1;
        match self.rng.below(22u32) {
            0..=6 => {
                let op = self.rng.pick(&["+", "-", "*", "&", "|", "^", "+", "-"]);
                let pair = vec![self.expr(down), self.expr(down)];
                node(&["(", &format!(" {op} "), ")"], pair)
            }
            7..=9 => {
                let op = self.rng.pick(&["<", "<=", ">", ">=", "==", "!="]);
                let pair = vec![self.expr(down), self.expr(down)];
                node(&["(", &format!(" {op} "), ")"], pair)
            }
            10 => {
                let op = self.rng.pick(&["&&", "||"]);
                let pair = vec![self.expr(down), self.expr(down)];
                node(&["(", &format!(" {op} "), ")"], pair)
            }
            11 | 12 => {
                let op = self.rng.pick(&["<<", ">>"]);
                let pair = vec![self.expr(down), self.expr(down)];
                if !self.is_asserting && self.rng.one_in(40u32) {
                    node(&["(", &format!(" {op} "), ")"], pair)
                } else {
                    node(&["(", &format!(" {op} ("), " & 15))"], pair)
                }
            }
            13 | 14 => {
                let op = self.rng.pick(&["/", "%"]);
                let pair = vec![self.expr(down), self.expr(down)];
                if !self.is_asserting && self.rng.one_in(40u32) {
                    // Compilers make 0 of a constant 0 divided by anything, and no sanitizer sees it.
                    let op = format!(" + {}fuel) {op} ", self.prefix);
                    node(&["((", &op, ")"], pair)
                } else {
                    node(&["(", &format!(" {op} (("), " & 1023) + 1))"], pair)
                }
            }
            15 | 16 => {
                let ty = self.rng.pick(&TYPES);
                node(&[&format!("(({ty})("), "))"], vec![self.expr(down)])
            }
            17 => {
                let op = self.rng.pick(&["-", "~", "!", "+"]);
                node(&[&format!("({op}("), "))"], vec![self.expr(down)])
            }
            18 => {
                let all = vec![self.expr(down), self.expr(down), self.expr(down)];
                node(&["(", " ? ", " : ", ")"], all)
            }
            19 => leaf(format!("sizeof({})", self.rng.pick(&TYPES))),
            20 => {
                let ty = self.rng.pick(&TYPES);
                node(&[&format!("({{ {ty} t = "), "; t + 1; })"], vec![self.expr(down)])
            }
            _ => {
                let pair = vec![self.expr(down), self.expr(down)];
                node(&["((int[2]){ ", ", 4 }[1 & (", ")])"], pair)
            }
        }
    }

    fn call(&mut self) -> Option<Expr> {
        if self.callable.is_empty() {
            return None;
        }
        let index = self.rng.below(self.callable.len());
        let (name, count) = self.callable[index].clone();
        let args: Vec<Expr> = (0..count).map(|_| self.expr(1)).collect();
        let mut pieces = vec![format!("{name}(")];
        for index in 0..count {
            pieces.push(if index + 1 == count { ")".to_owned() } else { ", ".to_owned() });
        }
        if count == 0 {
            return Some(leaf(format!("{name}()")));
        }
        let pieces: Vec<&str> = pieces.iter().map(String::as_str).collect();
        Some(node(&pieces, args))
    }

    fn stmt(&mut self) -> Stmt {
        let choice = if self.depth >= 3 { self.rng.below(12u32) } else { self.rng.below(22u32) };
        let p = self.prefix.clone();
        if self.is_asserting && matches!(choice, 9 | 10) {
            return self.assertion();
        }
        Stmt(match choice {
            0..=3 => {
                vec![Item::Place(self.place()), text(" = "), Item::Expr(self.expr(3)), text(";")]
            }
            4 | 5 => {
                let op = self.rng.pick(&["+", "-", "*", "&", "|", "^"]);
                let place = self.place();
                vec![
                    Item::Place(place),
                    text(format!(" {op}= ")),
                    Item::Expr(self.expr(2)),
                    text(";"),
                ]
            }
            6 => {
                let op = self.rng.pick(&["<<", ">>"]);
                let place = self.place();
                let amount = node(&["(", ") & 7"], vec![self.expr(1)]);
                vec![Item::Place(place), text(format!(" {op}= ")), Item::Expr(amount), text(";")]
            }
            7 => {
                let step = self.rng.pick(&["++", "--"]);
                let place = self.place();
                if self.is_asserting || self.rng.one_in(2u32) {
                    vec![text(format!("{step}(")), Item::Place(place), text(");")]
                } else {
                    vec![
                        text(format!("{p}observe((")),
                        Item::Place(place),
                        text(format!("){step});")),
                    ]
                }
            }
            8 => match self.call() {
                Some(call) => {
                    let local = self.rng.below(self.locals.len());
                    let op = self.rng.pick(&["=", "+=", "^="]);
                    vec![text(format!("l{local} {op} ")), Item::Expr(call), text(";")]
                }
                None => vec![text(";")],
            },
            9 => vec![text(format!("{p}observe(")), Item::Expr(self.expr(3)), text(");")],
            10 => {
                let line = self.rng.pick(&[
                    "s = P0;",
                    "P1 = s;",
                    "P0 = P1;",
                    "*r = P1;",
                    "r = r == &s ? &P1 : &s;",
                    "q0 = *q1;",
                    "e = e == b + 1 ? &b[2] : b + 1;",
                    "q2 = &*q2;",
                ]);
                let line = line.replace("P0", &format!("{p}s0")).replace("P1", &format!("{p}s1"));
                vec![text(line)]
            }
            11 => {
                let (first, second) = (self.expr(2), self.place());
                vec![
                    text("if ("),
                    Item::Expr(first),
                    text(" && ("),
                    Item::Place(second),
                    text(" |= 1)) l0 ^= 5;"),
                ]
            }
            _ => return self.compound(choice),
        })
    }

    /// A statement with statements in it. Long: one match, with an arm for each kind of them.
    fn compound(&mut self, choice: u32) -> Stmt {
        self.depth += 1;
        let count = 1 + self.rng.below(3usize);
        let stmt = match choice {
            12 | 13 => {
                let condition = self.expr(2);
                let mut items = vec![
                    text("if ("),
                    Item::Expr(condition),
                    text(") "),
                    Item::Body(self.body(count)),
                ];
                if self.rng.one_in(2u32) {
                    items.push(text(" else "));
                    items.push(Item::Body(self.body(count)));
                }
                items
            }
            14 | 15 => {
                let name = self.name("i");
                let most = 1 + self.rng.below(6u32);
                self.loops.push(name.clone());
                let mut body = self.body(count);
                if self.rng.one_in(3u32) {
                    let jump = self.rng.pick(&["break", "continue"]);
                    let condition = self.expr(1);
                    let stmt =
                        vec![text("if ("), Item::Expr(condition), text(format!(") {jump};"))];
                    body.insert(0, Stmt(stmt));
                }
                self.loops.pop();
                let head = format!("for (int {name} = 0; {name} < {most}; {name}++) ");
                vec![text(head), Item::Body(body)]
            }
            16 => {
                let name = self.name("n");
                let condition = self.expr(2);
                let body = self.body(count);
                let most = 1 + self.rng.below(5u32);
                if self.rng.one_in(2u32) {
                    vec![
                        text(format!("for (int {name} = {most}; {name}-- > 0 && (")),
                        Item::Expr(condition),
                        text("); ) "),
                        Item::Body(body),
                    ]
                } else {
                    vec![
                        text(format!("{{ int {name} = {most}; do ")),
                        Item::Body(body),
                        text(format!(" while (--{name} > 0 && (")),
                        Item::Expr(condition),
                        text(")); }"),
                    ]
                }
            }
            17 => {
                // Forwards, past statements.
                let label = self.name("L");
                let condition = self.expr(2);
                vec![
                    text("if ("),
                    Item::Expr(condition),
                    text(format!(") goto {label}; ")),
                    Item::Body(self.body(count)),
                    text(format!(" {label}: ;")),
                ]
            }
            18 => {
                // Backwards.
                let (label, name) = (self.name("L"), self.name("n"));
                let body = self.body(count);
                let condition = self.expr(2);
                vec![
                    text(format!("{{ int {name} = 3; {label}: ")),
                    Item::Body(body),
                    text(format!(" if ({name}-- > 0 && (")),
                    Item::Expr(condition),
                    text(format!(")) goto {label}; }}")),
                ]
            }
            19 => {
                // Into a loop.
                let (label, name) = (self.name("L"), self.name("i"));
                let condition = self.expr(2);
                let (before, after) = (self.body(1), self.body(count));
                vec![
                    text(format!("{{ int {name} = 0; if (")),
                    Item::Expr(condition),
                    text(format!(") goto {label}; for (; {name} < 3; {name}++) {{ ")),
                    Item::Body(before),
                    text(format!(" {label}: ")),
                    Item::Body(after),
                    text(" } }"),
                ]
            }
            20 => {
                let value = self.expr(2);
                let mut items = vec![text("switch ("), Item::Expr(value), text(") {")];
                for case in 0..1 + self.rng.below(4u32) {
                    let label = match self.rng.below(4u32) {
                        0 if case == 0 => "default:".to_owned(),
                        1 => format!("case {} ... {}:", case * 10 + 100, case * 10 + 105),
                        _ => format!("case {case}:"),
                    };
                    items.push(text(format!(" {label} ")));
                    items.push(Item::Body(self.body(1)));
                    if !self.rng.one_in(3u32) {
                        items.push(text(" break;"));
                    }
                }
                items.push(text(" ; }"));
                items
            }
            _ => {
                // Duff's device.
                let name = self.name("n");
                let value = self.expr(2);
                vec![
                    text(format!("{{ int {name} = 1 + (unsigned int)(")),
                    Item::Expr(value),
                    text(format!(") % 3; switch ({name} % 3) {{ case 0: do {{ ")),
                    Item::Body(self.body(1)),
                    text(" case 2: "),
                    Item::Body(self.body(1)),
                    text(" case 1: "),
                    Item::Body(self.body(1)),
                    text(format!(" }} while (--{name} > 0); }} }}")),
                ]
            }
        };
        self.depth -= 1;
        Stmt(stmt)
    }
}
