// expect: unsafe
// engines: runs bmc
// One thread writes and gives up, which ends the program; before that the other one, and the entry about to return, can see it.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int x;

void *gives_up(void *arg)
{
	x = 1;
	abort();
	return 0;
}

void *looks(void *arg)
{
	assert(x == 0);
	return 0;
}

int main(void)
{
	pthread_t s, t;
	pthread_create(&s, 0, gives_up, 0);
	pthread_create(&t, 0, looks, 0);
	return 0;
}
