// expect: unsafe
// engines: runs forward bmc pdr duality
// Unsigned sums wrap around: the greatest number and one are zero.
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
	unsigned x = __VERIFIER_nondet_uint();
	if (x > 4294967290u) {
		unsigned y = x + 10u;
		assert(y > x);
	}
	return 0;
}
