#ifndef _ALPHORN_STDATOMIC_H
#define _ALPHORN_STDATOMIC_H
#include <stddef.h>
#include <stdint.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern _Bool __VERIFIER_nondet_bool(void);
typedef enum {
  memory_order_relaxed, memory_order_consume, memory_order_acquire,
  memory_order_release, memory_order_acq_rel, memory_order_seq_cst
} memory_order;
typedef _Atomic _Bool atomic_bool;
typedef _Atomic _Bool atomic_flag;
typedef _Atomic char atomic_char;
typedef _Atomic signed char atomic_schar;
typedef _Atomic unsigned char atomic_uchar;
typedef _Atomic short atomic_short;
typedef _Atomic unsigned short atomic_ushort;
typedef _Atomic int atomic_int;
typedef _Atomic unsigned int atomic_uint;
typedef _Atomic long atomic_long;
typedef _Atomic unsigned long atomic_ulong;
typedef _Atomic long long atomic_llong;
typedef _Atomic unsigned long long atomic_ullong;
typedef _Atomic int32_t atomic_int_least32_t;
typedef _Atomic uint32_t atomic_uint_least32_t;
typedef _Atomic int64_t atomic_int_least64_t;
typedef _Atomic uint64_t atomic_uint_least64_t;
typedef _Atomic intptr_t atomic_intptr_t;
typedef _Atomic uintptr_t atomic_uintptr_t;
typedef _Atomic size_t atomic_size_t;
typedef _Atomic ptrdiff_t atomic_ptrdiff_t;
#define ATOMIC_VAR_INIT(__v) (__v)
#define ATOMIC_FLAG_INIT 0
#define kill_dependency(__v) (__v)
#define atomic_thread_fence(__o) ((void)(__o))
#define atomic_signal_fence(__o) ((void)(__o))
#define atomic_is_lock_free(__p) 1
#define atomic_init(__p, __v) ((void)(__builtin_alphorn_object(__p) = (__v)))
#define atomic_store(__p, __v) ((void)(__builtin_alphorn_object(__p) = (__v)))
#define atomic_store_explicit(__p, __v, __o) atomic_store(__p, __v)
#define atomic_load(__p) (__builtin_alphorn_object(__p) + 0)
#define atomic_load_explicit(__p, __o) atomic_load(__p)
#define __alphorn_change(__p, __v, __to) ({ \
  __typeof__(__builtin_alphorn_object(__p) + 0) __by = (__v), __was; \
  __VERIFIER_atomic_begin(); \
  __was = __builtin_alphorn_object(__p); \
  __builtin_alphorn_object(__p) = (__to); \
  __VERIFIER_atomic_end(); \
  __was; })
#define __alphorn_wide(__v) ((unsigned long long)(__v))
#define atomic_exchange(__p, __v) __alphorn_change(__p, __v, __by)
#define atomic_fetch_add(__p, __v) __alphorn_change(__p, __v, __alphorn_wide(__was) + __alphorn_wide(__by))
#define atomic_fetch_sub(__p, __v) __alphorn_change(__p, __v, __alphorn_wide(__was) - __alphorn_wide(__by))
#define atomic_fetch_or(__p, __v) __alphorn_change(__p, __v, __was | __by)
#define atomic_fetch_xor(__p, __v) __alphorn_change(__p, __v, __was ^ __by)
#define atomic_fetch_and(__p, __v) __alphorn_change(__p, __v, __was & __by)
#define atomic_exchange_explicit(__p, __v, __o) atomic_exchange(__p, __v)
#define atomic_fetch_add_explicit(__p, __v, __o) atomic_fetch_add(__p, __v)
#define atomic_fetch_sub_explicit(__p, __v, __o) atomic_fetch_sub(__p, __v)
#define atomic_fetch_or_explicit(__p, __v, __o) atomic_fetch_or(__p, __v)
#define atomic_fetch_xor_explicit(__p, __v, __o) atomic_fetch_xor(__p, __v)
#define atomic_fetch_and_explicit(__p, __v, __o) atomic_fetch_and(__p, __v)
#define __alphorn_compare(__p, __e, __v, __may) ({ \
  __typeof__(__builtin_alphorn_object(__p) + 0) __by = (__v), __want = __builtin_alphorn_object(__e), __was; \
  _Bool __is = (__may); \
  __VERIFIER_atomic_begin(); \
  __was = __builtin_alphorn_object(__p); \
  __is = __is && __was == __want; \
  if (__is) __builtin_alphorn_object(__p) = __by; \
  __VERIFIER_atomic_end(); \
  if (!__is) __builtin_alphorn_object(__e) = __was; \
  __is; })
#define atomic_compare_exchange_strong(__p, __e, __v) __alphorn_compare(__p, __e, __v, 1)
#define atomic_compare_exchange_weak(__p, __e, __v) __alphorn_compare(__p, __e, __v, __VERIFIER_nondet_bool())
#define atomic_compare_exchange_strong_explicit(__p, __e, __v, __o, __f) atomic_compare_exchange_strong(__p, __e, __v)
#define atomic_compare_exchange_weak_explicit(__p, __e, __v, __o, __f) atomic_compare_exchange_weak(__p, __e, __v)
#define atomic_flag_test_and_set(__p) ((_Bool)atomic_exchange(__p, 1))
#define atomic_flag_clear(__p) atomic_store(__p, 0)
#define atomic_flag_test_and_set_explicit(__p, __o) atomic_flag_test_and_set(__p)
#define atomic_flag_clear_explicit(__p, __o) atomic_flag_clear(__p)
#endif
