/* Read anew each time it is included, as C11 7.2 asks: NDEBUG may have changed. */
#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) ((condition) ? (void)0 : __assert_fail(#condition, __FILE__, __LINE__, __func__))
#endif
#ifndef _ALPHORN_ASSERT_H
#define _ALPHORN_ASSERT_H
extern void __assert_fail(const char *__assertion, const char *__file, unsigned int __line, const char *__function) __attribute__((__noreturn__));
#ifndef static_assert
#define static_assert _Static_assert
#endif
#endif
