#ifndef _ALPHORN_STDNORETURN_H
#define _ALPHORN_STDNORETURN_H
#define noreturn _Noreturn
#endif
