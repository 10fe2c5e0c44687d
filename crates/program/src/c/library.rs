//! Functions that are not defined in the program and are known all the same.
//!
//! Each has a meaning of one line here; who runs programs and who makes formulas of them both go by it. A
//! function that is defined in the program is what its body says, except for those whose call is a
//! violation. A function that is neither defined nor known returns anything, and writes anything through
//! every pointer it gets and to every global variable whose address escaped.

use super::layout::IntKind;
use super::tree::Function;

/// What a known function does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// Returns any value of its integer type.
    Nondet(IntKind),
    /// Returns any pointer: null here, since no other address is known to be valid.
    NondetPointer,
    /// Returns any floating number.
    NondetFloat,
    /// Ends the run unless its argument is true.
    Assume,
    /// Violates `unreach-call`, and ends the run.
    Error,
    /// Violates `assert` unless its argument is true, and ends the run then.
    Assert,
    /// Violates `assert`, and ends the run.
    AssertFail,
    /// Ends the run.
    Stop,
    /// `malloc(size)`: a new object.
    Malloc,
    /// `calloc(count, size)`: a new object of zeros.
    Calloc,
    /// `realloc(pointer, size)`: a new object with what the old one had; the old one is freed.
    Realloc,
    /// `free(pointer)`; nothing for a null pointer.
    Free,
    /// `alloca(size)`: a new object until the function returns.
    Alloca,
    /// `memset(to, byte, size)`: returns `to`.
    Memset,
    /// `memcpy(to, from, size)`: returns `to`.
    Memcpy,
    /// `memmove(to, from, size)`: returns `to`.
    Memmove,
    /// `memcmp(a, b, size)`: negative, zero or positive.
    Memcmp,
    /// `strlen(text)`.
    Strlen,
    /// `strcpy(to, from)`: returns `to`.
    Strcpy,
    /// `strncpy(to, from, size)`: returns `to`.
    Strncpy,
    /// `strcat(to, from)`: returns `to`.
    Strcat,
    /// `strcmp(a, b)`: negative, zero or positive.
    Strcmp,
    /// `strncmp(a, b, size)`: negative, zero or positive.
    Strncmp,
    /// `strchr(text, character)`: a pointer into `text`, or null.
    Strchr,
    /// `strdup(text)`: a new object with the text in it.
    Strdup,
    /// `toupper(character)` in the locale "C".
    Upper,
    /// `tolower(character)`, likewise.
    Lower,
    /// `abs(x)` and its kin; the smallest value overflows.
    Abs,
    /// Prints or otherwise changes nothing that a program sees; returns any value of its type.
    Output,
    /// `__builtin_expect(x, y)`: returns `x`.
    First,
    /// Starts another process, or a thread in a way that is not treated.
    Thread,
    /// Has to do with threads.
    Sync(Sync),
    /// Returns 0 and does nothing else that a program sees.
    Zero,
    /// Leaves a function for one further out, which is not treated.
    LongJump,
}

/// What a call has to do with threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sync {
    /// `pthread_create(handle, attributes, function, argument)`: another thread calls the function.
    Create,
    /// `pthread_join(thread, result)`: waits until the thread has ended.
    Join,
    /// `pthread_exit(result)`: ends the thread.
    EndThread,
    /// `pthread_mutex_init(mutex, attributes)` and its kin: nobody holds it.
    MutexInit,
    /// `pthread_mutex_lock(mutex)`: waits until nobody holds it, and takes it.
    Lock,
    /// `pthread_mutex_trylock(mutex)`: takes it if nobody holds it, else returns `EBUSY`.
    TryLock,
    /// `pthread_mutex_unlock(mutex)`: gives it back; the thread must hold it.
    Unlock,
    /// `pthread_cond_wait(condition, mutex)`: gives the mutex back, waits for a signal, and takes the mutex again.
    Wait,
    /// `pthread_cond_signal(condition)`: wakes one that waits.
    Signal,
    /// `pthread_cond_broadcast(condition)`: wakes all that wait.
    Broadcast,
    /// Begins a section that no other thread interrupts.
    AtomicBegin,
    /// Ends such a section.
    AtomicEnd,
}

/// What calling a function does if not what its body says: a known function that is not defined does what
/// is known, and a call of one that must not be called is a violation even if it is defined.
pub fn meaning(function: &Function) -> Option<Known> {
    match known(&function.name) {
        Some(Known::Error) => Some(Known::Error),
        known if function.body.is_none() => known,
        _ => None,
    }
}

/// Why a function that is not defined cannot be taken for one that may do anything, if so: it belongs to the
/// language or the system, and what it does is not known here.
pub fn untreated(name: &str) -> Option<&'static str> {
    if name.starts_with("pthread_") {
        return Some("threads");
    }
    if ["__builtin_", "__sync_", "__atomic_"].iter().any(|prefix| name.starts_with(prefix)) {
        return Some("a function of the compiler");
    }
    match name {
        "signal" | "raise" | "sigaction" | "atexit" | "on_exit" | "at_quick_exit" | "qsort"
        | "bsearch" => Some("a function that calls functions of the program"),
        name if STANDARD.contains(&name) => Some("a function of the standard library"),
        _ => None,
    }
}

/// Functions of C11's library that return something definite, and are not among the known ones.
const STANDARD: &[&str] = &[
    "__errno_location",
    "__ctype_b_loc",
    "__ctype_tolower_loc",
    "__ctype_toupper_loc",
    "isalnum",
    "isalpha",
    "isblank",
    "iscntrl",
    "isdigit",
    "isgraph",
    "islower",
    "isprint",
    "ispunct",
    "isspace",
    "isupper",
    "isxdigit",
    "atof",
    "atoi",
    "atol",
    "atoll",
    "strtod",
    "strtof",
    "strtol",
    "strtoll",
    "strtoul",
    "strtoull",
    "rand",
    "div",
    "ldiv",
    "lldiv",
    "aligned_alloc",
    "posix_memalign",
    "memalign",
    "valloc",
    "strndup",
    "reallocarray",
    "memchr",
    "strncat",
    "strrchr",
    "strstr",
    "strtok",
    "strtok_r",
    "strspn",
    "strcspn",
    "strpbrk",
    "strcoll",
    "strxfrm",
    "stpcpy",
    "strnlen",
    "strcasecmp",
    "strncasecmp",
    "strsep",
    "bcmp",
    "bcopy",
    "bzero",
    "mempcpy",
    "memccpy",
    "memrchr",
    "sprintf",
    "snprintf",
    "vsprintf",
    "vsnprintf",
    "asprintf",
    "vasprintf",
    "sscanf",
    "getchar",
    "getc",
    "fgetc",
    "fgets",
    "gets",
    "getline",
    "fread",
    "scanf",
    "fscanf",
    "read",
    "recv",
    "ffs",
];

/// What functions about characters may be given: those with and without sign, and the end of a file.
pub const CHARACTERS: std::ops::RangeInclusive<i128> = -128..=255;

/// The letters that a function about their case changes, and by how much.
pub fn letters(known: Known) -> (std::ops::RangeInclusive<i128>, i128) {
    match known {
        Known::Upper => (97..=122, -32),
        _ => (65..=90, 32),
    }
}

/// By how much a function about the case of letters changes a character.
pub fn change_of_case(known: Known, character: i128) -> i128 {
    let (changed, by) = letters(known);
    if changed.contains(&character) { by } else { 0 }
}

/// What `pthread_mutex_trylock` returns if another thread holds the mutex: `EBUSY`.
pub const BUSY: i128 = 16;

/// Whether no other thread runs while a function of this name does, as SV-COMP has it.
pub fn is_atomic(name: &str) -> bool {
    name.starts_with("__VERIFIER_atomic_")
}

impl Known {
    /// Whether a call has to do with threads.
    pub fn is_about_threads(self) -> bool {
        matches!(self, Known::Sync(_))
    }

    /// Whether a call is a visible step: other threads may run before it.
    pub fn is_visible(self) -> bool {
        let is_hidden =
            |sync: Sync| matches!(sync, Sync::EndThread | Sync::MutexInit | Sync::AtomicEnd);
        matches!(self, Known::Sync(sync) if !is_hidden(sync))
    }
}

/// Whether a function that ends the run is an orderly end of the program, at which memory is looked over.
pub fn is_exit(name: &str) -> bool {
    matches!(name, "exit" | "_exit" | "_Exit" | "quick_exit")
}

/// What a function of this name does, if it is known.
pub fn known(name: &str) -> Option<Known> {
    if let Some(ty) = name.strip_prefix("__VERIFIER_nondet_") {
        return nondet(ty);
    }
    Some(match name {
        "reach_error" | "__VERIFIER_error" => Known::Error,
        "__VERIFIER_assume" | "__builtin_assume" | "assume" => Known::Assume,
        "assert" => Known::Assert,
        "__assert_fail"
        | "__assert"
        | "__assert_func"
        | "__assert_rtn"
        | "__assert_perror_fail" => Known::AssertFail,
        "abort"
        | "exit"
        | "_exit"
        | "_Exit"
        | "quick_exit"
        | "__builtin_unreachable"
        | "__builtin_trap" => Known::Stop,
        "malloc" | "__builtin_malloc" | "__kmalloc" | "kmalloc" | "xmalloc" => Known::Malloc,
        "calloc" | "__builtin_calloc" | "kzalloc" => Known::Calloc,
        "realloc" => Known::Realloc,
        "free" | "__builtin_free" | "kfree" | "cfree" => Known::Free,
        "alloca" | "__builtin_alloca" => Known::Alloca,
        "memset" | "__builtin_memset" => Known::Memset,
        "memcpy" | "__builtin_memcpy" => Known::Memcpy,
        "memmove" | "__builtin_memmove" => Known::Memmove,
        "memcmp" | "__builtin_memcmp" => Known::Memcmp,
        "strlen" | "__builtin_strlen" => Known::Strlen,
        "strcpy" | "__builtin_strcpy" => Known::Strcpy,
        "strncpy" | "__builtin_strncpy" => Known::Strncpy,
        "strcat" | "__builtin_strcat" => Known::Strcat,
        "strcmp" | "__builtin_strcmp" => Known::Strcmp,
        "strncmp" | "__builtin_strncmp" => Known::Strncmp,
        "strchr" | "__builtin_strchr" => Known::Strchr,
        "strdup" | "__strdup" | "__builtin_strdup" => Known::Strdup,
        "toupper" => Known::Upper,
        "tolower" => Known::Lower,
        "abs" | "labs" | "llabs" | "imaxabs" | "__builtin_abs" | "__builtin_labs" => Known::Abs,
        "printf" | "puts" | "putchar" | "fprintf" | "fflush" | "perror" | "printk" | "putc"
        | "fputs" | "fputc" | "vprintf" | "vfprintf" | "__builtin_printf" | "__builtin_puts"
        | "syslog" | "sleep" | "usleep" | "srand" => Known::Output,
        "__builtin_expect" => Known::First,
        "thrd_create" | "clone" | "fork" | "vfork" => Known::Thread,
        "pthread_create" => Known::Sync(Sync::Create),
        "pthread_join" => Known::Sync(Sync::Join),
        "pthread_exit" => Known::Sync(Sync::EndThread),
        "pthread_mutex_init" | "pthread_spin_init" => Known::Sync(Sync::MutexInit),
        "pthread_mutex_lock" | "pthread_spin_lock" => Known::Sync(Sync::Lock),
        "pthread_mutex_trylock" | "pthread_spin_trylock" => Known::Sync(Sync::TryLock),
        "pthread_mutex_unlock" | "pthread_spin_unlock" => Known::Sync(Sync::Unlock),
        "pthread_cond_wait" => Known::Sync(Sync::Wait),
        "pthread_cond_signal" => Known::Sync(Sync::Signal),
        "pthread_cond_broadcast" => Known::Sync(Sync::Broadcast),
        "pthread_mutex_destroy"
        | "pthread_spin_destroy"
        | "pthread_cond_init"
        | "pthread_cond_destroy"
        | "pthread_attr_init"
        | "pthread_attr_destroy"
        | "pthread_mutexattr_init"
        | "pthread_mutexattr_destroy"
        | "pthread_detach"
        | "pthread_yield"
        | "sched_yield" => Known::Zero,
        "longjmp" | "_longjmp" | "siglongjmp" | "setjmp" | "_setjmp" | "sigsetjmp"
        | "__sigsetjmp" | "__builtin_longjmp" | "__builtin_setjmp" => Known::LongJump,
        "__VERIFIER_atomic_begin" => Known::Sync(Sync::AtomicBegin),
        "__VERIFIER_atomic_end" => Known::Sync(Sync::AtomicEnd),
        _ => return None,
    })
}

/// What `__VERIFIER_nondet_` followed by a type returns.
fn nondet(ty: &str) -> Option<Known> {
    Some(Known::Nondet(match ty {
        "bool" | "_Bool" => IntKind::Bool,
        "char" => IntKind::Char,
        "schar" => IntKind::SignedChar,
        "uchar" | "u8" | "unsigned_char" => IntKind::UnsignedChar,
        "short" => IntKind::Short,
        "ushort" | "u16" => IntKind::UnsignedShort,
        "int" | "pthread_t" => IntKind::Int,
        "uint" | "u32" | "unsigned" | "U32" => IntKind::UnsignedInt,
        "long" | "loff_t" => IntKind::Long,
        "ulong" | "unsigned_long" | "size_t" | "sector_t" => IntKind::UnsignedLong,
        "longlong" => IntKind::LongLong,
        "ulonglong" => IntKind::UnsignedLongLong,
        "int128" => IntKind::Int128,
        "uint128" => IntKind::UnsignedInt128,
        "pointer" | "pchar" | "charp" => return Some(Known::NondetPointer),
        "float" | "double" => return Some(Known::NondetFloat),
        _ => return None,
    }))
}
