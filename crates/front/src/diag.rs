//! What a reader has to say about its input.
//!
//! A diagnostic has a stable code, a place, one sentence and, where we know one, a hint. Readers
//! collect diagnostics and go on; how they look on a screen is `report`'s business. There is one
//! table of codes (`Code`), so that manuals and tests can list them all.

pub use alphorn_problem::Span;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Something was understood but has no effect; the problem is unchanged by it.
    Warning,
    /// The input is outside what this program treats.
    Unsupported,
    /// The input is wrong.
    Error,
}

macro_rules! codes {
    ($($name:ident $code:literal $doc:literal,)*) => {
        /// The kinds of diagnostics; `A…` AIGER, `B…` BTOR2, `D…` DIMACS, `P…` C programs, `S…` SMT-LIB,
        /// `I…` transition systems of the termination competition, `H…` Horn clauses in Prolog, `N…` NTS,
        /// `L…` SV-LIB, `T…` T2, `O…` Boogie, `M…` systems of counters, `R…` timed automata, `U…` protocols in Cubicle's language, `Z…` models in the Murphi language, `W…` witnesses, `Q…` properties, `K…` hints, `F…` files, `C…` parameters and costs, `V…` answers that say nothing.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Code { $(#[doc = $doc] $name,)* }
        impl Code {
            /// Every code, in order.
            pub const ALL: &[Code] = &[$(Code::$name,)*];
            /// The stable code, as printed.
            pub fn code(self) -> &'static str {
                match self { $(Code::$name => $code,)* }
            }
            /// What the code means in general.
            pub fn about(self) -> &'static str {
                match self { $(Code::$name => $doc,)* }
            }
        }
    };
}

codes! {
    FileUnreadable "F001" "The file cannot be read.",
    FileEmpty "F002" "The file is empty.",
    FormatUnknown "F003" "Neither the name nor the content says which format this is.",
    FileTooLarge "F004" "The file is larger than this program reads.",
    FileCompressed "F005" "A compressed file is damaged or incomplete.",
    FileEncoding "F006" "The text is not in UTF-8.",
    FormatMismatch "F007" "The name says another format than the content.",
    AigerHeader "A001" "The header of an AIGER file is malformed.",
    AigerTruncated "A002" "The file ends before what its header promises.",
    AigerNumber "A003" "A number was expected.",
    AigerLiteral "A004" "A literal is out of range or undefined.",
    AigerRedefined "A005" "A variable is defined twice.",
    AigerCyclic "A006" "Gates or resets depend on themselves.",
    AigerSymbol "A007" "A line of the symbol table is malformed.",
    AigerWitness "A008" "A witness is malformed.",
    AigerTrailing "A009" "Something stands after the end.",
    Game "A010" "A file states no safety game.",
    BtorLine "B001" "A line is malformed.",
    BtorSort "B002" "Sorts do not fit.",
    BtorReference "B003" "An identifier is undefined or of the wrong kind.",
    BtorOperator "B004" "An operator is unknown.",
    BtorNumber "B005" "A number is malformed or out of range.",
    BtorState "B006" "A state's init or next is wrong.",
    BtorWitness "B007" "A witness is malformed.",
    DimacsHeader "D001" "The header of a DIMACS file is missing or malformed.",
    DimacsNumber "D002" "A literal was expected.",
    DimacsVariable "D003" "A variable is beyond those that the header promises.",
    DimacsEnd "D004" "The last clause is not ended by 0.",
    DimacsCount "D005" "The number of clauses is not the one that the header promises.",
    DimacsSparse "D006" "The variables' numbers are far larger than the file.",
    CByte "P001" "A byte of a C program starts no token.",
    CLiteral "P002" "A character constant or string literal is malformed or not closed.",
    CComment "P003" "A comment is not closed.",
    CDirective "P004" "A preprocessing directive is malformed or unknown.",
    CConditional "P005" "Conditional directives do not match, or a condition is malformed.",
    CMacro "P006" "A macro is wrongly defined or used.",
    CInclude "P007" "An included file is not there.",
    CRefused "P008" "The program says #error or #warning.",
    CExpansion "P009" "Macros or included files grow beyond measure.",
    CSyntax "P010" "A C program is not written as the grammar has it.",
    CUnclosed "P011" "A brace or parenthesis is not closed.",
    CDepth "P012" "Something is nested deeper than this program reads.",
    CUndeclared "P013" "A name is not declared.",
    CRedeclared "P014" "A name is declared twice, with different meanings.",
    CType "P015" "Types do not fit.",
    CIncomplete "P016" "The size of a type is not known where it is needed.",
    CCall "P017" "A call has too few or too many arguments.",
    CConversion "P018" "A value of one type is used as one of another.",
    CConstant "P019" "A constant is wanted, or a constant is not what it must be.",
    CLabel "P020" "A label, case, break or continue does not fit.",
    CReturn "P021" "A return does not fit its function.",
    CImplicit "P022" "Something is declared by its use alone.",
    CEntry "P030" "There is no function to begin with.",
    CUntreated "P031" "Something that runs may come to is not treated.",
    SmtLex "S001" "A token is malformed.",
    SmtParen "S002" "Parentheses do not balance.",
    SmtSyntax "S003" "A command or term has the wrong form.",
    SmtUndeclared "S004" "A symbol is not declared.",
    SmtSort "S005" "Sorts do not fit.",
    SmtRedeclared "S006" "A symbol is declared twice.",
    SmtCommand "S007" "A command is not treated.",
    SmtLogic "S008" "A logic is not treated.",
    SmtNotHorn "S009" "An assertion is not a Horn clause.",
    SmtOption "S010" "An option is not treated.",
    SmtNoQuery "S011" "The script asks nothing.",
    SmtDatatype "S012" "A datatype is malformed or has no finite values.",
    SmtIgnored "S013" "An annotation or command has no effect.",
    SmtPattern "S014" "A pattern cannot find instances of its quantifier.",
    SmtMeaning "S015" "Dialects differ in what something means.",
    SmtInstances "S016" "Instances stand for something quantified.",
    ItsForm "I001" "A transition system is not written as its format has it.",
    ItsQuantifier "I002" "A quantifier cannot become an input of a transition.",
    ItsUntreated "I003" "A part of a transition system is not treated.",
    NtsSyntax "N001" "A declaration, an edge or a formula is malformed.",
    NtsUndeclared "N002" "A variable or system is not declared.",
    NtsRedeclared "N003" "A variable or system is declared twice.",
    NtsSort "N004" "Types or numbers of arguments do not fit.",
    NtsUnsupported "N005" "A construct is not treated.",
    NtsMissing "N006" "A system that is called is not there, and the call has no effect.",
    PrologSyntax "H001" "A clause is malformed.",
    PrologKind "H002" "A relation, a formula or a number stands where another is needed.",
    PrologNotHorn "H003" "A clause is not a Horn clause.",
    PrologIgnored "H004" "A directive has no effect.",
    PrologNoQuery "H005" "No clause has the head false.",
    SvlibStatement "L001" "A statement is malformed, or stands where it cannot.",
    SvlibSort "L002" "A variable, a value or a call does not fit.",
    SvlibTag "L003" "A tag or an annotation is unknown.",
    SvlibUnsupported "L004" "A command or annotation is not treated.",
    T2Syntax "T001" "A declaration, a command or an expression is malformed.",
    T2Sort "T002" "A number stands for a formula, or the other way round.",
    T2Unsupported "T003" "The file asks what is not treated.",
    BoogieSyntax "O001" "A declaration, a statement or an expression is malformed.",
    BoogieUndeclared "O002" "A name is not declared.",
    BoogieRedeclared "O003" "A name is declared twice.",
    BoogieSort "O004" "Types or numbers of arguments do not fit.",
    BoogieUnsupported "O005" "A construct is not treated.",
    NetSyntax "M001" "A net is not written as its format has it.",
    NetName "M002" "A counter is not declared, or declared twice.",
    NetUntreated "M003" "A system of counters is larger than this program treats.",
    NetIgnored "M004" "A part of a net has no effect.",
    NetTwice "M008" "A counter has two new values in one rule.",
    ThreadSyntax "M005" "A thread transition system is not written as its format has it.",
    ThreadTarget "M006" "The state that must not be covered is not said, or is malformed.",
    ThreadTransfer "M007" "A transfer of threads is not treated.",
    BooleanSyntax "M009" "A Boolean program is not written as its format has it.",
    BooleanName "M010" "A variable or a label is not declared, or declared twice.",
    BooleanUntreated "M011" "A construct of Boolean programs is not treated.",
    TimedSyntax "R001" "A network of timed automata is not written as its format has it.",
    TimedName "R002" "A part of a network is not declared, or declared twice.",
    TimedUntreated "R003" "A construct of timed automata is not treated.",
    TimedIgnored "R004" "An attribute of a network has no effect.",
    TimedTarget "R005" "What a network must not reach is not said, or is malformed.",
    TimedTemplate "R006" "A template is not one of which there can be any number of copies, or none is there.",
    CubicleSyntax "U001" "A protocol is not written as Cubicle's language has it.",
    CubicleName "U002" "A name of a protocol is not declared, or declared twice.",
    CubicleUntreated "U003" "A construct of Cubicle's language is not treated.",
    CubicleIgnored "U004" "A part of a protocol has no effect.",
    CubicleProcesses "U005" "A number of processes is given for what has no processes.",
    MurphiSyntax "Z001" "A Murphi model is not written as its language has it.",
    MurphiName "Z002" "A name of a Murphi model is not declared, or declared twice.",
    MurphiType "Z003" "A value or a variable of a Murphi model has another type than is needed.",
    MurphiUntreated "Z004" "A construct of the Murphi language is not treated.",
    Response "Z005" "A question about a response does not fit the model.",
    SdnSyntax "Z008" "A network is not written as its format has it.",
    SdnName "Z009" "A name of a network is not declared, or declared twice.",
    Template "Z007" "A template is malformed or does not fit its circuit.",
    FtsSyntax "Z006" "A fair transition system is not written as its format has it.",
    Temporal "G001" "A temporal formula is malformed.",
    Hint "K001" "A file of hints is malformed, or does not fit the problem.",
    CostSyntax "C001" "A file of costs is malformed.",
    CostName "C002" "A cost or a parameter is not there, or there twice.",
    Evidence "E001" "A file of evidence is malformed.",
    Yaml "W001" "A YAML file is malformed.",
    Witness "W002" "A witness of a program is malformed.",
    WitnessPlace "W003" "A witness speaks about a place or a name that the program does not have.",
    PropertyFile "Q001" "A property or task definition is malformed.",
    PropertyUntreated "Q002" "A property is not treated.",
    Vacuous "V001" "The answer holds because nothing can happen or nothing is asked.",
    ConvertMeaningless "C001" "The problem has no counterpart in the target format.",
    ConvertLost "C002" "Something that changes no answer has no place in the target format.",
}

/// One thing to tell the user about the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// Its kind.
    pub code: Code,
    /// Where it is.
    pub span: Span,
    /// One sentence.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl Diagnostic {
    /// An error.
    pub fn error(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Error, code, span, message: message.into(), hint: None }
    }

    /// The input is fine but not treated.
    pub fn unsupported(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Unsupported, ..Self::error(code, span, message) }
    }

    /// Something has no effect.
    pub fn warning(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Self::error(code, span, message) }
    }

    /// What is said about a text whose places do not fit into a span.
    pub(crate) fn too_large(bytes: &[u8]) -> Option<Diagnostic> {
        let message = "the file is larger than 4 GiB, more than this reader takes";
        let is_large = u32::try_from(bytes.len()).is_err();
        is_large.then(|| Diagnostic::error(Code::FileTooLarge, Span::NONE, message))
    }

    /// Adds a hint.
    pub fn hint(mut self, hint: impl Into<String>) -> Diagnostic {
        self.hint = Some(hint.into());
        self
    }

    /// The line and the column, from 1, at which it stands in `source`; in characters, in bytes where
    /// the input is not text; nothing where it is about the input as a whole.
    pub fn place(&self, source: &[u8]) -> Option<(usize, usize)> {
        if self.span == Span::NONE {
            return None;
        }
        let start = (self.span.start as usize).min(source.len());
        let before = &source[..start];
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        let line_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let column = match std::str::from_utf8(&source[line_start..start]) {
            Ok(text) => 1 + text.chars().count(),
            Err(_) => 1 + start - line_start,
        };
        Some((line, column))
    }
}

/// How many diagnostics one run reports; a binary file read as text would yield millions.
pub const MAX_DIAGNOSTICS: usize = 20;

/// Diagnostics of one run of a reader.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    /// What was found, in order.
    pub list: Vec<Diagnostic>,
}

impl Diagnostics {
    /// Records `diagnostic`.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.list.push(diagnostic);
    }

    /// Whether a reader should give up: enough has been said.
    pub fn is_full(&self) -> bool {
        self.list.len() >= MAX_DIAGNOSTICS
    }

    /// The worst severity so far.
    pub fn worst(&self) -> Option<Severity> {
        self.list.iter().map(|d| d.severity).max()
    }

    /// Whether the problem as read is what the file says: nothing worse than a warning.
    pub fn is_clean(&self) -> bool {
        self.worst().is_none_or(|worst| worst == Severity::Warning)
    }
}

/// What a reader returns: the problem, if the input is sound, and everything it noticed.
pub type Read<P> = (Option<P>, Diagnostics);

/// Reads a text that is taken apart first, and made something of if there was nothing to complain of.
pub(crate) fn by_parts<'t, F, P>(
    bytes: &'t [u8],
    parse: impl FnOnce(&'t [u8], &mut Diagnostics) -> F,
    lower: impl FnOnce(&'t [u8], &F, &mut Diagnostics) -> Option<P>,
) -> Read<P> {
    let mut diagnostics = Diagnostics::default();
    if let Some(diagnostic) = Diagnostic::too_large(bytes) {
        diagnostics.push(diagnostic);
        return (None, diagnostics);
    }
    let file = parse(bytes, &mut diagnostics);
    if !diagnostics.is_clean() {
        return (None, diagnostics);
    }
    let problem = lower(bytes, &file, &mut diagnostics);
    (problem.filter(|_| diagnostics.is_clean()), diagnostics)
}

/// Reads a text up to the first thing that is wrong with it.
pub(crate) fn until_wrong<P>(
    bytes: &[u8],
    syntax: Code,
    read: impl FnOnce(&str) -> Result<P, Box<Diagnostic>>,
) -> Read<P> {
    let mut diagnostics = Diagnostics::default();
    let found = match (Diagnostic::too_large(bytes), std::str::from_utf8(bytes)) {
        (Some(diagnostic), _) => Err(Box::new(diagnostic)),
        (None, Ok(text)) => read(text),
        (None, Err(error)) => {
            let span = Span::new(error.valid_up_to(), error.valid_up_to());
            Err(Box::new(Diagnostic::error(syntax, span, "this is no text")))
        }
    };
    let problem = found.map_err(|diagnostic| diagnostics.push(*diagnostic)).ok();
    (problem, diagnostics)
}
