// expect: safe
// engines: pdr recursion-free
// Whoever holds the mutex is alone between reading and writing.
#include <assert.h>
#include <pthread.h>

int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *add(void *arg)
{
	pthread_mutex_lock(&m);
	x = x + 1;
	pthread_mutex_unlock(&m);
	return 0;
}

int main(void)
{
	pthread_t s, t;
	pthread_create(&s, 0, add, 0);
	pthread_create(&t, 0, add, 0);
	pthread_join(s, 0);
	pthread_join(t, 0);
	assert(x == 2);
	return 0;
}
