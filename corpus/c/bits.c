// expect: safe
// engines: pdr kind recursion-free
// The lowest bit that is set, taken away, leaves fewer: a number with one bit has none left.
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
	unsigned shift = __VERIFIER_nondet_uint() % 32u;
	unsigned x = 1u << shift;
	assert((x & (x - 1u)) == 0u);
	assert((x >> shift) == 1u);
	return 0;
}
