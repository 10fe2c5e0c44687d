// expect: safe
// engines: vacuous recursion-free
// Small types are promoted before they are added, and cut off when they are stored.
#include <assert.h>

int main(void)
{
	unsigned char a = 200, b = 100;
	unsigned char c = a + b;
	assert(a + b == 300);
	assert(c == 44);
	assert((signed char)a < 0);
	assert(-1 > 1u);
	return 0;
}
