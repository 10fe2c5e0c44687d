#ifndef _ALPHORN_SETJMP_H
#define _ALPHORN_SETJMP_H
#ifdef __LP64__
struct __jmp_buf_tag { long __registers[8]; int __mask_was_saved; unsigned long __saved_mask[16]; };
#else
struct __jmp_buf_tag { int __registers[6]; int __mask_was_saved; unsigned long __saved_mask[32]; };
#endif
typedef struct __jmp_buf_tag jmp_buf[1];
typedef struct __jmp_buf_tag sigjmp_buf[1];
extern int setjmp(jmp_buf __env);
extern int _setjmp(jmp_buf __env);
extern int sigsetjmp(sigjmp_buf __env, int __save);
extern void longjmp(jmp_buf __env, int __value) __attribute__((__noreturn__));
extern void _longjmp(jmp_buf __env, int __value) __attribute__((__noreturn__));
extern void siglongjmp(sigjmp_buf __env, int __value) __attribute__((__noreturn__));
#endif
