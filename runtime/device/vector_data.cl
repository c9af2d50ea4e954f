/* vector_data: vload, vstore, shuffle (OpenCL 1.2, 6.12.7 and 6.12.12), but for half: see half.cl. */
#include "builtin.h"

/* A vector in memory that is aligned as its elements only. */
#define LOAD_N(n, T, space)                                                                                    \
    T##n OVERLOAD vload##n(size_t offset, const space T *p) {                                                  \
        typedef T##n unaligned __attribute__((aligned(sizeof(T))));                                            \
        return *(const space unaligned *)(p + offset * n);                                                     \
    }
#define STORE_N(n, T, space)                                                                                   \
    void OVERLOAD vstore##n(T##n a, size_t offset, space T *p) {                                               \
        typedef T##n unaligned __attribute__((aligned(sizeof(T))));                                            \
        *(space unaligned *)(p + offset * n) = a;                                                              \
    }
#define LOAD(T, space)                                                                                         \
    T##3 OVERLOAD vload3(size_t offset, const space T *p) {                                                    \
        p += offset * 3;                                                                                       \
        return (T##3)(p[0], p[1], p[2]);                                                                       \
    }                                                                                                          \
    LOAD_N(2, T, space)                                                                                        \
    LOAD_N(4, T, space)                                                                                        \
    LOAD_N(8, T, space)                                                                                        \
    LOAD_N(16, T, space)
#define STORE(T, space)                                                                                        \
    void OVERLOAD vstore3(T##3 a, size_t offset, space T *p) {                                                 \
        p += offset * 3;                                                                                       \
        p[0] = a.x;                                                                                            \
        p[1] = a.y;                                                                                            \
        p[2] = a.z;                                                                                            \
    }                                                                                                          \
    STORE_N(2, T, space)                                                                                       \
    STORE_N(4, T, space)                                                                                       \
    STORE_N(8, T, space)                                                                                       \
    STORE_N(16, T, space)
ALL_TYPES(LOAD, global)
ALL_TYPES(LOAD, local)
ALL_TYPES(LOAD, constant)
ALL_TYPES(LOAD, private)
ALL_TYPES(STORE, global)
ALL_TYPES(STORE, local)
ALL_TYPES(STORE, private)

/* shuffle: component i is the one that mask component i names, modulo the number there are. */
#define SHUFFLE_NM(n, m, T, M)                                                                                 \
    T##n OVERLOAD shuffle(T##m a, M##n mask) {                                                                 \
        T##n result;                                                                                           \
        _Pragma("unroll") for (int i = 0; i < n; i++) result[i] = a[mask[i] & (m - 1)];                        \
        return result;                                                                                         \
    }                                                                                                          \
    T##n OVERLOAD shuffle2(T##m a, T##m b, M##n mask) {                                                        \
        T##n result;                                                                                           \
        _Pragma("unroll") for (int i = 0; i < n; i++) {                                                        \
            const T from_a = a[mask[i] & (m - 1)], from_b = b[mask[i] & (m - 1)];                              \
            result[i] = (mask[i] & m) != 0 ? from_b : from_a;                                                  \
        }                                                                                                      \
        return result;                                                                                         \
    }
#define SHUFFLE_N(n, T, M)                                                                                     \
    SHUFFLE_NM(n, 2, T, M) SHUFFLE_NM(n, 4, T, M) SHUFFLE_NM(n, 8, T, M) SHUFFLE_NM(n, 16, T, M)
#define SHUFFLE(T, M) SHUFFLE_N(2, T, M) SHUFFLE_N(4, T, M) SHUFFLE_N(8, T, M) SHUFFLE_N(16, T, M)
SHUFFLE(char, uchar)
SHUFFLE(uchar, uchar)
SHUFFLE(short, ushort)
SHUFFLE(ushort, ushort)
SHUFFLE(int, uint)
SHUFFLE(uint, uint)
SHUFFLE(float, uint)
SHUFFLE(long, ulong)
SHUFFLE(ulong, ulong)
SHUFFLE(double, ulong)
