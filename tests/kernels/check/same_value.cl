/* All work-items store one value to one word: a note, and with =strict a race. */
kernel void k(global int *out, global const int *in, global int *written, local int *tile,
              local int *other) {
    if (in[get_global_id(0)] == 7) out[0] = 1;
}
