#ifndef _ALPHORN_STDLIB_H
#define _ALPHORN_STDLIB_H
#include <stddef.h>
#include <alloca.h>
#define EXIT_FAILURE 1
#define EXIT_SUCCESS 0
#define RAND_MAX 2147483647
#define MB_CUR_MAX ((size_t)16)
typedef struct { int quot; int rem; } div_t;
typedef struct { long quot; long rem; } ldiv_t;
typedef struct { long long quot; long long rem; } lldiv_t;
extern void *malloc(size_t __size);
extern void *calloc(size_t __count, size_t __size);
extern void *realloc(void *__pointer, size_t __size);
extern void *reallocarray(void *__pointer, size_t __count, size_t __size);
extern void free(void *__pointer);
extern void *aligned_alloc(size_t __alignment, size_t __size);
extern int posix_memalign(void **__pointer, size_t __alignment, size_t __size);
extern void abort(void) __attribute__((__noreturn__));
extern void exit(int __status) __attribute__((__noreturn__));
extern void _Exit(int __status) __attribute__((__noreturn__));
extern void quick_exit(int __status) __attribute__((__noreturn__));
extern int atexit(void (*__function)(void));
extern int at_quick_exit(void (*__function)(void));
extern int abs(int __n);
extern long labs(long __n);
extern long long llabs(long long __n);
extern div_t div(int __numer, int __denom);
extern ldiv_t ldiv(long __numer, long __denom);
extern lldiv_t lldiv(long long __numer, long long __denom);
extern int atoi(const char *__text);
extern long atol(const char *__text);
extern long long atoll(const char *__text);
extern double atof(const char *__text);
extern double strtod(const char *__text, char **__end);
extern float strtof(const char *__text, char **__end);
extern long double strtold(const char *__text, char **__end);
extern long strtol(const char *__text, char **__end, int __base);
extern unsigned long strtoul(const char *__text, char **__end, int __base);
extern long long strtoll(const char *__text, char **__end, int __base);
extern unsigned long long strtoull(const char *__text, char **__end, int __base);
extern int rand(void);
extern void srand(unsigned int __seed);
extern int rand_r(unsigned int *__seed);
extern long random(void);
extern void srandom(unsigned int __seed);
extern double drand48(void);
extern void srand48(long __seed);
extern char *getenv(const char *__name);
extern int setenv(const char *__name, const char *__value, int __replace);
extern int unsetenv(const char *__name);
extern int putenv(char *__text);
extern int system(const char *__command);
extern void qsort(void *__base, size_t __count, size_t __size, int (*__compare)(const void *, const void *));
extern void *bsearch(const void *__key, const void *__base, size_t __count, size_t __size, int (*__compare)(const void *, const void *));
extern int mblen(const char *__text, size_t __size);
extern int mbtowc(wchar_t *__to, const char *__from, size_t __size);
extern int wctomb(char *__to, wchar_t __from);
extern size_t mbstowcs(wchar_t *__to, const char *__from, size_t __size);
extern size_t wcstombs(char *__to, const wchar_t *__from, size_t __size);
extern int mkstemp(char *__template);
extern char *realpath(const char *__path, char *__resolved);
#endif
