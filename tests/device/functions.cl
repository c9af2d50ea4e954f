/* test_<id>(n, a, b, c, result) for every row of functions.def: applies its expression to n operands. */
#include "../../runtime/device/half_builtins.h"

/* A function with a second result: returns the first or the second. */
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

/* A vector of three numbers for a geometric function, and its last component, which is the first of them. */
#define COMPONENTS_1(T, a, b, c) (a)
#define COMPONENTS_2(T, a, b, c) (T##2)(b, a)
#define COMPONENTS_3(T, a, b, c) (T##3)(b, c, a)
#define COMPONENTS_4(T, a, b, c) (T##4)(b, c, b, a)
#define LAST_1(v)                (v)
#define LAST_2(v)                (v).y
#define LAST_3(v)                (v).z
#define LAST_4(v)                (v).w

/* Vectors for vectors.def: 16 numbers in an order of their own; vectors of 2 to 8 are their
 * first components. */
#define LIST(T, a, b, c) (T##16)(a, b, c, b, c, a, a, c, c, a, b, b, a, c, b, a)
#define SAME(x, y)       ((x) == (y) || ((x) != (x) && (y) != (y)))
#define CHECK(bit, n, R, vector)                                                                               \
    {                                                                                                          \
        const R##n vector_ = vector;                                                                           \
        for (int k = 0; k < n; k++)                                                                            \
            if (!SAME(vector_[k], scalar_[k])) mask_ |= 1u << bit;                                             \
    }
/* A call of f with vectors of n components; n is empty for scalars. s: end of a conversion's name. */
#define CALL_ONE(f, s, n, x, y, z)      f(x)
#define CALL_TWO(f, s, n, x, y, z)      f(x, y)
#define CALL_THREE(f, s, n, x, y, z)    f(x, y, z)
#define CALL_COMPARE(f, s, n, x, y, z)  NEGATE_##n(f(x, y))
#define CALL_CLASSIFY(f, s, n, x, y, z) NEGATE_##n(f(x))
#define CALL_CONVERT(f, s, n, x, y, z)  convert_##f##n##s(x)
/* A deliberately wrong function, to test the check: it fails for three components. */
#define CALL_WRONG(f, s, n, x, y, z) WRONG_##n(f(x))
#define WRONG_(a)    (a)
#define WRONG_2(a)   (a)
#define WRONG_3(a)   (a).yxz
#define WRONG_4(a)   (a)
#define WRONG_8(a)   (a)
#define WRONG_16(a)  (a)
#define NEGATE_(a)   -(a)
#define NEGATE_2(a)  (a)
#define NEGATE_3(a)  (a)
#define NEGATE_4(a)  (a)
#define NEGATE_8(a)  (a)
#define NEGATE_16(a) (a)
#define DIFFERENT(R, T, U, call, f, s)                                                                         \
    ({                                                                                                         \
        const T##16 x = LIST(T, a, (T)b, c), z = LIST(T, c, a, (T)b);                                          \
        const U##16 y = LIST(U, b, (U)c, (U)a);                                                                \
        R scalar_[16];                                                                                         \
        uint mask_ = 0;                                                                                        \
        for (int k = 0; k < 16; k++) scalar_[k] = call(f, s, , x[k], y[k], z[k]);                              \
        CHECK(0, 2, R, call(f, s, 2, x.s01, y.s01, z.s01))                                                     \
        CHECK(1, 3, R, call(f, s, 3, x.s012, y.s012, z.s012))                                                  \
        CHECK(2, 4, R, call(f, s, 4, x.lo.lo, y.lo.lo, z.lo.lo))                                               \
        CHECK(3, 8, R, call(f, s, 8, x.lo, y.lo, z.lo))                                                        \
        CHECK(4, 16, R, call(f, s, 16, x, y, z))                                                               \
        mask_;                                                                                                 \
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
