/* Each kernel NAME_early leaves statements early; NAME_twin computes the same with only if, else and loops
 * that end at their condition. The words in `a` determine the numbers of iterations and the
 * branches taken. */
#define WORK(x) ((x) * 1664525 + 1013904223 ^ (x) >> 7)

#define KERNEL(name)                                                                                                   \
    __kernel void name##_early(__global int *a, int rounds) {                                                          \
        int i = get_global_id(0), x = a[i], sum = 0;                                                                   \
        for (int r = 0; r < rounds; r++) {                                                                             \
            sum += name##_1(x, a);                                                                                     \
            x = WORK(x + r);                                                                                           \
        }                                                                                                              \
        a[i] = sum;                                                                                                    \
    }                                                                                                                  \
    __kernel void name##_twin(__global int *a, int rounds) {                                                           \
        int i = get_global_id(0), x = a[i], sum = 0;                                                                   \
        for (int r = 0; r < rounds; r++) {                                                                             \
            sum += name##_2(x, a);                                                                                     \
            x = WORK(x + r);                                                                                           \
        }                                                                                                              \
        a[i] = sum;                                                                                                    \
    }

/* PAD: number of additional instructions without effect in each step. Pieces of work of different lengths
 * have no steps in common, which LLVM would merge. */
#ifdef PAD
#define STEP(x, times) x ^= times, ({ __asm__ volatile(".rept %c0\n nop\n .endr" ::"i"(PAD)); })
#else
#define STEP(x, times) (void)0
#endif
int work(int x, int times) {
    for (int i = 0; i < 4 * times; i++) {
        x = WORK(x);
        STEP(x, times);
    }
    return x;
}

/* Several returns, from the body, from a branch and out of a loop. */
int return_1(int x, __global int *a) {
    int y = work(x, 3);
    if (x & 1) return work(y, 9);
    if (x & 2) {
        y = work(y, 5);
        if (x & 4) return y;
        y ^= x;
    }
    for (int i = 0; i < (x >> 3 & 7); i++) {
        y = work(y, 4);
        if (y & 8) return y - i;
    }
    return work(y, 6);
}
int return_2(int x, __global int *a) {
    int y = work(x, 3), done = 0;
    if (x & 1) {
        y = work(y, 9);
    } else {
        if (x & 2) {
            y = work(y, 5);
            if (x & 4)
                done = 1;
            else
                y ^= x;
        }
        if (!done) {
            for (int i = 0; i < (x >> 3 & 7) && !done; i++) {
                y = work(y, 4);
                if (y & 8) {
                    y -= i;
                    done = 1;
                }
            }
            if (!done) y = work(y, 6);
        }
    }
    return y;
}
KERNEL(return)

int break_1(int x, __global int *a) {
    int y = x;
    for (int i = 0; i < 8; i++) {
        y = work(y, 3);
        if (y & 2) {
            y = work(y, 4);
            if (x & 1 << i) {
                y = work(y, 2);
                break;
            }
            y += i;
        }
        y = work(y, 5);
    }
    return work(y, 7);
}
int break_2(int x, __global int *a) {
    int y = x, done = 0;
    for (int i = 0; i < 8 && !done; i++) {
        y = work(y, 3);
        if (y & 2) {
            y = work(y, 4);
            if (x & 1 << i) {
                y = work(y, 2);
                done = 1;
            } else {
                y += i;
            }
        }
        if (!done) y = work(y, 5);
    }
    return work(y, 7);
}
KERNEL(break)

int continue_1(int x, __global int *a) {
    int y = x;
    for (int i = 0; i < 6; i++) {
        y = work(y, 3);
        if (y & 1) continue;
        y = work(y, 5);
        if (y & 2) {
            y = work(y, 4);
            if (x & 1 << i) continue;
            y ^= i;
        }
        y = work(y, 6);
    }
    return y;
}
int continue_2(int x, __global int *a) {
    int y = x;
    for (int i = 0; i < 6; i++) {
        y = work(y, 3);
        if (!(y & 1)) {
            int go_on = 1;
            y = work(y, 5);
            if (y & 2) {
                y = work(y, 4);
                if (x & 1 << i)
                    go_on = 0;
                else
                    y ^= i;
            }
            if (go_on) y = work(y, 6);
        }
    }
    return y;
}
KERNEL(continue)

/* Out of two loops, and over what follows them. */
int forward_1(int x, __global int *a) {
    int y = x;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 3; j++) {
            y = work(y, 3);
            if ((y & 31) == 7) goto out;
            y += j;
        }
    y = work(y, 8);
out:
    return work(y, 6);
}
int forward_2(int x, __global int *a) {
    int y = x, done = 0;
    for (int i = 0; i < 4 && !done; i++)
        for (int j = 0; j < 3 && !done; j++) {
            y = work(y, 3);
            if ((y & 31) == 7)
                done = 1;
            else
                y += j;
        }
    if (!done) y = work(y, 8);
    return work(y, 6);
}
KERNEL(forward)

/* A loop made of a goto. */
int backward_1(int x, __global int *a) {
    int y = x, fuel = x & 7;
again:
    y = work(y, 4);
    if (y & 1) y = work(y, 3);
    if (fuel-- > 0) goto again;
    return work(y, 9);
}
int backward_2(int x, __global int *a) {
    int y = x, fuel = x & 7;
    do {
        y = work(y, 4);
        if (y & 1) y = work(y, 3);
    } while (fuel-- > 0);
    return work(y, 9);
}
KERNEL(backward)

/* Cases that end in every way, and fall through. */
int switch_1(int x, __global int *a) {
    int y = x;
    for (int i = 0; i < 3; i++) {
        switch (y & 7) {
        case 0: y = work(y, 5); break;
        case 1: y = work(y, 6);
        case 2: y = work(y, 7);
        case 3: y = work(y, 8); break;
        case 4:
            if (x & 32) break;
            y = work(y, 4);
            break;
        case 5: y = work(y, 2); continue;
        case 6: return work(y, 3);
        default: y = work(y, 1);
        }
        y = work(y, 6);
    }
    return work(y, 4);
}
int switch_2(int x, __global int *a) {
    int y = x, done = 0;
    for (int i = 0; i < 3 && !done; i++) {
        int c = y & 7;
        if (c == 0) {
            y = work(y, 5);
        } else if (c < 4) {
            if (c == 1) y = work(y, 6);
            if (c <= 2) y = work(y, 7);
            y = work(y, 8);
        } else if (c == 4) {
            if (!(x & 32)) y = work(y, 4);
        } else if (c == 5) {
            y = work(y, 2);
        } else if (c == 6) {
            y = work(y, 3);
            done = 1;
        } else {
            y = work(y, 1);
        }
        if (c != 5 && c != 6) y = work(y, 6);
    }
    if (!done) y = work(y, 4);
    return y;
}
KERNEL(switch)

/* A long chain of cases that fall through. */
int fall_1(int x, __global int *a) {
    int y = x;
    switch (x & 7) {
    case 0: y = work(y, 2);
    case 1: y = work(y, 3);
    case 2: y = work(y, 4);
    case 3: y = work(y, 5);
    case 4: y = work(y, 6);
    case 5: y = work(y, 7);
    case 6: y = work(y, 8);
    default: y = work(y, 9);
    }
    return work(y, 4);
}
int fall_2(int x, __global int *a) {
    int y = x, c = x & 7;
    if (c <= 0) y = work(y, 2);
    if (c <= 1) y = work(y, 3);
    if (c <= 2) y = work(y, 4);
    if (c <= 3) y = work(y, 5);
    if (c <= 4) y = work(y, 6);
    if (c <= 5) y = work(y, 7);
    if (c <= 6) y = work(y, 8);
    y = work(y, 9);
    return work(y, 4);
}
KERNEL(fall)

/* Functions of the math library with several returns, and code after them. */
#define LIBRARY(name, value)                                                                                           \
    __kernel void library_##name(__global int *a, int rounds) {                                                        \
        int i = get_global_id(0);                                                                                      \
        double x = 8.0 * i / 256 - 4, sum = 0;                                                                         \
        for (int r = 0; r < rounds; r++) {                                                                             \
            sum += value;                                                                                              \
            x = -0.97 * x;                                                                                             \
        }                                                                                                              \
        a[i] = (int)(sum * 1000);                                                                                      \
    }
LIBRARY(sin, sin(25 * x))
LIBRARY(expm1, expm1(x))
LIBRARY(atan2, atan2((float)x, 1.5f - (float)(i & 3)))
