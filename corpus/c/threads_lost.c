// expect: unsafe
// engines: runs bmc pdr
// An update is lost between reading and writing.
#include <assert.h>
#include <pthread.h>

int x;

void *add(void *arg)
{
	x = x + 1;
	return 0;
}

int main(void)
{
	pthread_t other;
	pthread_create(&other, 0, add, 0);
	x = x + 1;
	pthread_join(other, 0);
	assert(x == 2);
	return 0;
}
