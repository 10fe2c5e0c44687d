#ifndef _ALPHORN_UNISTD_H
#define _ALPHORN_UNISTD_H
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define F_OK 0
#define X_OK 1
#define W_OK 2
#define R_OK 4
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define _SC_PAGESIZE 30
#define _SC_NPROCESSORS_ONLN 84
extern char **environ;
extern char *optarg;
extern int optind, opterr, optopt;
extern int getopt(int __argc, char *const *__argv, const char *__options);
extern void _exit(int __status) __attribute__((__noreturn__));
extern ssize_t read(int __descriptor, void *__to, size_t __size);
extern ssize_t write(int __descriptor, const void *__from, size_t __size);
extern int close(int __descriptor);
extern off_t lseek(int __descriptor, off_t __offset, int __whence);
extern int pipe(int *__descriptors);
extern int dup(int __descriptor);
extern int dup2(int __from, int __to);
extern int access(const char *__name, int __mode);
extern int chdir(const char *__name);
extern int rmdir(const char *__name);
extern int unlink(const char *__name);
extern int link(const char *__from, const char *__to);
extern int symlink(const char *__from, const char *__to);
extern ssize_t readlink(const char *__name, char *__to, size_t __size);
extern int chown(const char *__name, uid_t __owner, gid_t __group);
extern int ftruncate(int __descriptor, off_t __length);
extern int fsync(int __descriptor);
extern int isatty(int __descriptor);
extern char *getcwd(char *__to, size_t __size);
extern int gethostname(char *__to, size_t __size);
extern pid_t fork(void);
extern pid_t getpid(void);
extern pid_t getppid(void);
extern pid_t setsid(void);
extern uid_t getuid(void);
extern uid_t geteuid(void);
extern gid_t getgid(void);
extern gid_t getegid(void);
extern int setuid(uid_t __user);
extern int setgid(gid_t __group);
extern int execl(const char *__path, const char *__arg, ...);
extern int execlp(const char *__file, const char *__arg, ...);
extern int execv(const char *__path, char *const *__argv);
extern int execve(const char *__path, char *const *__argv, char *const *__envp);
extern int execvp(const char *__file, char *const *__argv);
extern unsigned int sleep(unsigned int __seconds);
extern int usleep(useconds_t __microseconds);
extern unsigned int alarm(unsigned int __seconds);
extern int pause(void);
extern long sysconf(int __name);
extern void *sbrk(intptr_t __increment);
#endif
