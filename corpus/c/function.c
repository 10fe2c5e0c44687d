// expect: unsafe
// engines: runs forward bmc pdr
// A function is called through a pointer, which may be one of two.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

static int twice(int x)
{
	return 2 * x;
}

static int square(int x)
{
	return x * x;
}

int main(void)
{
	int (*f)(int) = __VERIFIER_nondet_int() > 0 ? twice : square;
	if (f(3) == 9)
		__VERIFIER_error();
	return 0;
}
