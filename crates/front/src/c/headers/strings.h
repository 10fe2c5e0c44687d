#ifndef _ALPHORN_STRINGS_H
#define _ALPHORN_STRINGS_H
#include <stddef.h>
extern int bcmp(const void *__a, const void *__b, size_t __size);
extern void bcopy(const void *__from, void *__to, size_t __size);
extern void bzero(void *__to, size_t __size);
extern char *index(const char *__text, int __character);
extern char *rindex(const char *__text, int __character);
extern int ffs(int __n);
extern int strcasecmp(const char *__a, const char *__b);
extern int strncasecmp(const char *__a, const char *__b, size_t __size);
#endif
