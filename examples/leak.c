/* A list on the heap that forgets its first element when it is freed. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

int main(void)
{
    struct node *head = NULL;
    for (int i = 0; i < 3; i++) {
        struct node *fresh = malloc(sizeof *fresh);
        if (fresh == NULL)
            exit(1);
        fresh->value = __VERIFIER_nondet_int();
        fresh->next = head;
        head = fresh;
    }
    while (head->next != NULL) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    return head->value;
}
