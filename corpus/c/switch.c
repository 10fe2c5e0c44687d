// expect: unsafe
// engines: runs forward bmc pdr
// A case without break falls through, and goto leaves the loop.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
	int steps = 0;
	for (;;) {
		switch (__VERIFIER_nondet_int()) {
		case 1:
			steps += 1;
		case 2:
			steps += 2;
			break;
		default:
			goto out;
		}
	}
out:
	assert(steps != 5);
	return 0;
}
