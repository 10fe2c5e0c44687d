//! Formulas as C expressions: readable, and the same value under a compiler.

use alphorn_front::c::print::{Name, Printer, Style};
use alphorn_program::c::{DataModel, IntKind};
use alphorn_term::{Bv, Int, Model, Op, SortId, Store, TermId, Value, eval};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::process::Command;

struct World {
    store: Store,
    names: BTreeMap<TermId, Name>,
}

impl World {
    fn numbers(kinds: &[(&str, IntKind)]) -> World {
        let mut store = Store::default();
        let mut names = BTreeMap::new();
        for &(name, kind) in kinds {
            let var = store.var(name, SortId::INT);
            names.insert(var, Name { text: name.to_owned(), kind });
        }
        World { store, names }
    }

    fn words(kinds: &[(&str, IntKind)]) -> World {
        let mut store = Store::default();
        let mut names = BTreeMap::new();
        for &(name, kind) in kinds {
            let sort = store.bv_sort(kind.bits(DataModel::Lp64));
            let var = store.var(name, sort);
            names.insert(var, Name { text: name.to_owned(), kind });
        }
        World { store, names }
    }

    fn print(&self, term: TermId, style: Style) -> Option<String> {
        let names = |term: TermId| self.names.get(&term).cloned();
        let printer = Printer { store: &self.store, names: &names, model: DataModel::Lp64, style };
        printer.formula(term)
    }

    fn var(&self, name: &str) -> TermId {
        let found = self.names.iter().find(|(_, other)| other.text == name);
        *found.expect("it is there").0
    }
}

#[test]
fn expressions_widen_where_they_must_and_only_there() {
    let kinds = [
        ("i", IntKind::Int),
        ("j", IntKind::Int),
        ("c", IntKind::UnsignedChar),
        ("u", IntKind::UnsignedInt),
        ("v", IntKind::UnsignedInt),
        ("l", IntKind::UnsignedLong),
        ("s", IntKind::Long),
    ];
    let mut world = World::numbers(&kinds);
    let vars: Vec<TermId> = kinds.iter().map(|(name, _)| world.var(name)).collect();
    let [i, j, c, u, v, l, s] = vars[..] else { panic!("seven variables") };
    let store = &mut world.store;
    let mut number = |value: i64| store.int(value);
    let (zero, ten, minus) = (number(0), number(10), number(-5));
    let big = number(1 << 40);
    let mut cases: Vec<(TermId, &str, &str)> = Vec::new();
    cases.push((store.le(zero, i), "i >= 0", "i >= 0"));
    let t = store.sub(i, j);
    cases.push((store.le(t, zero), "i <= j", "i <= j"));
    let sum = store.add(&[i, j]);
    cases.push((store.le(sum, ten), "(long long)i + j <= 10", "i + j <= 10"));
    let sum = store.add(&[c, ten]);
    cases.push((store.lt(sum, i), "c + 10 < i", "c + 10 < i"));
    cases.push((store.le(u, v), "u <= v", "u <= v"));
    cases.push((store.le(u, i), "(long long)u <= i", "u <= i"));
    cases.push((store.le(l, s), "(__int128)l <= s", "l <= s"));
    cases.push((store.le(minus, u), "1", "\\true"));
    cases.push((store.eq(u, ten), "u == 10", "u == 10"));
    let two = store.int(2);
    let twice = store.mul(&[two, i]);
    let t = store.le(twice, j);
    cases.push((store.not(t), "2LL * i > j", "2 * i > j"));
    cases.push((store.lt(s, big), "s < 1099511627776LL", "s < 1099511627776"));
    let remainder = store.mk(Op::Mod, &[i, two]);
    cases.push((store.eq(remainder, zero), "(i % 2 + 2) % 2 == 0", "(i % 2 + 2) % 2 == 0"));
    let remainder = store.mk(Op::Mod, &[u, two]);
    cases.push((store.eq(remainder, zero), "u % 2 == 0", "u % 2 == 0"));
    let (a, b) = (store.le(i, j), store.lt(u, v));
    let both = store.and(&[a, b]);
    let d = store.eq(c, zero);
    cases.push((
        store.or(&[both, d]),
        "(i <= j && u < v) || c == 0",
        "(i <= j && u < v) || c == 0",
    ));
    for (term, expected, acsl) in cases {
        let found = world.print(term, Style::C);
        // Which type does is a matter of ranges; that one does is what the compiler judges below.
        assert_eq!(found.as_deref(), Some(expected));
        assert_eq!(world.print(term, Style::Acsl).as_deref(), Some(acsl));
    }
}

#[test]
fn what_no_type_holds_is_not_said() {
    let mut world = World::numbers(&[("q", IntKind::UnsignedInt128), ("s", IntKind::Int128)]);
    let (q, s) = (world.var("q"), world.var("s"));
    let one = world.store.int(1);
    let sum = world.store.add(&[s, one]);
    let t = world.store.le(q, sum);
    assert_eq!(world.print(t, Style::C), None);
    let huge = world.store.int(Int::from(2).pow(70));
    let x = world.store.var("nameless", SortId::INT);
    for t in [world.store.le(s, huge), world.store.le(s, x)] {
        assert_eq!(world.print(t, Style::C), None);
    }
}

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 >> 33) % most
    }

    fn value(&mut self, kind: IntKind) -> i128 {
        let bits = kind.bits(DataModel::Lp64);
        let most: i128 = (1 << bits) - 1;
        let raw = match self.below(6) {
            0 => i128::from(self.below(5)),
            1 => most - i128::from(self.below(3)),
            2 => (most >> 1) + i128::from(self.below(3)),
            3 => i128::from(self.below(300)),
            _ => {
                (i128::from(self.below(1 << 31)) << 31 | i128::from(self.below(1 << 31)))
                    << self.below(4)
            }
        } & most;
        match kind.is_signed() && raw >> (bits - 1) == 1 {
            true => raw - most - 1,
            false => raw,
        }
    }
}

const KINDS: [(&str, IntKind); 8] = [
    ("a", IntKind::SignedChar),
    ("b", IntKind::UnsignedShort),
    ("c", IntKind::Int),
    ("d", IntKind::UnsignedInt),
    ("e", IntKind::Long),
    ("f", IntKind::UnsignedLong),
    ("g", IntKind::Int),
    ("h", IntKind::UnsignedChar),
];

fn number(world: &mut World, random: &mut Random, depth: u64) -> TermId {
    let vars: Vec<TermId> = world.names.keys().copied().collect();
    if depth == 0 || random.below(4) == 0 {
        return match random.below(3) {
            0 => {
                let kind = KINDS[random.below(8) as usize].1;
                let value = random.value(kind);
                world.store.int(Int::from(value))
            }
            _ => vars[random.below(vars.len() as u64) as usize],
        };
    }
    let left = number(world, random, depth - 1);
    let right = number(world, random, depth - 1);
    let small = i64::try_from(random.below(9)).expect("it is small") - 4;
    let store = &mut world.store;
    match random.below(8) {
        0 | 1 => store.add(&[left, right]),
        2 => store.sub(left, right),
        3 => {
            let factor = store.int(small);
            store.mul(&[factor, left])
        }
        4 => store.mul(&[left, right]),
        5 => {
            let by = store.int(small.abs() + 1);
            store.mk(Op::Mod, &[left, by])
        }
        6 => {
            let by = store.int(small.abs() + 1);
            store.mk(Op::IntDiv, &[left, by])
        }
        _ => {
            let test = store.lt(left, right);
            store.ite(test, left, right)
        }
    }
}

fn word(world: &mut World, random: &mut Random, width: u32, depth: u64) -> TermId {
    let sort = world.store.bv_sort(width);
    let all: Vec<TermId> = world.names.keys().copied().collect();
    let vars: Vec<TermId> = all.into_iter().filter(|&var| world.store.sort(var) == sort).collect();
    if depth == 0 || random.below(4) == 0 {
        return match random.below(3) {
            0 => world.store.bv(Bv::from_u64(width, random.value(IntKind::UnsignedLong) as u64)),
            _ => vars[random.below(vars.len() as u64) as usize],
        };
    }
    let left = word(world, random, width, depth - 1);
    let right = word(world, random, width, depth - 1);
    let by = Bv::from_u64(width, random.below(u64::from(width)));
    let ops = [Op::BvAdd, Op::BvSub, Op::BvMul, Op::BvAnd, Op::BvOr, Op::BvXor];
    match random.below(11) {
        at @ 0..=5 => world.store.mk(ops[at as usize], &[left, right]),
        6 => world.store.mk(Op::BvNot, &[left]),
        7 => world.store.mk(Op::BvNeg, &[left]),
        8 => {
            let by = world.store.bv(by);
            world.store.mk(Op::BvShl, &[left, by])
        }
        9 => {
            let by = world.store.bv(by);
            world.store.mk(Op::BvLshr, &[left, by])
        }
        _ if width == 32 => {
            let narrow = word(world, random, 8, depth - 1);
            let op = if random.below(2) == 0 { Op::SignExtend(24) } else { Op::ZeroExtend(24) };
            world.store.mk(op, &[narrow])
        }
        _ => left,
    }
}

fn condition(
    world: &mut World,
    random: &mut Random,
    depth: u64,
    atom: &dyn Fn(&mut World, &mut Random) -> TermId,
) -> TermId {
    if depth == 0 {
        return atom(world, random);
    }
    let left = condition(world, random, depth - 1, atom);
    let right = condition(world, random, depth - 1, atom);
    let store = &mut world.store;
    match random.below(5) {
        0 => store.and(&[left, right]),
        1 => store.or(&[left, right]),
        2 => store.not(left),
        3 => store.eq(left, right),
        _ => store.ite(left, right, left),
    }
}

/// Whether a compiler that watches for what is undefined gives the expressions the formulas' values.
fn compiled(mut world: World, formulas: Vec<TermId>, is_word: bool) {
    if Command::new("gcc").arg("--version").output().is_err() {
        return;
    }
    let mut random = Random(7);
    let mut text = String::from("#include <stdio.h>\n#define N 24\n");
    let mut values: Vec<Model> = vec![Model::new(); 24];
    let vars: Vec<(TermId, Name)> = world.names.clone().into_iter().collect();
    for (var, name) in &vars {
        let _ = write!(text, "static {} all_{}[N] = {{", name.kind.name(), name.text);
        for model in &mut values {
            let value = random.value(name.kind);
            let literal = match value == i128::from(i64::MIN) {
                true => "(-9223372036854775807LL - 1)".to_owned(),
                false if value < 0 => format!("{value}LL"),
                false => format!("{value}ULL"),
            };
            let _ = write!(text, "{literal}, ");
            let value = match is_word {
                true => {
                    let width = name.kind.bits(DataModel::Lp64);
                    Value::Bv(Bv::from_int(width, &Int::from(value)))
                }
                false => Value::Int(Int::from(value)),
            };
            model.vars.insert(*var, value);
        }
        text.push_str("};\n");
    }
    let mut expected = String::new();
    let mut said = 0;
    let mut functions = String::new();
    for (at, &formula) in formulas.iter().enumerate() {
        let Some(expression) = world.print(formula, Style::C) else { continue };
        said += 1;
        let _ = writeln!(
            text,
            "static void f{at}(void) {{ printf(\"{at}\"); for (int n = 0; n < N; n++) {{"
        );
        for (_, name) in &vars {
            let (kind, name) = (name.kind.name(), &name.text);
            let _ = writeln!(text, "{kind} {name} = all_{name}[n]; (void){name};");
        }
        let _ = writeln!(text, "printf(\" %d\", !!({expression})); }} printf(\"\\n\"); }}");
        let _ = writeln!(functions, "f{at}();");
        let _ = write!(expected, "{at}");
        for model in &values {
            let value = eval(&world.store, formula, model).expect("it has a value");
            let _ = write!(expected, " {}", u8::from(value == Value::Bool(true)));
        }
        expected.push('\n');
    }
    assert!(said * 2 > formulas.len(), "only {said} can be said");
    world.names.clear();
    let _ = writeln!(text, "int main(void) {{ {functions} return 0; }}");
    let folder =
        std::env::temp_dir().join(format!("alphorn-print-{}-{is_word}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    let (source, program) = (folder.join("t.c"), folder.join("t"));
    std::fs::write(&source, &text).expect("the folder is there");
    let built = Command::new("gcc")
        .args(["-w", "-O0", "-fsanitize=undefined", "-fno-sanitize-recover=all", "-o"])
        .args([&program, &source])
        .output()
        .expect("gcc runs");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let ran = Command::new(&program).output().expect("the program runs");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let found = String::from_utf8_lossy(&ran.stdout).into_owned();
    for (found, expected) in found.lines().zip(expected.lines()) {
        let at: usize =
            expected.split(' ').next().and_then(|at| at.parse().ok()).expect("a number");
        assert_eq!(found, expected, "formula {at}: see {}", source.display());
    }
    assert_eq!(found.lines().count(), expected.lines().count());
    std::fs::remove_dir_all(&folder).expect("it was made here");
}

#[test]
fn a_compiler_gives_expressions_about_numbers_the_same_values() {
    let mut world = World::numbers(&KINDS);
    let mut random = Random(1);
    let atom = |world: &mut World, random: &mut Random| {
        let left = number(world, random, 2);
        let right = number(world, random, 2);
        match random.below(3) {
            0 => world.store.le(left, right),
            1 => world.store.lt(left, right),
            _ => world.store.eq(left, right),
        }
    };
    let formulas = (0..200).map(|at| condition(&mut world, &mut random, at % 2, &atom)).collect();
    compiled(world, formulas, false);
}

#[test]
fn a_compiler_gives_expressions_about_words_the_same_values() {
    let mut world = World::words(&KINDS);
    let mut random = Random(2);
    let atom = |world: &mut World, random: &mut Random| {
        let width = [8, 16, 32, 64][random.below(4) as usize];
        let left = word(world, random, width, 2);
        let right = word(world, random, width, 2);
        let ops = [Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle, Op::Eq];
        world.store.mk(ops[random.below(5) as usize], &[left, right])
    };
    let formulas = (0..200).map(|at| condition(&mut world, &mut random, at % 2, &atom)).collect();
    compiled(world, formulas, true);
}
