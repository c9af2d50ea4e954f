/*
 * real: a test may define a function of a floor again: the floors are shared libraries, whose calls from one
 * file to another then reach the function of the test. REAL(f) is the function f of the floor.
 */
#ifndef TESTS_REAL_H
#define TESTS_REAL_H

#include <dlfcn.h>

#define REAL(f)                                                                                              \
    ({                                                                                                       \
        static __typeof__(&(f)) real_;                                                                       \
        if (!real_) real_ = (__typeof__(&(f)))dlsym(RTLD_NEXT, #f);                                          \
        real_;                                                                                               \
    })

#endif
