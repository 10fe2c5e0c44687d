/* Two counters that move together. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int left = n, moved = 0;
    if (n < 0 || n > 1000000)
        return 0;
    while (left > 0) {
        left--;
        moved++;
    }
    assert(moved == n);
    return 0;
}
