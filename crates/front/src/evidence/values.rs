//! Values and tables of values as SMT-LIB text.
//!
//! A value is written as a term that denotes it and read by evaluating the term; so every
//! notation for a value is understood, and what is read is a value of the right sort or an error.
//! Elements of uninterpreted sorts have no notation in SMT-LIB. A text gives those it mentions a
//! name, a sort and a number: `e!1 Thing 0`.

use super::names::unused;
use super::{Fallible, word, wrong};
use crate::smtlib::{Context, Cursor, Kind};
use alphorn_problem::Horn;
use alphorn_term::eval::bound::{self, Tables};
use alphorn_term::eval::{Elsewhere, Table};
use alphorn_term::print::quote;
use alphorn_term::{Meter, Model, Op, Sort, SortId, Store, TermId, Value, eval};
use std::collections::BTreeMap;

/// Writes values.
pub struct Printer {
    store: Store,
    elements: BTreeMap<(SortId, u32), TermId>,
}

impl Printer {
    /// A printer of values over the sorts of `store`.
    pub fn new(store: Store) -> Printer {
        Printer { store, elements: BTreeMap::new() }
    }

    /// A value as text.
    pub fn show(&mut self, value: &Value) -> String {
        let term = self.term(value);
        self.store.show(term)
    }

    /// The term that denotes a value; a variable stands for an element.
    fn term(&mut self, value: &Value) -> TermId {
        match value {
            Value::Element(sort, number) => match self.elements.get(&(*sort, *number)) {
                Some(&var) => var,
                None => {
                    let name = unused(&self.store, "e", &mut 0);
                    let var = self.store.var(&name, *sort);
                    self.elements.insert((*sort, *number), var);
                    var
                }
            },
            Value::Array(array) => {
                let default = self.term(array.default());
                let sort = self.store.array_sort(array.index_sort(), self.store.sort(default));
                let mut term = self.store.const_array(sort, default);
                for (index, element) in array.entries() {
                    let (index, element) = (self.term(index), self.term(element));
                    term = self.store.mk(Op::Store, &[term, index, element]);
                }
                term
            }
            Value::Data(data) => {
                let args: Vec<TermId> = data.args.iter().map(|arg| self.term(arg)).collect();
                self.store.mk(Op::Construct(data.ctor), &args)
            }
            literal => self.store.value_term(literal).expect("literals have terms"),
        }
    }

    /// A table as text: `(case (1 2) 3) … (else 4)`, where after the 4 may stand `steps`, or
    /// `(sum + 0)` for the first argument plus 4.
    pub fn show_table(&mut self, table: &Table) -> String {
        let mut out = String::new();
        for (args, value) in &table.entries {
            let args: Vec<String> = args.iter().map(|arg| self.show(arg)).collect();
            out.push_str(&format!(" (case ({}) {})", args.join(" "), self.show(value)));
        }
        if let Some(default) = &table.default {
            let elsewhere = match &table.elsewhere {
                Elsewhere::Same => String::new(),
                Elsewhere::Steps => " steps".to_owned(),
                Elsewhere::Sum(factors) => {
                    let sign = |factor: &i8| match factor {
                        0 => " 0",
                        1.. => " +",
                        _ => " -",
                    };
                    format!(" (sum{})", factors.iter().map(sign).collect::<String>())
                }
            };
            out.push_str(&format!(" (else {}{elsewhere})", self.show(default)));
        }
        out
    }

    /// What the text must say before it can mention the elements shown so far.
    pub fn declarations(&self) -> Vec<String> {
        let declaration = |(&(sort, number), &var): (&(SortId, u32), &TermId)| {
            let name = quote(self.store.var_name(var).unwrap_or_default());
            format!("{name} {} {number}", self.store.show_sort(sort))
        };
        self.elements.iter().map(declaration).collect()
    }
}

/// Reads values in a context.
pub struct Reader {
    /// The context.
    pub context: Context,
    elements: Model,
    meter: Meter,
}

impl Reader {
    /// A reader of a text of `length` bytes about a Horn system, whose sorts it knows.
    pub fn of_horn(horn: &Horn, length: usize) -> Reader {
        let mut reader = Reader::over(horn.terms.clone(), length);
        for &var in horn.clauses.iter().flat_map(|clause| &clause.vars) {
            reader.context.adopt_sort(horn.terms.sort(var));
        }
        reader
    }

    /// A reader of a text of `length` bytes about the terms of a store.
    pub fn over(store: Store, length: usize) -> Reader {
        const FLOOR: u64 = 1 << 22;
        const PER_BYTE: u64 = 256;
        let mut context = Context::over(store);
        context.keep_names();
        context.limit_effort(length);
        let meter = Meter::new(FLOOR.saturating_add((length as u64).saturating_mul(PER_BYTE)));
        Reader { context, elements: Model::new(), meter }
    }

    /// Reads the name, sort and number of an element.
    pub fn element(&mut self, cursor: &mut Cursor<'_>) -> Fallible<()> {
        let name = cursor.symbol("the element's name")?;
        let start = cursor.peek().start;
        let sort = self.context.parse_sort(cursor)?;
        let span = cursor.span_from(start);
        let number = cursor.small_numeral("the element's number")?;
        let store = self.context.store_mut();
        if !matches!(store.sort_of(sort), Sort::Uninterpreted(..)) {
            return wrong(span, "only elements of declared sorts are named");
        }
        // Another name than in the text, which can then use it when it is written again.
        let var = store.fresh_var("element", sort);
        self.elements.set(var, Value::Element(sort, number));
        self.context.bind(cursor.text_of(name), var);
        Ok(())
    }

    /// Reads a value of the given sort.
    pub fn value(&mut self, cursor: &mut Cursor<'_>, sort: SortId) -> Fallible<Value> {
        let start = cursor.peek().start;
        let term = self.context.parse_term(cursor)?;
        let span = cursor.span_from(start);
        let store = self.context.store_mut();
        // A numeral may stand for a real, as everywhere.
        let term = if store.sort(term) == SortId::INT && sort == SortId::REAL {
            store.mk(Op::ToReal, &[term])
        } else {
            term
        };
        if store.sort(term) != sort {
            let (found, wanted) = (store.show_sort(store.sort(term)), store.show_sort(sort));
            let message = format!("a value of sort {wanted} is expected, not of sort {found}");
            return wrong(span, message);
        }
        let tables = Tables::default();
        if let Err(reason) = bound::evaluation(store, &[term], &self.elements, &tables, &self.meter)
        {
            return wrong(span, format!("this is not a value: {reason}"));
        }
        match eval(store, term, &self.elements) {
            Ok(value) => {
                self.context.spend(bound::value_ticks(&value));
                Ok(value)
            }
            Err(error) => wrong(span, format!("this is not a value: {}", error.describe(store))),
        }
    }

    /// Reads the cases of a table up to the closing parenthesis, which it leaves.
    pub fn table(
        &mut self,
        cursor: &mut Cursor<'_>,
        args: &[SortId],
        result: SortId,
    ) -> Fallible<Table> {
        let mut table = Table::default();
        while cursor.peek().kind != Kind::Close {
            let open = cursor.open("a case")?;
            if cursor.is_word("case") {
                cursor.take();
                cursor.open("the arguments of the case")?;
                let mut values = Vec::with_capacity(args.len());
                for &sort in args {
                    values.push(self.value(cursor, sort)?);
                }
                cursor.close("the end of the arguments")?;
                let value = self.value(cursor, result)?;
                if table.entries.insert(values, value).is_some() {
                    return wrong(cursor.span_from(open.start), "this case stands twice");
                }
            } else if cursor.is_word("else") && table.default.is_none() {
                cursor.take();
                table.default = Some(self.value(cursor, result)?);
                table.elsewhere = elsewhere(cursor)?;
            } else {
                return Err(cursor.unexpected("`case` or `else`"));
            }
            cursor.close("the end of the case")?;
        }
        Ok(table)
    }
}

/// Reads how values elsewhere differ from the default.
fn elsewhere(cursor: &mut Cursor<'_>) -> Fallible<Elsewhere> {
    if cursor.is_word("steps") {
        cursor.take();
        return Ok(Elsewhere::Steps);
    }
    if cursor.peek().kind == Kind::Close {
        return Ok(Elsewhere::Same);
    }
    cursor.open("`(sum …)`")?;
    word(cursor, "sum")?;
    let mut factors = Vec::new();
    while cursor.eat(Kind::Close).is_none() {
        factors.push(match cursor.bytes_of(cursor.peek()) {
            b"0" => 0,
            b"+" => 1,
            b"-" => -1,
            _ => return Err(cursor.unexpected("`+`, `-` or `0`")),
        });
        cursor.take();
    }
    Ok(Elsewhere::Sum(factors))
}
