//! How a compiled test notices that memory is lost or left.
//!
//! What is lost the leak sanitizer finds, which looks at the end of a program for what nothing points to. It is asked earlier, too, since what
//! is lost is lost though the program asks for more than the run did, or never ends. The program is called with
//! room above it on the stack, so that what its calls leave there is not looked at. What is left is told by the
//! number of bytes that are allocated: the sanitizer does not count what variables still point to.

use alphorn_program::c::property::Property;

/// Looks memory over every now and then where the program itself is at work, and not the sanitizer, which may hold its locks. All is
/// declared as headers would have it that cannot be included here. What is in registers between two statements is
/// left from before, and keeps nothing: while the sanitizer looks for pointers, the signal's copy of them holds
/// none. The copy begins behind five words (x86 alone).
const WATCH: &str = "\
struct alphorn_action { void (*run)(int, void *, long *); unsigned long mask[128 / sizeof(long)]; int flags; \
void (*restore)(void); };
extern int alphorn_sigaction(int, const struct alphorn_action *, void *) __asm__(\"sigaction\");
extern char alphorn_text_start __asm__(\"__executable_start\"), alphorn_text_end __asm__(\"etext\");
#if defined(__x86_64__)
static const char alphorn_registers[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14};
enum { alphorn_at = 5 + 16 };
#elif defined(__i386__)
static const char alphorn_registers[] = {4, 5, 8, 9, 10, 11};
enum { alphorn_at = 5 + 14 };
#endif
#if defined(__x86_64__) || defined(__i386__)
static void alphorn_hide(long *context) {
  for (unsigned i = 0; i < sizeof alphorn_registers; i++) {
    long *it = context + 5 + alphorn_registers[i]; *it = ~*it;
  }
}
static void alphorn_look(int signal, void *info, long *context) {
  char *at = (char *)context[alphorn_at];
  if (&alphorn_text_start <= at && at < &alphorn_text_end) {
    alphorn_hide(context); alphorn_look_over(); alphorn_hide(context);
  }
  alphorn_alarm(50000, 0);
}
static void alphorn_watch(void) {
  static struct alphorn_action action; action.run = alphorn_look; action.flags = 4 | 0x10000000;
  alphorn_sigaction(14, &action, 0); alphorn_alarm(50000, 0);
}
#else
static void alphorn_watch(void) { }
#endif
";

/// What a test about left memory has before its `main`.
const COUNT: &str = "\
extern __SIZE_TYPE__ alphorn_allocated(void) __asm__(\"__sanitizer_get_current_allocated_bytes\");
extern int alphorn_at_exit(void (*)(void)) __asm__(\"atexit\");
static __SIZE_TYPE__ alphorn_before;
static void alphorn_count(void) { if (alphorn_allocated() > alphorn_before) alphorn_violated(); }
";

/// What a test about a property declares first.
pub(super) fn declarations(property: Property) -> &'static str {
    match property {
        Property::ValidMemtrack => {
            "extern void alphorn_look_over(void) __asm__(\"__lsan_do_leak_check\");\n\
             extern unsigned alphorn_alarm(unsigned, unsigned) __asm__(\"ualarm\");\n"
        }
        _ => "",
    }
}

/// What a test does where it asks for more values than the run had.
pub(super) fn look(property: Property) -> &'static str {
    match property {
        Property::ValidMemtrack => "alphorn_alarm(0, 0); alphorn_look_over(); ",
        _ => "",
    }
}

/// What `main` does before it calls the program, and how it calls it; what it needs for that goes to the text.
pub(super) fn guarded(
    text: &mut String,
    property: Property,
    call: String,
) -> (&'static str, String) {
    match property {
        Property::ValidMemtrack => {
            text.push_str(WATCH);
            text.push_str(&format!(
                "static __attribute__((__noinline__)) void alphorn_deep(void) {{ volatile char \
                 room[65536]; room[0] = 0; {call} }}\n"
            ));
            ("alphorn_watch(); ", "alphorn_deep();".to_owned())
        }
        Property::MemCleanup => {
            text.push_str(COUNT);
            ("alphorn_before = alphorn_allocated(); alphorn_at_exit(alphorn_count); ", call)
        }
        _ => ("", call),
    }
}
