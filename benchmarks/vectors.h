/* vectors: benchmarks whose kernel makes one of its three vectors of floats from the other two. */
#ifndef BENCHMARKS_VECTORS_H
#define BENCHMARKS_VECTORS_H

/* The kernel, of the same name as the program, has the three vectors as its first arguments, then `scale`, if
 * it takes one, and the number of elements; an element is a work-item's. */
struct vectors {
    const char *name, *summary;                /* a sentence, for --help */
    unsigned result;                           /* index of the result among the three, 0 to 2 */
    const float *scale;                        /* NULL: none */
    float (*expected)(float one, float other); /* an element of it, in C: the same bits */
};

/* All of main(): the exit status. */
int vectors_main(const struct vectors *v, int argc, char **argv);

#endif
