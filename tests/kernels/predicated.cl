/* Small choices: left to the optimiser, which needs no branch for them. */
__kernel void predicated(__global int *a, int n) {
    int v = a[0];
    if (v > n) v = n;
    if (v < 0) {
        v = -v;
        n++;
    } else
        v += 2 * n;
    a[0] = v + n;
}
