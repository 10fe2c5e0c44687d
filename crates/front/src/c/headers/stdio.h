#ifndef _ALPHORN_STDIO_H
#define _ALPHORN_STDIO_H
#include <stddef.h>
#include <stdarg.h>
#include <sys/types.h>
typedef struct _IO_FILE FILE;
typedef struct { off_t __position; int __state; } fpos_t;
extern FILE *stdin;
extern FILE *stdout;
extern FILE *stderr;
#define stdin stdin
#define stdout stdout
#define stderr stderr
#define EOF (-1)
#define BUFSIZ 8192
#define FILENAME_MAX 4096
#define FOPEN_MAX 16
#define L_tmpnam 20
#define TMP_MAX 238328
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2
extern int printf(const char *__format, ...);
extern int fprintf(FILE *__stream, const char *__format, ...);
extern int dprintf(int __descriptor, const char *__format, ...);
extern int sprintf(char *__to, const char *__format, ...);
extern int snprintf(char *__to, size_t __size, const char *__format, ...);
extern int asprintf(char **__to, const char *__format, ...);
extern int vprintf(const char *__format, va_list __args);
extern int vfprintf(FILE *__stream, const char *__format, va_list __args);
extern int vsprintf(char *__to, const char *__format, va_list __args);
extern int vsnprintf(char *__to, size_t __size, const char *__format, va_list __args);
extern int scanf(const char *__format, ...);
extern int fscanf(FILE *__stream, const char *__format, ...);
extern int sscanf(const char *__from, const char *__format, ...);
extern int vscanf(const char *__format, va_list __args);
extern int vfscanf(FILE *__stream, const char *__format, va_list __args);
extern int vsscanf(const char *__from, const char *__format, va_list __args);
extern int puts(const char *__text);
extern int fputs(const char *__text, FILE *__stream);
extern int putchar(int __character);
extern int putc(int __character, FILE *__stream);
extern int fputc(int __character, FILE *__stream);
extern int getchar(void);
extern int getc(FILE *__stream);
extern int fgetc(FILE *__stream);
extern int ungetc(int __character, FILE *__stream);
extern char *fgets(char *__to, int __size, FILE *__stream);
extern char *gets(char *__to);
extern ssize_t getline(char **__line, size_t *__size, FILE *__stream);
extern FILE *fopen(const char *__name, const char *__mode);
extern FILE *fdopen(int __descriptor, const char *__mode);
extern FILE *freopen(const char *__name, const char *__mode, FILE *__stream);
extern FILE *popen(const char *__command, const char *__mode);
extern int pclose(FILE *__stream);
extern FILE *tmpfile(void);
extern char *tmpnam(char *__name);
extern int fclose(FILE *__stream);
extern int fflush(FILE *__stream);
extern int fileno(FILE *__stream);
extern size_t fread(void *__to, size_t __size, size_t __count, FILE *__stream);
extern size_t fwrite(const void *__from, size_t __size, size_t __count, FILE *__stream);
extern int fseek(FILE *__stream, long __offset, int __whence);
extern int fseeko(FILE *__stream, off_t __offset, int __whence);
extern long ftell(FILE *__stream);
extern off_t ftello(FILE *__stream);
extern void rewind(FILE *__stream);
extern int fgetpos(FILE *__stream, fpos_t *__position);
extern int fsetpos(FILE *__stream, const fpos_t *__position);
extern int feof(FILE *__stream);
extern int ferror(FILE *__stream);
extern void clearerr(FILE *__stream);
extern void perror(const char *__text);
extern int remove(const char *__name);
extern int rename(const char *__old, const char *__new);
extern void setbuf(FILE *__stream, char *__buffer);
extern int setvbuf(FILE *__stream, char *__buffer, int __mode, size_t __size);
#endif
