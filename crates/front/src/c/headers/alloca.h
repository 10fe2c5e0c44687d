#ifndef _ALPHORN_ALLOCA_H
#define _ALPHORN_ALLOCA_H
#include <stddef.h>
extern void *alloca(size_t __size);
#endif
