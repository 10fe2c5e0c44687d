#ifndef _ALPHORN_SIGNAL_H
#define _ALPHORN_SIGNAL_H
#include <sys/types.h>
typedef __SIG_ATOMIC_TYPE__ sig_atomic_t;
typedef void (*__sighandler_t)(int);
typedef struct { unsigned long __val[1024 / (8 * sizeof(unsigned long))]; } sigset_t;
struct sigaction { __sighandler_t sa_handler; sigset_t sa_mask; int sa_flags; void (*sa_restorer)(void); };
#define SIG_DFL ((__sighandler_t)0)
#define SIG_IGN ((__sighandler_t)1)
#define SIG_ERR ((__sighandler_t)-1)
#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGBUS 7
#define SIGFPE 8
#define SIGKILL 9
#define SIGUSR1 10
#define SIGSEGV 11
#define SIGUSR2 12
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGCHLD 17
#define SIGCONT 18
#define SIGSTOP 19
#define SIGTSTP 20
#define SIG_BLOCK 0
#define SIG_UNBLOCK 1
#define SIG_SETMASK 2
#define SA_RESTART 0x10000000
extern __sighandler_t signal(int __signal, __sighandler_t __handler);
extern int raise(int __signal);
extern int kill(pid_t __process, int __signal);
extern int sigaction(int __signal, const struct sigaction *__action, struct sigaction *__old);
extern int sigemptyset(sigset_t *__set);
extern int sigfillset(sigset_t *__set);
extern int sigaddset(sigset_t *__set, int __signal);
extern int sigdelset(sigset_t *__set, int __signal);
extern int sigismember(const sigset_t *__set, int __signal);
extern int sigprocmask(int __how, const sigset_t *__set, sigset_t *__old);
extern int sigsuspend(const sigset_t *__set);
#endif
