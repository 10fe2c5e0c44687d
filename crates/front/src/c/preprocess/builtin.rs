//! What is defined before a program begins.
//!
//! Macros whose value depends on the place are made here; all others are lines of `predefined.h`, which
//! is read before the file, and tell the data model by `__LP64__`.

use super::cursor::Cursor;
use super::define::{Macro, Meaning};
use super::include::PREDEFINED;
use super::{Preprocessor, Source};
use crate::c::lex::RawKind;
use crate::c::token::{Symbol, Symbols};
use crate::diag::{Code, Span};
use alphorn_program::c::layout::DataModel;

/// Names that the preprocessor itself looks for.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    pub defined: Symbol,
    pub va_args: Symbol,
    pub va_opt: Symbol,
}

impl Known {
    /// Interns them.
    pub fn new(symbols: &mut Symbols) -> Known {
        Known {
            defined: symbols.intern("defined"),
            va_args: symbols.intern("__VA_ARGS__"),
            va_opt: symbols.intern("__VA_OPT__"),
        }
    }
}

/// Macros that are made where they are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Builtin {
    /// `__LINE__`
    Line,
    /// `__FILE__`, and `__BASE_FILE__`, which is the same where it matters.
    File,
    /// `__INCLUDE_LEVEL__`
    Level,
    /// `__COUNTER__`
    Counter,
    /// `__DATE__`: the same always, so that reading is a function of the file.
    Date,
    /// `__TIME__` likewise.
    Time,
    /// `__TIMESTAMP__` likewise.
    Timestamp,
    /// `_Pragma`
    Pragma,
    /// `__has_include`, in conditions.
    HasInclude,
    /// `__has_attribute` and its kin, in conditions: nothing is promised.
    HasFeature,
}

const BUILTINS: &[(&str, Builtin)] = &[
    ("__LINE__", Builtin::Line),
    ("__FILE__", Builtin::File),
    ("__BASE_FILE__", Builtin::File),
    ("__INCLUDE_LEVEL__", Builtin::Level),
    ("__COUNTER__", Builtin::Counter),
    ("__DATE__", Builtin::Date),
    ("__TIME__", Builtin::Time),
    ("__TIMESTAMP__", Builtin::Timestamp),
    ("_Pragma", Builtin::Pragma),
    ("__has_include", Builtin::HasInclude),
    ("__has_include_next", Builtin::HasInclude),
    ("__has_attribute", Builtin::HasFeature),
    ("__has_c_attribute", Builtin::HasFeature),
    ("__has_builtin", Builtin::HasFeature),
];

impl Preprocessor<'_> {
    /// Defines what is defined from the beginning, and what the options say.
    pub fn predefine(&mut self) {
        for &(name, builtin) in BUILTINS {
            let name = self.tokens.symbols.intern(name);
            self.set_macro(Macro {
                name,
                params: None,
                is_variadic: false,
                meaning: Meaning::Builtin(builtin),
                is_disabled: false,
            });
        }
        let model = match self.options.model {
            DataModel::Ilp32 => "#define __ILP32__ 1\n",
            DataModel::Lp64 => "#define __LP64__ 1\n",
        };
        let mut text = format!("{model}{PREDEFINED}");
        for (name, value) in &self.options.defines {
            let line = format!("#define {name} {value}").replace(['\n', '\r'], " ");
            text.push_str(&line);
            text.push('\n');
        }
        let source = Source::new(text.as_bytes());
        self.file(&mut Cursor::new(&source, Cursor::BUILTIN, Some(Span::NONE)));
    }

    /// What a macro of this kind stands for at a place; none where it is no macro.
    pub fn builtin(
        &mut self,
        builtin: Builtin,
        span: Span,
        cursor: &Cursor<'_>,
    ) -> Option<RawKind> {
        let number = |value: i64| (value.to_string(), false);
        let (text, is_text) = match builtin {
            Builtin::Line if cursor.place.is_some() => number(cursor.current_line()),
            Builtin::Line => number(cursor.line(span.start as usize)),
            Builtin::File => (quoted(cursor.name()), true),
            Builtin::Level => number(self.includes as i64),
            Builtin::Counter => {
                self.counter += 1;
                number(i64::from(self.counter) - 1)
            }
            Builtin::Date => (quoted("Jan  1 1970"), true),
            Builtin::Time => (quoted("00:00:00"), true),
            Builtin::Timestamp => (quoted("Thu Jan  1 00:00:00 1970"), true),
            Builtin::Pragma => return None,
            Builtin::HasInclude | Builtin::HasFeature => {
                let message = "this can be asked in #if and #elif only";
                self.error(cursor, Code::CMacro, span, message);
                return None;
            }
        };
        let symbol = self.tokens.symbols.intern(&text);
        Some(if is_text { RawKind::Text(symbol) } else { RawKind::Number(symbol) })
    }

    /// Which macro of this kind a name is.
    pub fn builtin_of(&self, name: Symbol) -> Option<Builtin> {
        match self.definitions[self.macro_of(name)?].meaning {
            Meaning::Builtin(builtin) => Some(builtin),
            Meaning::Body(_) => None,
        }
    }
}

/// A string literal with this text.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        if matches!(letter, '"' | '\\') {
            out.push('\\');
        }
        out.push(letter);
    }
    out.push('"');
    out
}
