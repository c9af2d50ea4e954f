/*
 * builtin: what the sources of the device library share: OpenCL C's overloadable definitions, made for
 * vectors from their scalar form. The machine has no vector registers, so element by element is what runs
 * anyway.
 *
 * A library function may be called under divergence, hence every conditional *statement* in these sources
 * gets ICS-First priority operations (lockstep-cc --library). Short choices without side effects are written
 * as conditional expressions instead: those become predicated instructions.
 */
#ifndef RUNTIME_DEVICE_BUILTIN_H
#define RUNTIME_DEVICE_BUILTIN_H

#define OVERLOAD __attribute__((overloadable))

/* R f(T) is defined: defines it for vectors of 2, 3, 4, 8, 16. */
#define VECTOR_1(R, f, T)                                                                                    \
    R##2 OVERLOAD f(T##2 a) {                                                                                \
        return (R##2)(f(a.x), f(a.y));                                                                       \
    }                                                                                                        \
    R##3 OVERLOAD f(T##3 a) {                                                                                \
        return (R##3)(f(a.x), f(a.y), f(a.z));                                                               \
    }                                                                                                        \
    R##4 OVERLOAD f(T##4 a) {                                                                                \
        return (R##4)(f(a.lo), f(a.hi));                                                                     \
    }                                                                                                        \
    R##8 OVERLOAD f(T##8 a) {                                                                                \
        return (R##8)(f(a.lo), f(a.hi));                                                                     \
    }                                                                                                        \
    R##16 OVERLOAD f(T##16 a) {                                                                              \
        return (R##16)(f(a.lo), f(a.hi));                                                                    \
    }

#define VECTOR_2(R, f, T, U)                                                                                 \
    R##2 OVERLOAD f(T##2 a, U##2 b) {                                                                        \
        return (R##2)(f(a.x, b.x), f(a.y, b.y));                                                             \
    }                                                                                                        \
    R##3 OVERLOAD f(T##3 a, U##3 b) {                                                                        \
        return (R##3)(f(a.x, b.x), f(a.y, b.y), f(a.z, b.z));                                                \
    }                                                                                                        \
    R##4 OVERLOAD f(T##4 a, U##4 b) {                                                                        \
        return (R##4)(f(a.lo, b.lo), f(a.hi, b.hi));                                                         \
    }                                                                                                        \
    R##8 OVERLOAD f(T##8 a, U##8 b) {                                                                        \
        return (R##8)(f(a.lo, b.lo), f(a.hi, b.hi));                                                         \
    }                                                                                                        \
    R##16 OVERLOAD f(T##16 a, U##16 b) {                                                                     \
        return (R##16)(f(a.lo, b.lo), f(a.hi, b.hi));                                                        \
    }

#define VECTOR_3(R, f, T, U, V)                                                                              \
    R##2 OVERLOAD f(T##2 a, U##2 b, V##2 c) {                                                                \
        return (R##2)(f(a.x, b.x, c.x), f(a.y, b.y, c.y));                                                   \
    }                                                                                                        \
    R##3 OVERLOAD f(T##3 a, U##3 b, V##3 c) {                                                                \
        return (R##3)(f(a.x, b.x, c.x), f(a.y, b.y, c.y), f(a.z, b.z, c.z));                                 \
    }                                                                                                        \
    R##4 OVERLOAD f(T##4 a, U##4 b, V##4 c) {                                                                \
        return (R##4)(f(a.lo, b.lo, c.lo), f(a.hi, b.hi, c.hi));                                             \
    }                                                                                                        \
    R##8 OVERLOAD f(T##8 a, U##8 b, V##8 c) {                                                                \
        return (R##8)(f(a.lo, b.lo, c.lo), f(a.hi, b.hi, c.hi));                                             \
    }                                                                                                        \
    R##16 OVERLOAD f(T##16 a, U##16 b, V##16 c) {                                                            \
        return (R##16)(f(a.lo, b.lo, c.lo), f(a.hi, b.hi, c.hi));                                            \
    }

/* Forms with scalars beside a vector, on top of those of VECTOR_2 and VECTOR_3: f(vector,
 * scalar), and so on. */
#define EACH_SIZE(X, ...)                                                                                    \
    X(2, __VA_ARGS__) X(3, __VA_ARGS__) X(4, __VA_ARGS__) X(8, __VA_ARGS__) X(16, __VA_ARGS__)
#define FORM_VECTOR_SCALAR(n, R, f, T)                                                                       \
    R##n OVERLOAD f(T##n a, T b) {                                                                           \
        return f(a, (T##n)b);                                                                                \
    }
#define FORM_SCALAR_VECTOR(n, R, f, T)                                                                       \
    R##n OVERLOAD f(T a, T##n b) {                                                                           \
        return f((T##n)a, b);                                                                                \
    }
#define FORM_VECTOR_SCALAR_SCALAR(n, R, f, T)                                                                \
    R##n OVERLOAD f(T##n a, T b, T c) {                                                                      \
        return f(a, (T##n)b, (T##n)c);                                                                       \
    }
#define FORM_VECTOR_VECTOR_SCALAR(n, R, f, T)                                                                \
    R##n OVERLOAD f(T##n a, T##n b, T c) {                                                                   \
        return f(a, b, (T##n)c);                                                                             \
    }
#define FORM_SCALAR_SCALAR_VECTOR(n, R, f, T)                                                                \
    R##n OVERLOAD f(T a, T b, T##n c) {                                                                      \
        return f((T##n)a, (T##n)b, c);                                                                       \
    }

/* Lists of types: X(type, ...). */
#define SIGNED_TYPES(X, ...)                                                                                 \
    X(char, __VA_ARGS__) X(short, __VA_ARGS__) X(int, __VA_ARGS__) X(long, __VA_ARGS__)
#define UNSIGNED_TYPES(X, ...)                                                                               \
    X(uchar, __VA_ARGS__) X(ushort, __VA_ARGS__) X(uint, __VA_ARGS__) X(ulong, __VA_ARGS__)
#define INTEGER_TYPES(X, ...)  SIGNED_TYPES(X, __VA_ARGS__) UNSIGNED_TYPES(X, __VA_ARGS__)
#define FLOATING_TYPES(X, ...) X(float, __VA_ARGS__) X(double, __VA_ARGS__)
#define ALL_TYPES(X, ...)      INTEGER_TYPES(X, __VA_ARGS__) FLOATING_TYPES(X, __VA_ARGS__)

size_t OVERLOAD get_local_id(uint dimension);
size_t OVERLOAD get_local_size(uint dimension);
void OVERLOAD barrier(cl_mem_fence_flags flags);

#endif
