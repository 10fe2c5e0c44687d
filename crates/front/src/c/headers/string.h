#ifndef _ALPHORN_STRING_H
#define _ALPHORN_STRING_H
#include <stddef.h>
#include <strings.h>
extern void *memcpy(void *__to, const void *__from, size_t __size);
extern void *mempcpy(void *__to, const void *__from, size_t __size);
extern void *memmove(void *__to, const void *__from, size_t __size);
extern void *memccpy(void *__to, const void *__from, int __byte, size_t __size);
extern void *memset(void *__to, int __byte, size_t __size);
extern int memcmp(const void *__a, const void *__b, size_t __size);
extern void *memchr(const void *__from, int __byte, size_t __size);
extern void *memrchr(const void *__from, int __byte, size_t __size);
extern char *strcpy(char *__to, const char *__from);
extern char *strncpy(char *__to, const char *__from, size_t __size);
extern char *stpcpy(char *__to, const char *__from);
extern char *strcat(char *__to, const char *__from);
extern char *strncat(char *__to, const char *__from, size_t __size);
extern int strcmp(const char *__a, const char *__b);
extern int strncmp(const char *__a, const char *__b, size_t __size);
extern int strcoll(const char *__a, const char *__b);
extern size_t strxfrm(char *__to, const char *__from, size_t __size);
extern char *strdup(const char *__text);
extern char *strndup(const char *__text, size_t __size);
extern char *strchr(const char *__text, int __character);
extern char *strrchr(const char *__text, int __character);
extern char *strchrnul(const char *__text, int __character);
extern size_t strcspn(const char *__text, const char *__reject);
extern size_t strspn(const char *__text, const char *__accept);
extern char *strpbrk(const char *__text, const char *__accept);
extern char *strstr(const char *__text, const char *__part);
extern char *strcasestr(const char *__text, const char *__part);
extern char *strtok(char *__text, const char *__separators);
extern char *strtok_r(char *__text, const char *__separators, char **__rest);
extern char *strsep(char **__text, const char *__separators);
extern size_t strlen(const char *__text);
extern size_t strnlen(const char *__text, size_t __size);
extern char *strerror(int __number);
extern int strerror_r(int __number, char *__to, size_t __size);
extern char *strsignal(int __signal);
#endif
