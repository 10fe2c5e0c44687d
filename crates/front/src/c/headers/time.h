#ifndef _ALPHORN_TIME_H
#define _ALPHORN_TIME_H
#include <stddef.h>
#include <sys/types.h>
#define CLOCKS_PER_SEC ((clock_t)1000000)
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define TIME_UTC 1
struct timespec { time_t tv_sec; long tv_nsec; };
struct timeval { time_t tv_sec; suseconds_t tv_usec; };
struct itimerspec { struct timespec it_interval; struct timespec it_value; };
struct tm {
  int tm_sec; int tm_min; int tm_hour; int tm_mday; int tm_mon; int tm_year; int tm_wday; int tm_yday; int tm_isdst;
  long tm_gmtoff; const char *tm_zone;
};
extern time_t time(time_t *__to);
extern clock_t clock(void);
extern double difftime(time_t __a, time_t __b);
extern time_t mktime(struct tm *__time);
extern struct tm *gmtime(const time_t *__time);
extern struct tm *localtime(const time_t *__time);
extern struct tm *gmtime_r(const time_t *__time, struct tm *__to);
extern struct tm *localtime_r(const time_t *__time, struct tm *__to);
extern char *asctime(const struct tm *__time);
extern char *ctime(const time_t *__time);
extern size_t strftime(char *__to, size_t __size, const char *__format, const struct tm *__time);
extern int timespec_get(struct timespec *__to, int __base);
extern int nanosleep(const struct timespec *__wanted, struct timespec *__left);
extern int clock_gettime(clockid_t __clock, struct timespec *__to);
extern int clock_getres(clockid_t __clock, struct timespec *__to);
extern int clock_settime(clockid_t __clock, const struct timespec *__time);
#endif
