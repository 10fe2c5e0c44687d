//! Tokens of C after preprocessing: what the parser sees.
//!
//! Spellings are stored once and named by symbols. The spellings of keywords are the first symbols, so
//! that a name is known to be a keyword by its number. There is one table of keywords with all their
//! spellings and one of punctuators.
//!
//! Source: C11 6.4; the GNU C manual, "Alternate Keywords".

use alphorn_problem::Span;
use alphorn_program::c::tree::Annotation;
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// An interned spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(pub u32);

/// All spellings of a file, each once.
///
/// The texts stand one after the other in one string; `slots` is a hash table of symbols plus one, at
/// most half full.
#[derive(Clone, Debug)]
pub struct Symbols {
    texts: String,
    ends: Vec<u32>,
    slots: Vec<u32>,
}

impl Default for Symbols {
    fn default() -> Symbols {
        let mut symbols = Symbols { texts: String::new(), ends: vec![], slots: vec![0; 1 << 10] };
        for (text, _) in SPELLINGS {
            symbols.intern(text);
        }
        symbols
    }
}

impl Symbols {
    /// The symbol of a spelling.
    pub fn intern(&mut self, text: &str) -> Symbol {
        let mut at = self.slot(text);
        while self.slots[at] != 0 {
            let symbol = Symbol(self.slots[at] - 1);
            if self.text(symbol) == text {
                return symbol;
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
        let symbol = Symbol(self.ends.len() as u32);
        self.texts.push_str(text);
        self.ends.push(u32::try_from(self.texts.len()).expect("less than 4 GiB of names"));
        self.slots[at] = symbol.0 + 1;
        if self.ends.len() * 2 > self.slots.len() {
            self.grow();
        }
        symbol
    }

    /// The spelling of a symbol.
    pub fn text(&self, symbol: Symbol) -> &str {
        let index = symbol.0 as usize;
        let start = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        &self.texts[start..self.ends[index] as usize]
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.ends.len()
    }

    fn slot(&self, text: &str) -> usize {
        let mut hasher = FxHasher::default();
        hasher.write(text.as_bytes());
        let hash = hasher.finish();
        (hash ^ (hash >> 32)) as usize & (self.slots.len() - 1)
    }

    fn grow(&mut self) {
        self.slots = vec![0; self.slots.len() * 2];
        for index in 0..self.ends.len() as u32 {
            let mut at = self.slot(self.text(Symbol(index)));
            while self.slots[at] != 0 {
                at = (at + 1) & (self.slots.len() - 1);
            }
            self.slots[at] = index + 1;
        }
    }
}

/// What a token is. Numbers, characters and strings keep their spelling, with prefixes and quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A name that is no keyword.
    Name(Symbol),
    /// A keyword.
    Keyword(Keyword),
    /// A number.
    Number(Symbol),
    /// A character constant. Bytes that are no text stand as octal escapes.
    Char(Symbol),
    /// A string literal. Bytes that are no text stand as octal escapes.
    Text(Symbol),
    /// A punctuator.
    Punct(Punct),
    /// The end of the file.
    End,
}

/// A token. A token that a macro or an included file made has the span of the macro's use or the `#include`.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// Where it stands.
    pub span: Span,
}

/// `#pragma pack`: how members of the structures that follow are aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packing {
    /// The number of the first token to which it applies.
    pub from: usize,
    /// No member is aligned to more bytes; none for the usual alignment.
    pub align: Option<u32>,
}

/// What a file becomes.
#[derive(Clone, Debug, Default)]
pub struct Tokens {
    /// The tokens; the last one is `Kind::End`.
    pub all: Vec<Token>,
    /// The spellings.
    pub symbols: Symbols,
    /// Comments that speak to verifiers, of the file itself.
    pub annotations: Vec<Annotation>,
    /// Changes of packing, in order.
    pub packings: Vec<Packing>,
}

macro_rules! keywords {
    ($($name:ident $first:literal $($other:literal)*;)*) => {
        /// The keywords, each with all its spellings.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Keyword { $(#[doc = concat!("`", $first, "`")] $name,)* }

        /// Every spelling of every keyword; a spelling's position is its symbol.
        const SPELLINGS: &[(&str, Keyword)] =
            &[$(($first, Keyword::$name), $(($other, Keyword::$name),)*)*];

        impl Keyword {
            /// How it is usually written.
            pub fn text(self) -> &'static str {
                match self { $(Keyword::$name => $first,)* }
            }
        }
    };
}

impl Keyword {
    /// The keyword that is spelled so.
    pub fn of(symbol: Symbol) -> Option<Keyword> {
        SPELLINGS.get(symbol.0 as usize).map(|&(_, keyword)| keyword)
    }
}

keywords! {
    Auto "auto";
    Break "break";
    Case "case";
    Char "char";
    Const "const" "__const" "__const__";
    Continue "continue";
    Default "default";
    Do "do";
    Double "double";
    Else "else";
    Enum "enum";
    Extern "extern";
    Float "float";
    For "for";
    Goto "goto";
    If "if";
    Inline "inline" "__inline" "__inline__";
    Int "int";
    Long "long";
    Register "register";
    Restrict "restrict" "__restrict" "__restrict__";
    Return "return";
    Short "short";
    Signed "signed" "__signed" "__signed__";
    Sizeof "sizeof";
    Static "static";
    Struct "struct";
    Switch "switch";
    Typedef "typedef";
    Union "union";
    Unsigned "unsigned" "__unsigned__";
    Void "void";
    Volatile "volatile" "__volatile" "__volatile__";
    While "while";
    Bool "_Bool";
    Complex "_Complex" "__complex" "__complex__";
    Imaginary "_Imaginary";
    Alignas "_Alignas";
    Alignof "_Alignof" "__alignof" "__alignof__";
    Atomic "_Atomic";
    Generic "_Generic";
    Noreturn "_Noreturn";
    StaticAssert "_Static_assert";
    ThreadLocal "_Thread_local" "__thread";
    Asm "asm" "__asm" "__asm__";
    Attribute "__attribute__" "__attribute";
    Typeof "typeof" "__typeof" "__typeof__";
    Extension "__extension__";
    Label "__label__";
    Int128 "__int128";
    Float128 "__float128" "_Float128";
    VaArg "__builtin_va_arg";
    Offsetof "__builtin_offsetof";
    TypesCompatible "__builtin_types_compatible_p";
    ChooseExpr "__builtin_choose_expr";
    AutoType "__auto_type";
    Real "__real__" "__real";
    Imag "__imag__" "__imag";
    VaListType "__builtin_va_list";
}

macro_rules! puncts {
    ($($name:ident $text:literal,)*) => {
        /// The punctuators.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Punct { $(#[doc = concat!("`", $text, "`")] $name,)* }

        impl Punct {
            /// How it is written.
            pub fn text(self) -> &'static str {
                match self { $(Punct::$name => $text,)* }
            }
        }
    };
}

puncts! {
    LBracket "[",
    RBracket "]",
    LParen "(",
    RParen ")",
    LBrace "{",
    RBrace "}",
    Dot ".",
    Arrow "->",
    PlusPlus "++",
    MinusMinus "--",
    Amp "&",
    Star "*",
    Plus "+",
    Minus "-",
    Tilde "~",
    Bang "!",
    Slash "/",
    Percent "%",
    Shl "<<",
    Shr ">>",
    Lt "<",
    Gt ">",
    Le "<=",
    Ge ">=",
    EqEq "==",
    Ne "!=",
    Caret "^",
    Pipe "|",
    AmpAmp "&&",
    PipePipe "||",
    Question "?",
    Colon ":",
    Semicolon ";",
    Ellipsis "...",
    Assign "=",
    StarAssign "*=",
    SlashAssign "/=",
    PercentAssign "%=",
    PlusAssign "+=",
    MinusAssign "-=",
    ShlAssign "<<=",
    ShrAssign ">>=",
    AmpAssign "&=",
    CaretAssign "^=",
    PipeAssign "|=",
    Comma ",",
    Hash "#",
    HashHash "##",
}
