//! Lines that declare: sorts, inputs, states, their initial and next values, and properties.

use super::Reader;
use super::lex::{Cursor, Word};
use super::lower;
use super::operator::Operator;
use super::table::{Depends, Entry, Node};
use crate::diag::{Code, Diagnostic};
use alphorn_problem::words::{Justice, Named, State};
use alphorn_term::{MAX_WIDTH, Sort, SortId, TermId};

/// How deep arrays may be nested in arrays; what walks over sorts and values recurses.
const MAX_NESTED: u32 = 64;

impl Reader {
    /// `<id> sort bitvec <width>` or `<id> sort array <sort> <sort>`.
    pub(super) fn sort_line(&mut self, cursor: &mut Cursor<'_>) -> Option<Entry> {
        let Some(kind) = cursor.word() else {
            return self.error(Code::BtorLine, cursor.here(), "`bitvec` or `array` is missing");
        };
        let entry = match kind.text {
            b"bitvec" => {
                let (width, word) = self.number(cursor, "a width")?;
                match u32::try_from(width) {
                    Ok(width @ 1..=MAX_WIDTH) => Entry::Sort(self.words.terms.bv_sort(width), 0),
                    _ => {
                        let message = format!("a width is from 1 to {MAX_WIDTH}, not {width}");
                        return self.error(Code::BtorNumber, word.span, message);
                    }
                }
            }
            b"array" => {
                let (index, index_depth, _) = self.sort(cursor)?;
                let (element, element_depth, _) = self.sort(cursor)?;
                let depth = 1 + index_depth.max(element_depth);
                if depth > MAX_NESTED {
                    let message = format!("arrays are nested deeper than {MAX_NESTED}");
                    let diagnostic =
                        Diagnostic::unsupported(Code::BtorSort, cursor.span(), message);
                    self.report(diagnostic);
                    return None;
                }
                Entry::Sort(self.words.terms.array_sort(index, element), depth)
            }
            _ => {
                let message = format!("a sort is a `bitvec` or an `array`, not `{}`", kind.shown());
                return self.error(Code::BtorSort, kind.span, message);
            }
        };
        self.end(cursor)?;
        Some(entry)
    }

    /// `<id> input <sort>` or `<id> state <sort>`.
    pub(super) fn variable(
        &mut self,
        operator: Operator,
        id: u64,
        cursor: &mut Cursor<'_>,
    ) -> Option<Entry> {
        let (sort, ..) = self.sort(cursor)?;
        let symbol = self.end(cursor)?;
        let name = self.unique_name(symbol, operator, id);
        let term = self.words.terms.var(&name, sort);
        if operator == Operator::Input {
            self.words.inputs.push(term);
            let depends = Depends { input: id, states: 0 };
            return Some(Entry::Node(Node { term, depends, state: None }));
        }
        let position = self.words.states.len() as u32;
        self.words.states.push(State { var: term, init: None, next: None, span: cursor.span() });
        let depends = Depends { input: 0, states: position + 1 };
        Some(Entry::Node(Node { term, depends, state: Some(position) }))
    }

    /// The symbol, or a name made from the line's number if there is none or it is taken.
    fn unique_name(&self, symbol: Option<Word<'_>>, operator: Operator, id: u64) -> String {
        let taken = |name: &str| self.words.terms.find_symbol(name).is_some();
        if let Some(symbol) = symbol {
            let name = String::from_utf8_lossy(symbol.text);
            if !taken(&name) {
                return name.into_owned();
            }
        }
        let mut name = format!("{}{id}", operator.name());
        while taken(&name) {
            name.push('_');
        }
        name
    }

    /// `<id> init <sort> <state> <value>` or `<id> next <sort> <state> <value>`.
    pub(super) fn assign(&mut self, operator: Operator, cursor: &mut Cursor<'_>) -> Option<Entry> {
        let (sort, _, sort_word) = self.sort(cursor)?;
        let (state, state_word) = self.operand(cursor)?;
        let (value, value_word) = self.operand(cursor)?;
        self.end(cursor)?;
        let name = operator.name();
        let Some(position) = state.state.map(|position| position as usize) else {
            let message =
                format!("`{name}` is about a state, and `{}` is none", state_word.shown());
            return self.error(Code::BtorState, state_word.span, message);
        };
        let wanted = self.words.terms.sort(state.term);
        if sort != wanted {
            let (sort, wanted) = (self.show_sort(sort), self.show_sort(wanted));
            let message = format!("the state has sort {wanted}, not {sort}");
            return self.error(Code::BtorSort, sort_word.span, message);
        }
        let is_init = operator == Operator::Init;
        let term = lower::word(&mut self.words.terms, value.term);
        let Some(term) = self.fitted(term, wanted, is_init) else {
            let found = self.words.terms.sort(term);
            let (found, wanted) = (self.show_sort(found), self.show_sort(wanted));
            let message = format!("the state has sort {wanted}, but its value {found}");
            return self.error(Code::BtorSort, value_word.span, message);
        };
        if is_init {
            self.check_init(value.depends, position, value_word)?;
        }
        let state = &mut self.words.states[position];
        let place = if is_init { &mut state.init } else { &mut state.next };
        if place.replace(term).is_some() {
            let message = format!("state {} has a second `{name}`", state_word.shown());
            return self.error(Code::BtorState, state_word.span, message);
        }
        Some(Entry::Nothing)
    }

    /// The value of a state; a word that initialises an array stands in all its places.
    fn fitted(&mut self, term: TermId, wanted: SortId, is_init: bool) -> Option<TermId> {
        let found = self.words.terms.sort(term);
        if found == wanted {
            return Some(term);
        }
        match self.words.terms.sort_of(wanted) {
            Sort::Array(_, element) if is_init => {
                let element = self.fitted(term, *element, true)?;
                Some(self.words.terms.const_array(wanted, element))
            }
            _ => None,
        }
    }

    fn check_init(&mut self, depends: Depends, position: usize, word: Word<'_>) -> Option<()> {
        if depends.input != 0 {
            let message = format!("an initial value depends on input {}", depends.input);
            let hint = "a state without init and next serves in its place";
            self.report(Diagnostic::error(Code::BtorState, word.span, message).hint(hint));
            return None;
        }
        if depends.states as usize > position {
            let message = "an initial value depends on a state that is not declared before its own";
            return self.error(Code::BtorState, word.span, message);
        }
        Some(())
    }

    /// `<id> bad <value>`, and likewise `constraint`, `fair` and `output`.
    pub(super) fn property(
        &mut self,
        operator: Operator,
        cursor: &mut Cursor<'_>,
    ) -> Option<Entry> {
        let term = if operator == Operator::Output {
            let (node, _) = self.operand(cursor)?;
            lower::word(&mut self.words.terms, node.term)
        } else {
            self.condition(operator, cursor)?
        };
        let name = self.name(cursor)?;
        let named = Named { term, name, span: cursor.span() };
        match operator {
            Operator::Bad => self.words.bads.push(named),
            Operator::Constraint => self.words.constraints.push(named),
            Operator::Fair => self.words.fairness.push(named),
            _ => self.words.outputs.push(named),
        }
        Some(Entry::Nothing)
    }

    /// `<id> justice <n> <value> …`, with `n` values.
    pub(super) fn justice(&mut self, cursor: &mut Cursor<'_>) -> Option<Entry> {
        let (count, word) = self.number(cursor, "the number of conditions")?;
        if count == 0 {
            let message = "a justice property has at least one condition";
            return self.error(Code::BtorNumber, word.span, message);
        }
        let mut terms = Vec::new();
        for _ in 0..count {
            terms.push(self.condition(Operator::Justice, cursor)?);
        }
        let name = self.name(cursor)?;
        self.words.justice.push(Justice { terms, name, span: cursor.span() });
        Some(Entry::Nothing)
    }

    /// A value of one bit, as a formula.
    fn condition(&mut self, operator: Operator, cursor: &mut Cursor<'_>) -> Option<TermId> {
        let (node, word) = self.operand(cursor)?;
        if lower::width(&self.words.terms, node.term) != Some(1) {
            let sort = self.show_sort(self.words.terms.sort(node.term));
            let message = format!("`{}` wants a bitvec 1, not {sort}", operator.name());
            return self.error(Code::BtorSort, word.span, message);
        }
        Some(lower::truth(&mut self.words.terms, node.term))
    }

    fn name(&mut self, cursor: &mut Cursor<'_>) -> Option<Option<String>> {
        let symbol = self.end(cursor)?;
        Some(symbol.map(|symbol| String::from_utf8_lossy(symbol.text).into_owned()))
    }

    /// The end of a line: perhaps a symbol, perhaps a comment, and nothing else.
    pub(super) fn end<'a>(&mut self, cursor: &mut Cursor<'a>) -> Option<Option<Word<'a>>> {
        let symbol = cursor.symbol();
        if let Some(word) = cursor.symbol() {
            let message = "the line goes on after its symbol";
            let hint = "symbols have no blanks, and comments start with `;`";
            self.report(Diagnostic::error(Code::BtorLine, word.span, message).hint(hint));
            return None;
        }
        Some(symbol)
    }
}
