/* How many letters of a pattern are found at each place of a text. A work-item searches at `each` places in a row. */
__kernel void string_search(__global const uchar *text, __global const uchar *pattern, __global uchar *found,
                            const int places, const int length, const int each) {
    const int first = get_global_id(0) * each, end = min(first + each, places);

    for (int place = first; place < end; place++) {
        int equal = 0;
        while (equal < length && text[place + equal] == pattern[equal]) equal++;
        found[place] = equal;
    }
}
