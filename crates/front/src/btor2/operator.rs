//! The one table of BTOR2's operators: their names, and how their lines look.

macro_rules! operators {
    ($($variant:ident $name:literal $shape:ident,)*) => {
        /// An operator.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Operator { $($variant,)* }
        const NAMES: &[&str] = &[$($name,)*];
        impl Operator {
            /// The operator with this name.
            pub fn parse(name: &[u8]) -> Option<Operator> {
                match str::from_utf8(name).ok()? {
                    $($name => Some(Operator::$variant),)*
                    _ => None,
                }
            }
            /// Its name.
            pub fn name(self) -> &'static str {
                match self { $(Operator::$variant => $name,)* }
            }
            /// How its lines look.
            pub fn shape(self) -> Shape {
                match self { $(Operator::$variant => Shape::$shape,)* }
            }
        }
    };
}

/// What stands on a line after the operator, and which sorts fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// `bitvec` and a width, or `array` and two sorts.
    Sort,
    /// A sort.
    Variable,
    /// A sort, a state, and a value.
    Assign,
    /// A value.
    Property,
    /// A number, and as many values.
    Justice,
    /// A sort and digits.
    Digits,
    /// A sort.
    Constant,
    /// A word; the result has its width.
    Unary,
    /// A word; the result has one bit.
    Reduce,
    /// A word and how many bits to add.
    Extend,
    /// A word and the bits to take.
    Slice,
    /// Two words of one bit.
    Logic,
    /// Two values of one sort; the result has one bit.
    Equal,
    /// Two words of one width; the result has one bit.
    Compare,
    /// Two words of one width, which is the result's.
    Binary,
    /// Two words.
    Concat,
    /// An array and an index.
    Read,
    /// A condition of one bit and two values of one sort.
    Ite,
    /// An array, an index and an element.
    Write,
}

operators! {
    Sort "sort" Sort,
    Input "input" Variable,
    State "state" Variable,
    Init "init" Assign,
    Next "next" Assign,
    Bad "bad" Property,
    Constraint "constraint" Property,
    Fair "fair" Property,
    Output "output" Property,
    Justice "justice" Justice,
    Const "const" Digits,
    Constd "constd" Digits,
    Consth "consth" Digits,
    One "one" Constant,
    Ones "ones" Constant,
    Zero "zero" Constant,
    Not "not" Unary,
    Inc "inc" Unary,
    Dec "dec" Unary,
    Neg "neg" Unary,
    Redand "redand" Reduce,
    Redor "redor" Reduce,
    Redxor "redxor" Reduce,
    Sext "sext" Extend,
    Uext "uext" Extend,
    Slice "slice" Slice,
    Iff "iff" Logic,
    Implies "implies" Logic,
    Eq "eq" Equal,
    Neq "neq" Equal,
    Sgt "sgt" Compare,
    Ugt "ugt" Compare,
    Sgte "sgte" Compare,
    Ugte "ugte" Compare,
    Slt "slt" Compare,
    Ult "ult" Compare,
    Slte "slte" Compare,
    Ulte "ulte" Compare,
    And "and" Binary,
    Nand "nand" Binary,
    Nor "nor" Binary,
    Or "or" Binary,
    Xnor "xnor" Binary,
    Xor "xor" Binary,
    Rol "rol" Binary,
    Ror "ror" Binary,
    Sll "sll" Binary,
    Sra "sra" Binary,
    Srl "srl" Binary,
    Add "add" Binary,
    Mul "mul" Binary,
    Sdiv "sdiv" Binary,
    Udiv "udiv" Binary,
    Smod "smod" Binary,
    Srem "srem" Binary,
    Urem "urem" Binary,
    Sub "sub" Binary,
    Saddo "saddo" Compare,
    Uaddo "uaddo" Compare,
    Sdivo "sdivo" Compare,
    Udivo "udivo" Compare,
    Smulo "smulo" Compare,
    Umulo "umulo" Compare,
    Ssubo "ssubo" Compare,
    Usubo "usubo" Compare,
    Concat "concat" Concat,
    Read "read" Read,
    Ite "ite" Ite,
    Write "write" Write,
}

/// The operator whose name is nearest to `word`, if one is near at all.
pub(super) fn nearest(word: &[u8]) -> Option<&'static str> {
    const FAR: usize = 3;
    if word.len() > 16 {
        return None;
    }
    let word = word.to_ascii_lowercase();
    let ranked = NAMES.iter().map(|name| (distance(&word, name.as_bytes()), *name));
    // People rarely get the first letter wrong.
    let other_start = |name: &str| name.as_bytes().first() != word.first();
    let best = ranked.min_by_key(|(distance, name)| (*distance, other_start(name)))?;
    (best.0 < FAR && best.0 < word.len()).then_some(best.1)
}

/// How many insertions, deletions and replacements turn one word into the other (Levenshtein).
fn distance(from: &[u8], to: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, a) in from.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in to.iter().enumerate() {
            let replaced = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[to.len()]
}
