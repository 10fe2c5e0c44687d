/* McCarthy's function: 91 for every argument up to 101. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int mccarthy(int x)
{
    if (x > 100)
        return x - 10;
    return mccarthy(mccarthy(x + 11));
}

int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x < 0 || x > 101)
        return 0;
    assert(mccarthy(x) == 91);
    return 0;
}
