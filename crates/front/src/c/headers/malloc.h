#ifndef _ALPHORN_MALLOC_H
#define _ALPHORN_MALLOC_H
#include <stdlib.h>
extern void *memalign(size_t __alignment, size_t __size);
extern void *valloc(size_t __size);
extern void cfree(void *__pointer);
extern size_t malloc_usable_size(void *__pointer);
#endif
