/* Looks for a value in an array; an index must stay inside it. */
#define SIZE 100

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a[SIZE];
    for (int i = 0; i < SIZE; i++)
        a[i] = __VERIFIER_nondet_int();
    int wanted = __VERIFIER_nondet_int();
    int at = 0;
    while (at < SIZE && a[at] != wanted)
        at++;
    return at < SIZE ? a[at] : 0;
}
