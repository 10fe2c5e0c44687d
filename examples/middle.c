/* The middle of two indices, as it is often written. */
extern int __VERIFIER_nondet_int(void);

int middle(int low, int high)
{
    return (low + high) / 2;
}

int main(void)
{
    int low = __VERIFIER_nondet_int();
    int high = __VERIFIER_nondet_int();
    if (0 <= low && low <= high)
        return middle(low, high);
    return 0;
}
