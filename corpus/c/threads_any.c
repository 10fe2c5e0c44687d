// expect: safe
// engines: pdr
// Any number of threads: whoever holds the mutex finds both variables equal.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *both(void *arg)
{
	pthread_mutex_lock(&m);
	assert(x == y);
	x = __VERIFIER_nondet_int();
	y = x;
	pthread_mutex_unlock(&m);
	return 0;
}

int main(void)
{
	pthread_t t;
	while (__VERIFIER_nondet_int())
		pthread_create(&t, 0, both, 0);
	return 0;
}
