// expect: safe
// engines: pdr duality recursion-free
// A cell on the heap keeps what is written to it, and a record what is written to its members.
#include <assert.h>
#include <stdlib.h>

struct pair {
	int first;
	struct pair *next;
};

int main(void)
{
	struct pair *a = malloc(sizeof *a), *b = malloc(sizeof *b);
	a->first = 1;
	a->next = b;
	b->first = 2;
	b->next = 0;
	assert(a->next->first == 2 && a->first == 1);
	free(b);
	free(a);
	return 0;
}
