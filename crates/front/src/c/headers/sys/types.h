#ifndef _ALPHORN_SYS_TYPES_H
#define _ALPHORN_SYS_TYPES_H
#include <stddef.h>
#ifdef __LP64__
typedef long ssize_t;
typedef long off_t;
typedef unsigned long ino_t;
typedef unsigned long dev_t;
typedef unsigned long nlink_t;
#else
typedef int ssize_t;
typedef long off_t;
typedef unsigned long ino_t;
typedef unsigned long long dev_t;
typedef unsigned int nlink_t;
#endif
typedef int pid_t;
typedef unsigned int uid_t;
typedef unsigned int gid_t;
typedef unsigned int id_t;
typedef unsigned int mode_t;
typedef long blksize_t;
typedef long blkcnt_t;
typedef long time_t;
typedef long clock_t;
typedef int clockid_t;
typedef void *timer_t;
typedef unsigned int useconds_t;
typedef long suseconds_t;
typedef __INT8_TYPE__ int8_t;
typedef __INT16_TYPE__ int16_t;
typedef __INT32_TYPE__ int32_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINT8_TYPE__ u_int8_t;
typedef __UINT16_TYPE__ u_int16_t;
typedef __UINT32_TYPE__ u_int32_t;
typedef __UINT64_TYPE__ u_int64_t;
typedef unsigned char u_char;
typedef unsigned short u_short;
typedef unsigned int u_int;
typedef unsigned long u_long;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef unsigned long pthread_t;
typedef int pthread_once_t;
typedef unsigned int pthread_key_t;
typedef int pthread_spinlock_t;
#ifdef __LP64__
typedef union { char __size[56]; long __align; } pthread_attr_t;
typedef union { char __size[40]; long __align; } pthread_mutex_t;
typedef union { char __size[56]; long __align; } pthread_rwlock_t;
typedef union { char __size[32]; long __align; } pthread_barrier_t;
#else
typedef union { char __size[36]; long __align; } pthread_attr_t;
typedef union { char __size[24]; long __align; } pthread_mutex_t;
typedef union { char __size[32]; long __align; } pthread_rwlock_t;
typedef union { char __size[20]; long __align; } pthread_barrier_t;
#endif
typedef union { char __size[48]; long long __align; } pthread_cond_t;
typedef union { char __size[4]; int __align; } pthread_mutexattr_t;
typedef union { char __size[4]; int __align; } pthread_condattr_t;
typedef union { char __size[8]; long __align; } pthread_rwlockattr_t;
typedef union { char __size[4]; int __align; } pthread_barrierattr_t;
#endif
