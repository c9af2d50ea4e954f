/*
 * half_builtins: declarations of vload_half and vstore_half in all their forms, which clang 14 leaves out of
 * its own as long as half arithmetic (cl_khr_fp16) is off. For the compiler to include before a kernel that
 * names them.
 */
#ifndef RUNTIME_DEVICE_HALF_BUILTINS_H
#define RUNTIME_DEVICE_HALF_BUILTINS_H

#define __HALF_LOAD(space, n, name)                                                                          \
    float##n __attribute__((overloadable)) name##n(size_t, const space half *);
#define __HALF_LOADS(space)                                                                                  \
    __HALF_LOAD(space, , vload_half)                                                                         \
    __HALF_LOAD(space, 2, vload_half)                                                                        \
    __HALF_LOAD(space, 3, vload_half)                                                                        \
    __HALF_LOAD(space, 4, vload_half)                                                                        \
    __HALF_LOAD(space, 8, vload_half)                                                                        \
    __HALF_LOAD(space, 16, vload_half)                                                                       \
    __HALF_LOAD(space, 2, vloada_half)                                                                       \
    __HALF_LOAD(space, 3, vloada_half)                                                                       \
    __HALF_LOAD(space, 4, vloada_half)                                                                       \
    __HALF_LOAD(space, 8, vloada_half)                                                                       \
    __HALF_LOAD(space, 16, vloada_half)
__HALF_LOADS(__global)
__HALF_LOADS(__local)
__HALF_LOADS(__constant)
__HALF_LOADS(__private)

#define __HALF_STORE(space, T, n, name, mode)                                                                \
    void __attribute__((overloadable)) name##n##mode(T##n, size_t, space half *);
#define __HALF_STORES_MODE(space, T, mode)                                                                   \
    __HALF_STORE(space, T, , vstore_half, mode)                                                              \
    __HALF_STORE(space, T, 2, vstore_half, mode)                                                             \
    __HALF_STORE(space, T, 3, vstore_half, mode)                                                             \
    __HALF_STORE(space, T, 4, vstore_half, mode)                                                             \
    __HALF_STORE(space, T, 8, vstore_half, mode)                                                             \
    __HALF_STORE(space, T, 16, vstore_half, mode)                                                            \
    __HALF_STORE(space, T, 2, vstorea_half, mode)                                                            \
    __HALF_STORE(space, T, 3, vstorea_half, mode)                                                            \
    __HALF_STORE(space, T, 4, vstorea_half, mode)                                                            \
    __HALF_STORE(space, T, 8, vstorea_half, mode)                                                            \
    __HALF_STORE(space, T, 16, vstorea_half, mode)
#define __HALF_STORES(space, T)                                                                              \
    __HALF_STORES_MODE(space, T, )                                                                           \
    __HALF_STORES_MODE(space, T, _rte)                                                                       \
    __HALF_STORES_MODE(space, T, _rtz)                                                                       \
    __HALF_STORES_MODE(space, T, _rtp)                                                                       \
    __HALF_STORES_MODE(space, T, _rtn)
__HALF_STORES(__global, float)
__HALF_STORES(__global, double)
__HALF_STORES(__local, float)
__HALF_STORES(__local, double)
__HALF_STORES(__private, float)
__HALF_STORES(__private, double)

#endif
