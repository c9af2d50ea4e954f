/* A step of Batcher's bitonic sort, four pairs of neighbouring numbers at a time: their elements are neighbours, too, if
 * they are four apart or more, else they are the halves or the even and odd elements of eight in a row. */
__kernel void bitonic_sort(__global uint *keys, const uint stage, const uint pass) {
    const uint pair = 4 * get_global_id(0), distance = 1u << pass;
    const uint first = pair + (pair & ~(max(distance, 4u) - 1));
    const uint4 down = 0u - ((pair + (uint4)(0, 1, 2, 3)) >> stage & 1u);
    __global uint *const left = keys + first, *const right = left + max(distance, 4u);
    const uint4 p = vload4(0, left), q = vload4(0, right);
    const uint4 a = pass > 1 ? p : pass == 1 ? (uint4)(p.lo, q.lo) : (uint4)(p.even, q.even);
    const uint4 b = pass > 1 ? q : pass == 1 ? (uint4)(p.hi, q.hi) : (uint4)(p.odd, q.odd);
    const uint4 low = select(min(a, b), max(a, b), down), high = select(max(a, b), min(a, b), down);

    if (pass > 1) {
        vstore4(low, 0, left);
        vstore4(high, 0, right);
    } else if (pass == 1) {
        vstore4((uint4)(low.lo, high.lo), 0, left);
        vstore4((uint4)(low.hi, high.hi), 0, right);
    } else {
        vstore4((uint4)(low.x, high.x, low.y, high.y), 0, left);
        vstore4((uint4)(low.z, high.z, low.w, high.w), 0, right);
    }
}
