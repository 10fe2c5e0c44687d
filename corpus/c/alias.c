// expect: unsafe
// engines: runs forward bmc pdr duality
// Two pointers may have the same target.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
	int x = 1, y = 2;
	int *p = &x, *q = __VERIFIER_nondet_int() ? &x : &y;
	*p = 3;
	*q = 4;
	assert(*p == 3);
	return 0;
}
