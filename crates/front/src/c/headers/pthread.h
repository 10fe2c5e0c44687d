#ifndef _ALPHORN_PTHREAD_H
#define _ALPHORN_PTHREAD_H
#include <sys/types.h>
#include <sched.h>
#include <time.h>
#define PTHREAD_MUTEX_INITIALIZER { { 0 } }
#define PTHREAD_COND_INITIALIZER { { 0 } }
#define PTHREAD_RWLOCK_INITIALIZER { { 0 } }
#define PTHREAD_ONCE_INIT 0
#define PTHREAD_CREATE_JOINABLE 0
#define PTHREAD_CREATE_DETACHED 1
#define PTHREAD_MUTEX_NORMAL 0
#define PTHREAD_MUTEX_RECURSIVE 1
#define PTHREAD_MUTEX_ERRORCHECK 2
#define PTHREAD_MUTEX_DEFAULT PTHREAD_MUTEX_NORMAL
#define PTHREAD_PROCESS_PRIVATE 0
#define PTHREAD_PROCESS_SHARED 1
#define PTHREAD_CANCEL_ENABLE 0
#define PTHREAD_CANCEL_DISABLE 1
#define PTHREAD_CANCELED ((void *)-1)
#define PTHREAD_BARRIER_SERIAL_THREAD (-1)
extern int pthread_create(pthread_t *__id, const pthread_attr_t *__attr, void *(*__start)(void *), void *__arg);
extern void pthread_exit(void *__value) __attribute__((__noreturn__));
extern int pthread_join(pthread_t __id, void **__value);
extern int pthread_detach(pthread_t __id);
extern pthread_t pthread_self(void);
extern int pthread_equal(pthread_t __a, pthread_t __b);
extern int pthread_cancel(pthread_t __id);
extern int pthread_setcancelstate(int __state, int *__old);
extern void pthread_testcancel(void);
extern int pthread_yield(void);
extern int pthread_once(pthread_once_t *__once, void (*__function)(void));
extern int pthread_attr_init(pthread_attr_t *__attr);
extern int pthread_attr_destroy(pthread_attr_t *__attr);
extern int pthread_attr_setdetachstate(pthread_attr_t *__attr, int __state);
extern int pthread_attr_getdetachstate(const pthread_attr_t *__attr, int *__state);
extern int pthread_attr_setstacksize(pthread_attr_t *__attr, size_t __size);
extern int pthread_mutex_init(pthread_mutex_t *__mutex, const pthread_mutexattr_t *__attr);
extern int pthread_mutex_destroy(pthread_mutex_t *__mutex);
extern int pthread_mutex_lock(pthread_mutex_t *__mutex);
extern int pthread_mutex_trylock(pthread_mutex_t *__mutex);
extern int pthread_mutex_timedlock(pthread_mutex_t *__mutex, const struct timespec *__time);
extern int pthread_mutex_unlock(pthread_mutex_t *__mutex);
extern int pthread_mutexattr_init(pthread_mutexattr_t *__attr);
extern int pthread_mutexattr_destroy(pthread_mutexattr_t *__attr);
extern int pthread_mutexattr_settype(pthread_mutexattr_t *__attr, int __type);
extern int pthread_mutexattr_setpshared(pthread_mutexattr_t *__attr, int __shared);
extern int pthread_cond_init(pthread_cond_t *__cond, const pthread_condattr_t *__attr);
extern int pthread_cond_destroy(pthread_cond_t *__cond);
extern int pthread_cond_wait(pthread_cond_t *__cond, pthread_mutex_t *__mutex);
extern int pthread_cond_timedwait(pthread_cond_t *__cond, pthread_mutex_t *__mutex, const struct timespec *__time);
extern int pthread_cond_signal(pthread_cond_t *__cond);
extern int pthread_cond_broadcast(pthread_cond_t *__cond);
extern int pthread_rwlock_init(pthread_rwlock_t *__lock, const pthread_rwlockattr_t *__attr);
extern int pthread_rwlock_destroy(pthread_rwlock_t *__lock);
extern int pthread_rwlock_rdlock(pthread_rwlock_t *__lock);
extern int pthread_rwlock_tryrdlock(pthread_rwlock_t *__lock);
extern int pthread_rwlock_wrlock(pthread_rwlock_t *__lock);
extern int pthread_rwlock_trywrlock(pthread_rwlock_t *__lock);
extern int pthread_rwlock_unlock(pthread_rwlock_t *__lock);
extern int pthread_spin_init(pthread_spinlock_t *__lock, int __shared);
extern int pthread_spin_destroy(pthread_spinlock_t *__lock);
extern int pthread_spin_lock(pthread_spinlock_t *__lock);
extern int pthread_spin_trylock(pthread_spinlock_t *__lock);
extern int pthread_spin_unlock(pthread_spinlock_t *__lock);
extern int pthread_barrier_init(pthread_barrier_t *__barrier, const pthread_barrierattr_t *__attr, unsigned int __count);
extern int pthread_barrier_destroy(pthread_barrier_t *__barrier);
extern int pthread_barrier_wait(pthread_barrier_t *__barrier);
extern int pthread_key_create(pthread_key_t *__key, void (*__destroy)(void *));
extern int pthread_key_delete(pthread_key_t __key);
extern void *pthread_getspecific(pthread_key_t __key);
extern int pthread_setspecific(pthread_key_t __key, const void *__value);
#endif
