// expect: safe
// engines: pdr duality houdini
// A function that calls itself until nothing is left gives what is left.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int down(int n)
{
	if (n <= 0)
		return n;
	return down(n - 1);
}

int main(void)
{
	assert(down(__VERIFIER_nondet_int()) <= 0);
	return 0;
}
