/* test_<id>(n, a, b, c, result) for every row of functions.def: applies its expression to n operands. */
#include "../../runtime/device/half_builtins.h"

/* A function with a second result: the first, and the other. */
#define ONE(T, P, call)                                                                                        \
    ({                                                                                                         \
        P p;                                                                                                   \
        call;                                                                                                  \
    })
#define OTHER(T, P, call)                                                                                      \
    ({                                                                                                         \
        P p;                                                                                                   \
        call;                                                                                                  \
        p;                                                                                                     \
    })
#define HALF_LOAD(bits)                                                                                        \
    ({                                                                                                         \
        ushort memory_[1] = {bits};                                                                            \
        vload_half(0, (const half *)memory_);                                                                  \
    })
#define HALF_STORE(suffix, value)                                                                              \
    ({                                                                                                         \
        ushort memory_[1];                                                                                     \
        vstore_half##suffix(value, 0, (half *)memory_);                                                        \
        memory_[0];                                                                                            \
    })

#define X(id, R, A, B, C, expression)                                                                          \
    void test_##id(int n, const global A *as, const global B *bs, const global C *cs, global R *result) {      \
        for (int i = 0; i < n; i++) {                                                                          \
            const A a = as[i];                                                                                 \
            const B b = bs[i];                                                                                 \
            const C c = cs[i];                                                                                 \
            result[i] = expression;                                                                            \
        }                                                                                                      \
    }
#include "functions.def"
