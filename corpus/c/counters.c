// expect: safe
// engines: pdr duality houdini unwrapped-pdr
// One counter goes up while the other goes down; their sum stays.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
	int up = 0, down = 100;
	while (up < 100 && __VERIFIER_nondet_int()) {
		up++;
		down--;
	}
	assert(up + down == 100);
	return 0;
}
