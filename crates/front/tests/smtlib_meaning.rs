//! Clauses mean what the assertion means: random formulas over finite sorts, with all connectives
//! and quantifiers anywhere, against the clauses they come to, under random interpretations.
//!
//! Names are few and repeat at different sorts, so that binders shadow, capture and clash.

use alphorn_front::smtlib::{Context, read};
use alphorn_problem::Horn;
use alphorn_problem::horn::ClauseId;
use alphorn_term::eval::Table;
use alphorn_term::value::elements;
use alphorn_term::{EvalError, Model, TermId, Value, eval};
use alphorn_testkit::Rng;
use alphorn_testkit::same::check_round_trip;

const DECLARATIONS: &str = "(declare-fun P (Bool) Bool)
(declare-fun Q ((_ BitVec 2)) Bool)
(declare-fun R (Bool (_ BitVec 2)) Bool)
(declare-fun N () Bool)
(declare-fun f ((_ BitVec 2)) (_ BitVec 2))
";

/// Definitions, whose bound variables are named like variables of the formulas; and what they
/// stand for, with other names.
const DEFINITIONS: &str =
    "(define-fun some ((p Bool)) Bool (exists ((x Bool)) (and (P x) (= x p))))
(define-fun all ((p (_ BitVec 2))) Bool (forall ((x Bool)) (or x (= p #b00))))
";
const SOME: &str = "(exists ((d1 Bool)) (and (P d1) (= d1 ARG)))";
const ALL: &str = "(forall ((d2 Bool)) (or d2 (= ARG #b00)))";

/// Names in scope: the innermost meaning of a name counts.
type Scope = Vec<(&'static str, bool)>;

fn visible(scope: &Scope, is_word: bool) -> Vec<&'static str> {
    let innermost = |name: &str| scope.iter().rev().find(|(n, _)| *n == name).map(|n| n.1);
    let names = scope.iter().map(|(name, _)| *name);
    names.filter(|name| innermost(name) == Some(is_word)).collect()
}

fn word(random: &mut Rng, scope: &Scope) -> String {
    let names = visible(scope, true);
    match random.below(5) {
        0 | 1 if !names.is_empty() => random.pick(&names).to_owned(),
        2 => format!("(f {})", word(random, scope)),
        3 => format!("(bvadd #b01 {})", word(random, scope)),
        _ => random.pick(&["#b00", "#b01", "#b11"]).to_owned(),
    }
}

fn atom(random: &mut Rng, scope: &Scope, predicates: bool) -> String {
    if predicates && random.percent(60) {
        let depth = random.below(2);
        let flag = formula(random, scope, depth, false);
        return match random.below(5) {
            0 => format!("(P {flag})"),
            1 => format!("(Q {})", word(random, scope)),
            2 => format!("(R {flag} {})", word(random, scope)),
            3 => format!("(some {flag})"),
            _ => "N".to_owned(),
        };
    }
    let names = visible(scope, false);
    match random.below(4) {
        0 | 1 if !names.is_empty() => random.pick(&names).to_owned(),
        2 => format!("(bvult {} {})", word(random, scope), word(random, scope)),
        3 => format!("(all {})", word(random, scope)),
        _ => random.pick(&["true", "false"]).to_owned(),
    }
}

fn formula(random: &mut Rng, scope: &Scope, depth: usize, predicates: bool) -> String {
    if depth == 0 || random.percent(10) {
        return atom(random, scope, predicates);
    }
    let part = |random: &mut Rng| {
        let predicates = predicates && random.percent(75);
        formula(random, scope, depth - 1, predicates)
    };
    match random.below(12) {
        0 | 1 => format!("(not {})", part(random)),
        2 => format!("(and {} {} {})", part(random), part(random), part(random)),
        3 => format!("(or {} {})", part(random), part(random)),
        4 | 5 => format!("(=> {} {})", part(random), part(random)),
        6 => format!("(= {} {})", part(random), part(random)),
        7 => format!("(xor {} {})", part(random), part(random)),
        8 => {
            let rarely = predicates && random.percent(20);
            let condition = formula(random, scope, depth - 1, rarely);
            format!("(ite {condition} {} {})", part(random), part(random))
        }
        9 => {
            let name = random.pick(&["x", "y", "a", "N!1"]);
            let is_word = random.percent(40);
            let value = match is_word {
                true => word(random, scope),
                false => formula(random, scope, depth - 1, false),
            };
            let mut inner = scope.clone();
            inner.push((name, is_word));
            let body = formula(random, &inner, depth - 1, predicates);
            format!("(let (({name} {value})) {body})")
        }
        _ => {
            let quantifier = random.pick(&["forall", "exists"]);
            quantified(random, scope, depth - 1, predicates, quantifier)
        }
    }
}

fn quantified(
    random: &mut Rng,
    scope: &Scope,
    depth: usize,
    predicates: bool,
    quantifier: &str,
) -> String {
    let mut inner = scope.clone();
    let mut vars = Vec::new();
    for name in ["x", "y", "x!1"] {
        if vars.is_empty() || random.percent(30) {
            let is_word = random.percent(40);
            vars.push(format!("({name} {})", if is_word { "(_ BitVec 2)" } else { "Bool" }));
            inner.push((name, is_word));
        }
    }
    if random.percent(20) {
        vars.rotate_left(1);
    }
    let body = formula(random, &inner, depth, predicates);
    format!("({quantifier} ({}) {body})", vars.join(" "))
}

/// The text with applications of a definition written out.
fn expand(text: &str, head: &str, body: &str) -> String {
    let Some(start) = text.rfind(head) else { return text.to_owned() };
    let inside = &text[start + head.len()..];
    let mut depth = 0;
    let end = inside.bytes().position(|byte| {
        depth += i32::from(byte == b'(') - i32::from(byte == b')');
        depth < 0
    });
    let end = end.expect("parentheses balance");
    let application = body.replace("ARG", &inside[..end]);
    expand(&format!("{}{application}{}", &text[..start], &inside[end + 1..]), head, body)
}

/// A random interpretation of all functions.
fn interpretation(random: &mut Rng, horn: &Horn) -> Model {
    let mut model = Model::new();
    for func in horn.terms.funcs() {
        let decl = horn.terms.func(func).clone();
        let mut rows: Vec<Vec<Value>> = vec![Vec::new()];
        for &sort in &decl.args {
            let choices = elements(&horn.terms, sort, 16).expect("the sorts are small");
            let longer = |row: &Vec<Value>| {
                let row = row.clone();
                let extend = move |choice: &Value| [row.clone(), vec![choice.clone()]].concat();
                choices.iter().map(extend).collect::<Vec<_>>()
            };
            rows = rows.iter().flat_map(longer).collect();
        }
        let results = elements(&horn.terms, decl.result, 16).expect("the sorts are small");
        let mut table = Table::default();
        for row in rows {
            table.entries.insert(row, results[random.below(results.len())].clone());
        }
        model.funcs.insert(func, table);
    }
    model
}

/// The truth of a formula; `None` where it has more instances than evaluation goes through.
fn holds(horn: &Horn, term: TermId, model: &Model) -> Option<bool> {
    match eval(&horn.terms, term, model) {
        Err(EvalError::Quantifier) => None,
        value => value.expect("everything has a meaning").as_bool(),
    }
}

#[test]
fn clauses_mean_what_the_assertion_means() {
    let mut random = Rng::new(0x2545_f491_4f6c_dd1d);
    let (mut read_at_all, mut split, mut compared, mut quantified_bodies) = (0, 0, 0, 0);
    for _ in 0..1_500 {
        let depth = 1 + random.below(4);
        let text = match random.percent(60) {
            true => quantified(&mut random, &Vec::new(), depth, true, "forall"),
            false => formula(&mut random, &Vec::new(), depth, true),
        };
        let script = format!("{DECLARATIONS}{DEFINITIONS}(assert {text})(check-sat)");
        let (problem, diagnostics) = read(script.as_bytes());
        let Some(problem) = problem else {
            let not_horn =
                |d: &alphorn_front::Diagnostic| d.code == alphorn_front::Code::SmtNotHorn;
            assert!(diagnostics.list.iter().all(not_horn), "{text}: {:?}", diagnostics.list);
            continue;
        };
        let mut horn = problem.horn;
        check_round_trip(&horn, &script);
        read_at_all += 1;
        split += usize::from(horn.clauses.len() > 1);

        let (mut clauses, mut instantiated) = (Vec::new(), Vec::new());
        for id in (0..horn.clauses.len() as u32).map(ClauseId) {
            let (head, read) = (horn.head_term(id), horn.body_as_read(id));
            let clause = &horn.clauses[id.index()];
            let formula = horn.terms.implies(read, head);
            clauses.push(horn.terms.forall(&clause.vars, formula));
            let formula = horn.terms.implies(clause.body, head);
            instantiated.push(horn.terms.forall(&clause.vars, formula));
        }
        quantified_bodies += usize::from(!horn.quantified.is_empty());
        let mut context = Context::over(std::mem::take(&mut horn.terms));
        let expanded = expand(&expand(&text, "(some ", SOME), "(all ", ALL);
        let asserted = context.parse_term_text(expanded.as_bytes());
        let asserted = asserted.unwrap_or_else(|diagnostic| panic!("{expanded}: {diagnostic:?}"));
        horn.terms = context.into_store();
        for _ in 0..8 {
            let model = interpretation(&mut random, &horn);
            let expected = holds(&horn, asserted, &model);
            let each: Option<Vec<bool>> =
                clauses.iter().map(|&clause| holds(&horn, clause, &model)).collect();
            if let (Some(expected), Some(each)) = (expected, each) {
                assert_eq!(each.into_iter().all(|holds| holds), expected, "{text}");
                compared += 1;
                // Clauses with instances say at least as much.
                let mut each = instantiated.iter().map(|&clause| holds(&horn, clause, &model));
                assert!(expected || each.any(|holds| holds != Some(true)), "{text}");
            }
        }
    }
    let enough = read_at_all > 500 && split > 50 && compared > 7 * read_at_all;
    assert!(enough, "{read_at_all} read, {split} split, {compared} compared");
    assert!(quantified_bodies > 8, "only {quantified_bodies} bodies ask for all values");
}
