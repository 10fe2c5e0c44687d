// The greatest common divisor by subtraction: every turn makes one of the numbers smaller.
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    int a = __VERIFIER_nondet_uchar();
    int b = __VERIFIER_nondet_uchar();
    while (a > 0 && b > 0) {
        if (a > b)
            a -= b;
        else
            b -= a;
    }
    return a + b;
}
