#ifndef _ALPHORN_WCHAR_H
#define _ALPHORN_WCHAR_H
#include <stddef.h>
typedef __WINT_TYPE__ wint_t;
typedef struct { int __count; wint_t __value; } mbstate_t;
#define WEOF (0xffffffffu)
#define WCHAR_MAX __WCHAR_MAX__
#define WCHAR_MIN __WCHAR_MIN__
extern size_t wcslen(const wchar_t *__text);
extern wchar_t *wcscpy(wchar_t *__to, const wchar_t *__from);
extern wchar_t *wcsncpy(wchar_t *__to, const wchar_t *__from, size_t __size);
extern wchar_t *wcscat(wchar_t *__to, const wchar_t *__from);
extern int wcscmp(const wchar_t *__a, const wchar_t *__b);
extern int wcsncmp(const wchar_t *__a, const wchar_t *__b, size_t __size);
extern wchar_t *wcschr(const wchar_t *__text, wchar_t __character);
extern wchar_t *wcsrchr(const wchar_t *__text, wchar_t __character);
extern wchar_t *wcsstr(const wchar_t *__text, const wchar_t *__part);
extern wchar_t *wmemcpy(wchar_t *__to, const wchar_t *__from, size_t __size);
extern wchar_t *wmemmove(wchar_t *__to, const wchar_t *__from, size_t __size);
extern wchar_t *wmemset(wchar_t *__to, wchar_t __character, size_t __size);
extern int wmemcmp(const wchar_t *__a, const wchar_t *__b, size_t __size);
extern wint_t btowc(int __character);
extern int wctob(wint_t __character);
extern size_t mbrtowc(wchar_t *__to, const char *__from, size_t __size, mbstate_t *__state);
extern size_t wcrtomb(char *__to, wchar_t __from, mbstate_t *__state);
extern long wcstol(const wchar_t *__text, wchar_t **__end, int __base);
#endif
