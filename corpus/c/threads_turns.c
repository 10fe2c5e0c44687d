// expect: unsafe
// engines: runs
// ticks: 5000000
// Two threads must take turns exactly, while the first waits.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int i = 3, j = 6;

void *one(void *arg)
{
	for (int k = 0; k < 8; k++) {
		__VERIFIER_atomic_begin();
		i = j + 1;
		__VERIFIER_atomic_end();
	}
	return 0;
}

void *two(void *arg)
{
	for (int k = 0; k < 8; k++) {
		__VERIFIER_atomic_begin();
		j = i + 1;
		__VERIFIER_atomic_end();
	}
	return 0;
}

int main(void)
{
	pthread_t s, t;
	pthread_create(&s, 0, one, 0);
	pthread_create(&t, 0, two, 0);
	assert(i < 21);
	return 0;
}
