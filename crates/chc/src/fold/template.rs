//! Kinds of folds, and which of them are used together.

/// A kind of fold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// How many recursive constructors there are.
    Count,
    /// How many of them there are on the longest path.
    Height,
    /// The sum of the numbers.
    Sum,
    /// Which constructor is on top.
    Tag,
    /// The number at the top.
    Head,
    /// The number at the bottom.
    Last,
    /// The largest number.
    Greatest,
    /// The least number.
    Least,
    /// Whether each number is at most the next.
    Sorted,
    /// How many there are of each recursive constructor.
    Each,
    /// The number whose digits the recursive constructors are.
    Digits,
    /// How many of the numbers are the one that is watched.
    Occurs,
}

/// Kinds of folds that are used together, and where the numbers are that they are about.
pub(super) struct Template {
    pub(super) name: &'static str,
    pub(super) kinds: &'static [Kind],
    /// Whether a part that is itself of a datatype counts as its fold of the same kind: the largest number in a list of
    /// lists, not the largest length.
    pub(super) is_deep: bool,
}

const fn template(name: &'static str, kinds: &'static [Kind]) -> Template {
    Template { name, kinds, is_deep: false }
}

const fn deep(name: &'static str, kinds: &'static [Kind]) -> Template {
    Template { name, kinds, is_deep: true }
}

/// All templates, the cheap ones first.
pub(super) const TEMPLATES: &[Template] = &[
    template("counts", &[Kind::Count]),
    template("counts and tops", &[Kind::Tag, Kind::Count]),
    template("counts and sums", &[Kind::Count, Kind::Sum]),
    template("heights", &[Kind::Height]),
    template("counts of each", &[Kind::Each]),
    template("digits", &[Kind::Digits]),
    template("counts and tops and heads", &[Kind::Tag, Kind::Count, Kind::Head]),
    deep("counts and deep heads", &[Kind::Count, Kind::Head]),
    template("counts and bounds", &[Kind::Count, Kind::Greatest, Kind::Least]),
    template("counts and order", &[Kind::Count, Kind::Head, Kind::Sorted]),
    template("counts and ends", &[Kind::Count, Kind::Head, Kind::Last]),
    template("counts and occurrences", &[Kind::Count, Kind::Occurs]),
    template(
        "order and bounds",
        &[Kind::Count, Kind::Head, Kind::Sorted, Kind::Greatest, Kind::Least],
    ),
    deep("counts and deep sums", &[Kind::Count, Kind::Sum]),
    deep("counts and deep bounds", &[Kind::Count, Kind::Greatest, Kind::Least]),
];
