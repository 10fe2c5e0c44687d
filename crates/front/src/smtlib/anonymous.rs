//! Scripts with other names in them: what a user declares gets a number, and what only people read goes.
//!
//! The text is taken by its brackets, whether or not it can be read as a problem, so that scripts at which reading fails can be
//! made anonymous, too. Names are what commands declare and what binders bind; all else stays as it is. Comments, information and what
//! is to be echoed go.

use super::lex::{Kind, Lexer, Token};
use crate::anonymous::Names;

/// A bracket or a token.
enum Tree<'t> {
    Leaf(Token, &'t str),
    List(Vec<Tree<'t>>),
}

impl<'t> Tree<'t> {
    fn list(&self) -> &[Tree<'t>] {
        match self {
            Tree::List(list) => list,
            Tree::Leaf(..) => &[],
        }
    }

    /// The symbol that it is, without bars.
    fn symbol(&self) -> Option<&'t str> {
        match self {
            Tree::Leaf(Token { kind: Kind::Symbol, .. }, text) => Some(text),
            Tree::Leaf(Token { kind: Kind::Quoted, .. }, text) => text.get(1..text.len() - 1),
            _ => None,
        }
    }

    fn head(&self) -> Option<&'t str> {
        self.list().first().and_then(Tree::symbol)
    }
}

/// The script with numbers for names, and what became of the names.
pub fn anonymous(bytes: &[u8]) -> Result<(String, Names), String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "it is no text".to_owned())?;
    let (mut lexer, mut open) = (Lexer::new(bytes, 0), vec![Vec::new()]);
    loop {
        let token = lexer.next_token();
        let last = open.len() - 1;
        match token.kind {
            Kind::End => break,
            Kind::Open => open.push(Vec::new()),
            Kind::Close if last > 0 => {
                let list = open.pop().unwrap_or_default();
                open[last - 1].push(Tree::List(list));
            }
            _ => {
                let spelled = &text[token.start as usize..token.end as usize];
                open[last].push(Tree::Leaf(token, spelled));
            }
        }
    }
    if open.len() > 1 {
        return Err("a bracket is not closed".to_owned());
    }
    let commands = open.pop().unwrap_or_default();
    let mut names = Names::default();
    commands.iter().for_each(|command| declared(command, &mut names));
    let mut out = String::new();
    for command in &commands {
        if !matches!(command.head(), Some("set-info" | "echo")) {
            write(command, &names, &mut out)?;
            out.push('\n');
        }
    }
    Ok((out, names))
}

/// Words of sorts that are not the user's.
const SORTS: &[&str] = &["Int", "Bool", "Real", "Array", "BitVec", "String", "par", "_"];

/// Gathers the names that a command or a term gives.
fn declared(tree: &Tree<'_>, names: &mut Names) {
    let list = tree.list();
    let firsts = |of: Option<&Tree<'_>>, names: &mut Names| {
        for bound in of.map_or(&[][..], Tree::list) {
            bound.head().into_iter().for_each(|name| names.give(name));
        }
    };
    match tree.head() {
        Some("forall" | "exists" | "let" | "lambda" | "define-funs-rec") => {
            firsts(list.get(1), names);
        }
        Some(
            "define-fun" | "define-fun-rec" | "define-rec-fun" | "define-sort" | "define-const",
        ) => {
            list.get(1).and_then(Tree::symbol).into_iter().for_each(|name| names.give(name));
            firsts(list.get(2), names);
            // Parameters of sorts have no sort.
            let sorts = list.get(2).map_or(&[][..], Tree::list).iter();
            sorts.filter_map(Tree::symbol).for_each(|name| names.give(name));
        }
        Some(word)
            if word.starts_with("declare-datatype")
                || word.starts_with("declare-codatatype")
                || word == "declare-heap" =>
        {
            list[1..].iter().for_each(|part| all(part, names));
        }
        Some(word) if word.starts_with("declare-") => {
            list.get(1).and_then(Tree::symbol).into_iter().for_each(|name| names.give(name));
        }
        Some("match") => {
            for case in list.get(2).map_or(&[][..], Tree::list) {
                case.list().first().into_iter().for_each(|pattern| all(pattern, names));
            }
        }
        Some("!") => {
            for pair in list.windows(2) {
                let is_name = matches!(&pair[0], Tree::Leaf(_, ":named" | ":qid" | ":skolemid"));
                pair[1].symbol().filter(|_| is_name).into_iter().for_each(|name| names.give(name));
            }
        }
        _ => {}
    }
    if matches!(tree.head(), Some("define-funs-rec")) {
        for one in list.get(1).map_or(&[][..], Tree::list) {
            firsts(one.list().get(1), names);
        }
    }
    list.iter().for_each(|part| declared(part, names));
}

/// Gathers all symbols that are no words of sorts.
fn all(tree: &Tree<'_>, names: &mut Names) {
    let own = tree.symbol().filter(|symbol| !SORTS.contains(symbol));
    own.into_iter().for_each(|name| names.give(name));
    tree.list().iter().for_each(|part| all(part, names));
}

fn write(tree: &Tree<'_>, names: &Names, out: &mut String) -> Result<(), String> {
    match tree {
        Tree::Leaf(Token { kind: Kind::String, .. }, _) => {
            return Err("it has a text in it that may be a name".to_owned());
        }
        Tree::Leaf(_, text) => {
            let symbol = tree.symbol().unwrap_or(text);
            let tested = symbol.strip_prefix("is-").and_then(|name| names.of(name));
            match (names.of(symbol), tested) {
                (Some(name), _) => out.push_str(&name),
                (None, Some(name)) => out.push_str(&format!("is-{name}")),
                (None, None) => out.push_str(text),
            }
        }
        Tree::List(list) => {
            out.push('(');
            for (index, part) in list.iter().enumerate() {
                if index > 0 {
                    out.push(' ');
                }
                write(part, names, out)?;
            }
            out.push(')');
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::anonymous;

    #[test]
    fn what_is_declared_and_bound_gets_a_number() {
        let text = "; the vault\n(set-logic HORN)(set-info :source |Bank|)(declare-fun |my vault| (Int) Bool)
            (define-fun limit ((most Int)) Int (+ most 1))
            (assert (forall ((gold Int)) (=> (= gold 0) (|my vault| gold))))
            (assert (! (let ((sum (limit 3))) (not (|my vault| sum))) :named robbery))(check-sat)";
        let (text, _) = anonymous(text.as_bytes()).expect("it is well formed");
        assert_eq!(
            text,
            "(set-logic HORN)\n(declare-fun n1 (Int) Bool)\n(define-fun n2 ((n3 Int)) Int (+ n3 1))\n\
             (assert (forall ((n4 Int)) (=> (= n4 0) (n1 n4))))\n\
             (assert (! (let ((n6 (n2 3))) (not (n1 n6))) :named n5))\n(check-sat)\n"
        );
    }

    #[test]
    fn datatypes_have_their_testers_and_cases() {
        let text = "(declare-datatypes ((Coins 0)) (((none) (some (worth Int) (rest Coins)))))
            (declare-const purse Coins)(assert ((_ is some) purse))(assert (is-none purse))
            (assert (match purse ((none true) ((some first others) (> first 0)))))";
        let (text, _) = anonymous(text.as_bytes()).expect("it is well formed");
        for word in ["Coins", "none", "some", "worth", "rest", "purse", "first", "others"] {
            assert!(!text.contains(word), "{word} in {text}");
        }
        assert!(text.contains("(is-n2 n6)") && text.contains("((_ is n3) n6)"), "{text}");
    }

    #[test]
    fn what_cannot_be_made_anonymous_is_refused() {
        assert!(anonymous(b"(assert (= s \"Bank\"))").is_err());
        assert!(anonymous(b"(assert (p").is_err());
    }
}
