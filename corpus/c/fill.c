// expect: safe
// engines: duality cells
// Every cell that was filled has the value it was filled with.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
	int cells[8], i;
	for (i = 0; i < 8; i++)
		cells[i] = 7;
	i = __VERIFIER_nondet_int();
	if (0 <= i && i < 8)
		assert(cells[i] == 7);
	return 0;
}
