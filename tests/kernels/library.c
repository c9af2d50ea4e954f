/* A source of the device library in C. */
int twice(int a, int *p) {
    if (a > 3) *p = LIMIT;
    return 2 * a;
}
