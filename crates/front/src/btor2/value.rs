//! Lines that define values: operands are looked up, sorts compared, and the term is made.

use super::Reader;
use super::constant;
use super::lex::{Cursor, Word, decimal};
use super::lower;
use super::operator::{Operator, Shape};
use super::table::{Depends, Entry, Node};
use crate::diag::{Code, Diagnostic};
use alphorn_term::{MAX_WIDTH, Sort, SortId, TermId};

/// How many bits the literals that lines evaluate to may have together: a short line can ask for
/// a word of `MAX_WIDTH` bits, and a long file has many short lines.
const MAX_LITERAL_BITS: u64 = 1 << 31;

impl Reader {
    /// `<id> <operator> <sort> …`.
    pub(super) fn value(&mut self, operator: Operator, cursor: &mut Cursor<'_>) -> Option<Entry> {
        let (declared, _, sort_word) = self.sort(cursor)?;
        let (term, depends) = match operator.shape() {
            Shape::Digits => {
                (self.digits(operator, declared, sort_word, cursor)?, Depends::default())
            }
            Shape::Constant => {
                let width = self.constant_width(operator, declared, sort_word)?;
                let value = constant::named(operator, width);
                (lower::literal(&mut self.words.terms, value), Depends::default())
            }
            Shape::Extend | Shape::Slice => {
                let (node, word) = self.operand(cursor)?;
                (self.indexed(operator, node, word, cursor)?, node.depends)
            }
            _ => self.application(operator, cursor)?,
        };
        self.end(cursor)?;
        let found = lower::sort(&mut self.words.terms, term);
        if found != declared {
            let (found, declared) = (self.show_sort(found), self.show_sort(declared));
            let message = format!("`{}` gives {found} here, not {declared}", operator.name());
            return self.error(Code::BtorSort, sort_word.span, message);
        }
        if let Some(value) = self.words.terms.bv_value(term) {
            self.literal_bits += u64::from(value.width());
            if self.literal_bits > MAX_LITERAL_BITS {
                let message = "the constants of the file are larger than this reader takes";
                let diagnostic =
                    Diagnostic::unsupported(Code::FileTooLarge, cursor.span(), message);
                self.report(diagnostic);
                return None;
            }
        }
        Some(Entry::Node(Node { term, depends, state: None }))
    }

    fn constant_width(&mut self, operator: Operator, sort: SortId, word: Word<'_>) -> Option<u32> {
        let width = self.words.terms.width_of(sort);
        if width.is_none() {
            let sort = self.show_sort(sort);
            let message = format!("`{}` gives a bitvec, not {sort}", operator.name());
            return self.error(Code::BtorSort, word.span, message);
        }
        width
    }

    fn digits(
        &mut self,
        operator: Operator,
        sort: SortId,
        sort_word: Word<'_>,
        cursor: &mut Cursor<'_>,
    ) -> Option<TermId> {
        let width = self.constant_width(operator, sort, sort_word)?;
        let Some(word) = cursor.word() else {
            return self.error(Code::BtorLine, cursor.here(), "the digits are missing");
        };
        match constant::parse(operator, word.text, width) {
            Ok(value) => Some(lower::literal(&mut self.words.terms, value)),
            Err(message) => self.error(Code::BtorNumber, word.span, message),
        }
    }

    /// `sext`, `uext` and `slice`.
    fn indexed(
        &mut self,
        operator: Operator,
        node: Node,
        word: Word<'_>,
        cursor: &mut Cursor<'_>,
    ) -> Option<TermId> {
        let Some(width) = lower::width(&self.words.terms, node.term) else {
            return self.misfit(operator, word, node.term, "a bitvec");
        };
        if operator != Operator::Slice {
            let (by, word) = self.number(cursor, "the number of bits to add")?;
            let most = u64::from(MAX_WIDTH - width);
            if by > most {
                let message = format!("at most {most} bits can be added, not {by}");
                return self.error(Code::BtorNumber, word.span, message);
            }
            return Some(lower::extend(&mut self.words.terms, operator, node.term, by as u32));
        }
        let (high, high_word) = self.number(cursor, "the highest bit")?;
        let (low, low_word) = self.number(cursor, "the lowest bit")?;
        if high >= u64::from(width) {
            let message = format!("a bitvec {width} has no bit {high}");
            return self.error(Code::BtorNumber, high_word.span, message);
        }
        if low > high {
            let message = format!("the lowest bit {low} is above the highest one, {high}");
            return self.error(Code::BtorNumber, low_word.span, message);
        }
        Some(lower::slice(&mut self.words.terms, node.term, high as u32, low as u32))
    }

    /// An operator whose arguments are values.
    fn application(
        &mut self,
        operator: Operator,
        cursor: &mut Cursor<'_>,
    ) -> Option<(TermId, Depends)> {
        let count = match operator.shape() {
            Shape::Unary | Shape::Reduce => 1,
            Shape::Ite | Shape::Write => 3,
            _ => 2,
        };
        let mut args = [TermId::TRUE; 3];
        let mut depends = Depends::default();
        let mut words = [Word { text: b"", span: cursor.here() }; 3];
        for place in 0..count {
            let (node, word) = self.operand(cursor)?;
            args[place] = node.term;
            words[place] = word;
            depends = depends.with(node.depends);
        }
        self.check_sorts(operator, &args[..count], &words[..count])?;
        Some((lower::apply(&mut self.words.terms, operator, &args[..count]), depends))
    }

    /// Whether the arguments fit the operator; after that, `lower::apply` cannot fail.
    fn check_sorts(
        &mut self,
        operator: Operator,
        args: &[TermId],
        words: &[Word<'_>],
    ) -> Option<()> {
        let mut widths = [None; 3];
        let mut sorts = [SortId::BOOL; 3];
        for (place, arg) in args.iter().enumerate() {
            widths[place] = lower::width(&self.words.terms, *arg);
            sorts[place] = lower::sort(&mut self.words.terms, *arg);
        }
        let shape = operator.shape();
        let one_bit = matches!(shape, Shape::Logic);
        let is_word = !matches!(shape, Shape::Equal | Shape::Read | Shape::Ite | Shape::Write);
        for place in 0..args.len() {
            let bit = one_bit || (shape == Shape::Ite && place == 0);
            if bit && widths[place] != Some(1) {
                return self.misfit(operator, words[place], args[place], "a bitvec 1");
            }
            if is_word && widths[place].is_none() {
                return self.misfit(operator, words[place], args[place], "a bitvec");
            }
        }
        let same = match shape {
            Shape::Equal | Shape::Compare | Shape::Binary => Some((0, 1)),
            Shape::Ite => Some((1, 2)),
            _ => None,
        };
        if let Some((left, right)) = same
            && sorts[left] != sorts[right]
        {
            let wanted = format!("{} as before", self.show_sort(sorts[left]));
            return self.misfit(operator, words[right], args[right], &wanted);
        }
        match shape {
            // Neither is wider than `MAX_WIDTH`, so the sum does not overflow.
            Shape::Concat if widths.iter().flatten().sum::<u32>() > MAX_WIDTH => {
                let message = format!("words have at most {MAX_WIDTH} bits");
                self.error(Code::BtorNumber, words[0].span, message)
            }
            Shape::Read | Shape::Write => self.check_access(operator, args, &sorts, words),
            _ => Some(()),
        }
    }

    /// Whether index and element fit the array.
    fn check_access(
        &mut self,
        operator: Operator,
        args: &[TermId],
        sorts: &[SortId],
        words: &[Word<'_>],
    ) -> Option<()> {
        let Sort::Array(index, element) = *self.words.terms.sort_of(sorts[0]) else {
            return self.misfit(operator, words[0], args[0], "an array");
        };
        for (place, wanted) in [(1, index), (2, element)] {
            if place < args.len() && sorts[place] != wanted {
                let wanted = self.show_sort(wanted);
                return self.misfit(operator, words[place], args[place], &wanted);
            }
        }
        Some(())
    }

    fn misfit<T>(
        &mut self,
        operator: Operator,
        word: Word<'_>,
        term: TermId,
        wanted: &str,
    ) -> Option<T> {
        let found = lower::sort(&mut self.words.terms, term);
        let found = self.show_sort(found);
        let message = format!("`{}` wants {wanted} here, not {found}", operator.name());
        self.error(Code::BtorSort, word.span, message)
    }

    /// A sort, how deep arrays are nested in it, and the word that names it.
    pub(super) fn sort<'a>(&mut self, cursor: &mut Cursor<'a>) -> Option<(SortId, u32, Word<'a>)> {
        let Some(word) = cursor.word() else {
            return self.error(Code::BtorLine, cursor.here(), "a sort is missing");
        };
        let Some(id) = word.number() else {
            let message = format!("a sort's number is expected, not `{}`", word.shown());
            return self.error(Code::BtorNumber, word.span, message);
        };
        match self.table.find(id) {
            Some(Entry::Sort(sort, depth)) => Some((sort, depth, word)),
            Some(Entry::Failed) => None,
            Some(_) => {
                let message = format!("line {id} is not a sort");
                self.error(Code::BtorReference, word.span, message)
            }
            None => self.undefined(id, word),
        }
    }

    /// A value, negated bit by bit if its number is negative, and the word that names it.
    pub(super) fn operand<'a>(&mut self, cursor: &mut Cursor<'a>) -> Option<(Node, Word<'a>)> {
        let Some(word) = cursor.word() else {
            return self.error(Code::BtorLine, cursor.here(), "an argument is missing");
        };
        let (digits, negated) = match word.text.strip_prefix(b"-") {
            Some(digits) => (digits, true),
            None => (word.text, false),
        };
        let Some(id) = decimal(digits) else {
            let message = format!("the number of a line is expected, not `{}`", word.shown());
            return self.error(Code::BtorNumber, word.span, message);
        };
        let node = match self.table.find(id) {
            Some(Entry::Node(node)) => node,
            Some(Entry::Failed) => return None,
            Some(Entry::Sort(..) | Entry::Nothing) => {
                let message = format!("line {id} has no value");
                return self.error(Code::BtorReference, word.span, message);
            }
            None => return self.undefined(id, word),
        };
        if !negated {
            return Some((node, word));
        }
        if lower::width(&self.words.terms, node.term).is_none() {
            return self.error(Code::BtorSort, word.span, "an array cannot be negated");
        }
        let term = lower::apply(&mut self.words.terms, Operator::Not, &[node.term]);
        Some((Node { term, state: None, ..node }, word))
    }

    fn undefined<T>(&mut self, id: u64, word: Word<'_>) -> Option<T> {
        let message = format!("line {id} is not defined before this one");
        self.error(Code::BtorReference, word.span, message)
    }

    /// A number and its word.
    pub(super) fn number<'a>(
        &mut self,
        cursor: &mut Cursor<'a>,
        what: &str,
    ) -> Option<(u64, Word<'a>)> {
        let Some(word) = cursor.word() else {
            return self.error(Code::BtorLine, cursor.here(), format!("{what} is missing"));
        };
        match word.number() {
            Some(number) => Some((number, word)),
            None => {
                let message = format!("{what} is expected, not `{}`", word.shown());
                self.error(Code::BtorNumber, word.span, message)
            }
        }
    }

    /// A sort in BTOR2's words.
    pub(super) fn show_sort(&self, sort: SortId) -> String {
        match self.words.terms.sort_of(sort) {
            Sort::Bool => "a bitvec 1".into(),
            Sort::BitVec(width) => format!("a bitvec {width}"),
            Sort::Array(index, element) => {
                let (index, element) = (self.show_inner(*index), self.show_inner(*element));
                format!("an array from {index} to {element}")
            }
            _ => "another sort".into(),
        }
    }

    fn show_inner(&self, sort: SortId) -> String {
        match self.words.terms.width_of(sort) {
            Some(width) => format!("bitvec {width}"),
            None => "arrays".into(),
        }
    }
}
