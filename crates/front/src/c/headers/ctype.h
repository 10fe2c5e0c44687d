#ifndef _ALPHORN_CTYPE_H
#define _ALPHORN_CTYPE_H
extern int isalnum(int __character);
extern int isalpha(int __character);
extern int isblank(int __character);
extern int iscntrl(int __character);
extern int isdigit(int __character);
extern int isgraph(int __character);
extern int islower(int __character);
extern int isprint(int __character);
extern int ispunct(int __character);
extern int isspace(int __character);
extern int isupper(int __character);
extern int isxdigit(int __character);
extern int tolower(int __character);
extern int toupper(int __character);
extern int isascii(int __character);
extern int toascii(int __character);
#endif
