/* Statements that part the threads of a warp, and where they meet again. */

// launch: global 96 local 32
kernel void nested_if(global const int *in, global int *out) {
    const int i = get_global_id(0), a = in[i];
    int r = 0;
    if (a > 0) {
        if (a & 1) {
            r = a * 3;
        } else {
            r = a - 7;
            if (a & 4) r ^= i;
        }
        r += 5;
    } else if (a > -1000) {
        r = -a;
    }
    out[i] = r + i;
}

// launch: global 64 local 64
kernel void if_chain(global const uchar *in, global int *out) {
    const int i = get_global_id(0);
    const uchar a = in[i];
    int r;
    if (a < 10)
        r = 1;
    else if (a < 40)
        r = 2 + a;
    else if (a < 90)
        r = 3 * a;
    else if (a < 200)
        r = 4 - a;
    else
        r = 5;
    out[i] = r;
}

// launch: global 80 local 20
kernel void for_break_continue(global const uint *in, global uint *out) {
    const uint i = get_global_id(0), limit = in[i] % 50;
    uint sum = 0;
    for (uint k = 0; k < 40; k++) {
        if (k % 3 == i % 3) continue;
        if (k >= limit) break;
        sum += k * k + in[k];
    }
    out[i] = sum;
}

// launch: global 64 local 32
kernel void while_loop(global const uint *in, global uint *out) {
    const uint i = get_global_id(0);
    uint n = in[i] % 1000 + 1, steps = 0;
    while (n != 1) { /* Collatz */
        n = n & 1 ? 3 * n + 1 : n / 2;
        steps++;
    }
    out[i] = steps;
}

// launch: global 64 local 16
kernel void do_while(global const uint *in, global uint *out) {
    const uint i = get_global_id(0);
    uint a = in[i], bits = 0;
    do {
        bits += a & 1;
        a >>= 1;
    } while (a != 0 && bits < 9);
    out[i] = bits;
}

// launch: global 128 local 64
kernel void switch_fall_through(global const uint *in, global uint *out) {
    const uint i = get_global_id(0), a = in[i];
    uint r = 100;
    switch (a % 7) {
    case 0: r += 1;
    case 1: r += 10; break;
    case 3: {
        r *= 2;
        if (a & 16) break;
        r += 3;
    }
    case 4:
    case 5: r ^= a; break;
    default: r = i;
    }
    out[i] = r;
}

// launch: global 64 local 32
kernel void switch_in_loop(global const uint *in, global uint *out) {
    const uint i = get_global_id(0);
    uint state = in[i] % 5, trace = 0;
    for (int k = 0; k < 20; k++) {
        trace = trace * 5 + state;
        switch (state) {
        case 0: state = in[(i + k) % 512] & 1 ? 3 : 1; break;
        case 1: state = 2; continue;
        case 2: state = 4; break;
        case 3: state = k > 10 ? 4 : 0; break;
        default: k = 100; break;
        }
        trace ^= k;
    }
    out[i] = trace;
}

// launch: global 70 local 35
kernel void early_return(global const int *in, global int *out) {
    const int i = get_global_id(0);
    if (in[i] & 2) return;
    out[i] = 1;
    for (int k = 0; k < 8; k++) {
        if ((in[i + k] & 7) == 3) {
            out[i] = 100 + k;
            return;
        }
        out[i] += in[i + k] & 15;
    }
    if (in[i] < 0) return;
    out[i] = -out[i];
}

// launch: global 64 local 32
kernel void forward_goto(global const uint *in, global uint *out) {
    const uint i = get_global_id(0);
    uint r = in[i] & 0xff;
    if (r > 200) goto large;
    r *= 3;
    if (r & 8) goto end;
    r += 1000;
large:
    r ^= 0x55;
end:
    out[i] = r;
}

// launch: global 48 local 16
kernel void backward_goto(global const uint *in, global uint *out) {
    const uint i = get_global_id(0);
    uint a = in[i] % 100 + 1, b = in[i + 100] % 100 + 1;
again: /* Euclid */
    if (b != 0) {
        const uint rest = a % b;
        a = b;
        b = rest;
        goto again;
    }
    out[i] = a;
}

// launch: global 64 local 64
kernel void short_circuit(global const int *in, global int *out) {
    const int i = get_global_id(0), a = in[i], b = in[i + 64], c = in[i + 128];
    int n = 0;
    if (a > 0 && (n++, b > 0) && (n++, c > 0)) n += 10;
    if (a < 0 || (n += 100, b < 0) || (n += 100, c < 0)) n += 1000;
    out[i] = n + (a > b ? b > c ? 1 : 2 : a > c ? 3 : 4);
}

#define CLAMP_AND(statement, value, limit)                                                                     \
    do {                                                                                                       \
        if ((value) > (limit)) {                                                                               \
            value = (limit);                                                                                   \
            statement;                                                                                         \
        }                                                                                                      \
    } while (0)
// launch: global 64 local 32
kernel void macro_statements(global const uchar *in, global int *out) {
    const int i = get_global_id(0);
    int clamped = 0, sum = 0;
    for (int k = 0; k < 10; k++) {
        int v = in[i + k];
        CLAMP_AND(clamped++, v, 100);
        CLAMP_AND(continue, clamped, 4);
        sum += v;
    }
    out[i] = sum * 100 + clamped;
}

// launch: global 64 local 32
kernel void nested_loops(global const uint *in, global uint *out) {
    const uint i = get_global_id(0);
    uint found = 0;
    for (uint a = 0; a < 6; a++) {
        for (uint b = 0; b < in[i] % 9; b++) {
            uint c = a * b;
            while (c > 0) {
                if (c % 5 == 4) break;
                c -= 1 + (in[b] & 1);
                found++;
            }
            if (found > 30) goto enough;
        }
        if (a == in[i + 1] % 8) break;
    }
enough:
    out[i] = found;
}

// launch: global 64 local 32
kernel void empty_and_dangling(global const int *in, global int *out) {
    const int i = get_global_id(0);
    int r = in[i];
    if (r > 0)
        ;
    else
        r = -1;
    if (r & 1)
        if (r & 2) r += 7;
        else r += 9;
    for (; r > 100 && r % 3; r /= 2)
        ;
    {
        int r = 5; /* of its own */
        r++;
    }
    out[i] = r;
}
