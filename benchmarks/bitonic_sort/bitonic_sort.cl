/* A step of Batcher's bitonic sort: elements 2^pass apart are put in order, upwards or downwards by the bit of their
 * number that the stage names. A work-item takes a pair. */
__kernel void bitonic_sort(__global uint *keys, const uint stage, const uint pass) {
    const uint pair = get_global_id(0), distance = 1u << pass;
    const uint left = pair + (pair & ~(distance - 1)), right = left + distance;
    const uint a = keys[left], b = keys[right];
    const bool down = pair >> stage & 1;
    keys[left] = down ? max(a, b) : min(a, b);
    keys[right] = down ? min(a, b) : max(a, b);
}
