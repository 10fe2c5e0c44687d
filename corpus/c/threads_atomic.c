// expect: safe
// engines: pdr
// A lock made of an atomic exchange: whoever is inside is alone.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int taken;
int inside;

void *enter(void *arg)
{
	int free = 0;
	if (atomic_compare_exchange_strong(&taken, &free, 1)) {
		inside = 1;
		assert(inside == 1);
		inside = 0;
		atomic_store(&taken, 0);
	}
	return 0;
}

int main(void)
{
	pthread_t s, t;
	pthread_create(&s, 0, enter, 0);
	pthread_create(&t, 0, enter, 0);
	return 0;
}
