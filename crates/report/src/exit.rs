//! Exit codes: one table, never changed.

/// How the program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// All properties proved (or the verb did what was asked).
    Safe,
    /// Some property violated.
    Unsafe,
    /// No property violated, some undecided.
    Unknown,
    /// The command line is wrong.
    Usage,
    /// The input is wrong.
    Input,
    /// The input is fine, but outside what this program treats.
    Unsupported,
    /// Evidence was refused.
    Refused,
    /// A fault of ours.
    Internal,
}

/// Which convention exit codes follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Convention {
    /// Our own table.
    #[default]
    Alphorn,
    /// That of SAT solvers: 10 when something satisfies (unsafe), 20 when nothing does (safe).
    Sat,
    /// Zero for every verdict; other numbers for errors only.
    Errors,
}

impl Exit {
    /// Every way to end, in order.
    pub const ALL: [Exit; 8] = [
        Exit::Safe,
        Exit::Unsafe,
        Exit::Unknown,
        Exit::Usage,
        Exit::Input,
        Exit::Unsupported,
        Exit::Refused,
        Exit::Internal,
    ];

    /// The code under a convention.
    pub fn code(self, convention: Convention) -> u8 {
        let own = self as u8;
        match (convention, self) {
            (Convention::Alphorn, _) => own,
            (Convention::Sat, Exit::Safe) => 20,
            (Convention::Sat, Exit::Unsafe) => 10,
            (Convention::Sat | Convention::Errors, Exit::Safe | Exit::Unsafe | Exit::Unknown) => 0,
            _ => own,
        }
    }

    /// What the code means.
    pub fn about(self) -> &'static str {
        match self {
            Exit::Safe => "all properties proved (or the command did what was asked)",
            Exit::Unsafe => "some property violated",
            Exit::Unknown => "no property violated, some undecided",
            Exit::Usage => "the command line is wrong",
            Exit::Input => "the input is wrong",
            Exit::Unsupported => "the input is outside what this program treats",
            Exit::Refused => "evidence was refused",
            Exit::Internal => "a fault of this program",
        }
    }
}
