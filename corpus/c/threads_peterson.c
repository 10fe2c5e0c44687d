// expect: safe
// engines: pdr
// Peterson's algorithm: one thread at a time is inside.
#include <assert.h>
#include <pthread.h>

int wants_a, wants_b, turn, inside;

void *a(void *arg)
{
	wants_a = 1;
	turn = 1;
	while (wants_b && turn == 1)
		;
	inside = 0;
	assert(inside == 0);
	wants_a = 0;
	return 0;
}

void *b(void *arg)
{
	wants_b = 1;
	turn = 0;
	while (wants_a && turn == 0)
		;
	inside = 1;
	assert(inside == 1);
	wants_b = 0;
	return 0;
}

int main(void)
{
	pthread_t s, t;
	pthread_create(&s, 0, a, 0);
	pthread_create(&t, 0, b, 0);
	pthread_join(s, 0);
	pthread_join(t, 0);
	return 0;
}
