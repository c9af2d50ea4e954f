/* Kernels of all shapes for tests/compiler/test_coalesce.c, which runs each in SIMT mode and as a twin and compares all
 * of memory. They share one signature; `shared` has a word for every work-item. */

#define ARGUMENTS global uint *out, const global uint *in, const uint n, local uint *shared
#define BARRIER   barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)

/* Linear ids, and the number of work-items of a group. */
uint local_item(void) {
    return get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2));
}
uint items(void) {
    return get_local_size(0) * get_local_size(1) * get_local_size(2);
}
uint group(void) {
    return get_group_id(0) + get_num_groups(0) * (get_group_id(1) + get_num_groups(1) * get_group_id(2));
}
uint item(void) {
    return group() * items() + local_item();
}
uint neighbour(uint step) {
    return (local_item() + step) % items();
}

kernel void no_barrier(ARGUMENTS) {
    uint x = in[item()];
    for (uint i = 0; i < (x & 15); i++) x = x * 3 + i;
    out[item()] = x;
}

kernel void ids(ARGUMENTS) {
    uint sum = 0;
    for (uint d = 0; d < 4; d++)
        sum = sum * 31 + get_local_id(d) + 3 * get_global_id(d) + 5 * get_group_id(d) + 7 * get_local_size(d) +
              11 * get_global_size(d) + 13 * get_num_groups(d) + 17 * get_global_offset(d);
    out[item()] = sum + get_work_dim();
}

kernel void empty(ARGUMENTS) {}

kernel void only_barriers(ARGUMENTS) {
    BARRIER;
    BARRIER;
}

/* One value is live across the barrier: x. */
kernel void one_value(ARGUMENTS) {
    const uint x = in[item()] * 3 + 1;
    shared[local_item()] = x;
    BARRIER;
    out[item()] = x ^ shared[neighbour(1)];
}

/* No value is live: ids, cheap functions of them, arguments, group ids. */
kernel void no_value(ARGUMENTS) {
    const uint i = get_local_id(0), g = get_group_id(0) * n, next = i + 1;
    shared[local_item()] = in[item()];
    BARRIER;
    out[item()] = shared[neighbour(1)] + i + g + next;
}

kernel void several_in_a_row(ARGUMENTS) {
    shared[local_item()] = in[item()];
    BARRIER;
    BARRIER;
    const uint a = shared[neighbour(1)];
    BARRIER;
    BARRIER;
    shared[local_item()] = a + 1;
    BARRIER;
    out[item()] = shared[neighbour(2)] - a;
    BARRIER;
}

kernel void in_loop(ARGUMENTS) {
    uint sum = in[item()];
    for (uint i = 0; i < n; i++) {
        shared[local_item()] = sum + i;
        BARRIER;
        sum = sum * 5 + shared[neighbour(i + 1)];
        BARRIER;
    }
    out[item()] = sum;
}

kernel void do_loop(ARGUMENTS) {
    uint i = n, sum = in[item()];
    do {
        shared[local_item()] = sum;
        BARRIER;
        sum += shared[neighbour(i)] >> 1;
        BARRIER;
    } while (i-- > 2);
    out[item()] = sum;
}

kernel void nested_loops(ARGUMENTS) {
    uint sum = in[item()];
    for (uint i = 0; i < n; i++) {
        for (uint k = i; k < n + 1; k++) {
            shared[local_item()] = sum ^ k;
            BARRIER;
            for (uint m = 0; m < (sum & 7); m++) sum += m * i;
            sum += shared[neighbour(k)];
            BARRIER;
            if (k == n - 1) break;
            sum++;
        }
        if (i & 1) continue;
        shared[local_item()] = sum;
        BARRIER;
        sum -= shared[neighbour(3)];
        BARRIER;
    }
    out[item()] = sum;
}

kernel void in_branch(ARGUMENTS) {
    uint x = in[item()];
    if (n > 2) {
        shared[local_item()] = x;
        BARRIER;
        x += shared[neighbour(1)];
    } else {
        shared[local_item()] = x * 2;
        BARRIER;
        x ^= shared[neighbour(2)];
        BARRIER;
        shared[local_item()] = x;
    }
    BARRIER;
    if (get_group_id(0) & 1) {
        x += shared[neighbour(5)];
        BARRIER;
    }
    out[item()] = x;
}

/* A helper with a barrier, in several places and in a loop; a helper of a helper. */
uint exchange(local uint *shared, uint x, uint step) {
    shared[local_item()] = x;
    BARRIER;
    const uint y = shared[neighbour(step)];
    BARRIER;
    return y;
}
__attribute__((noinline)) uint exchange_twice(local uint *shared, uint x) {
    const uint y = exchange(shared, x, 1);
    return y * 3 + exchange(shared, y, 2);
}
kernel void helper(ARGUMENTS) {
    uint x = exchange(shared, in[item()], 3);
    for (uint i = 0; i < n; i++) x += exchange_twice(shared, x + i);
    out[item()] = x;
}

struct pair {
    uint a;
    float b;
    uchar c[3];
};

/* Values of all types: 8 scalars, vectors, a structure (in registers where it can be), a pointer. */
kernel void all_types(ARGUMENTS) {
    const uint x = in[item()];
    char c = (char)x;
    ushort h = (ushort)(x >> 3);
    long l = (long)x * x * 77777;
    float f = (float)x / 3;
    double d = (double)x / 7;
    uint4 v = (uint4)(x, x + 1, x * 5, x ^ 9) * x;
    float3 w = (float3)(f, f * 2, f / 3);
    uchar16 bytes = (uchar16)((uchar)x) * (uchar16)(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
    double2 e = (double2)(d, -d) * d;
    bool odd = x % 3 == 1;
    struct pair p = {x * 7, f + 1, {(uchar)(x >> 1), (uchar)(x >> 2), (uchar)(x >> 3)}};
    const global uint *where = in + x % n;
    event_t none = 0;
    BARRIER;
    uint sum = (uint)c + h + (uint)l + (uint)(l >> 32) + as_uint(f) + (uint)as_ulong(d);
    sum += v.x ^ v.y ^ v.z ^ v.w;
    sum += as_uint(w.x) + as_uint(w.y) * 3 + as_uint(w.z) * 5;
    sum += as_uint(bytes.s048c) + as_uint(bytes.s37bf) * 3;
    sum += (uint)as_ulong(e.x) + (uint)(as_ulong(e.y) >> 32) + (odd ? 1000 : 0);
    sum += p.a + as_uint(p.b) + p.c[0] + p.c[1] * 256 + p.c[2] * 65536 + *where;
    out[item()] = sum;
}

/* Private memory that cannot be in registers: an indexed array, a structure with its address taken. */
void fill(struct pair *p, uint x) {
    p->a = x;
    p->b = (float)x;
    for (uint i = 0; i < 3; i++) p->c[i] = (uchar)(x * (i + 1));
}
kernel void private_memory(ARGUMENTS) {
    uint a[8];
    struct pair pairs[3];
    const uint x = in[item()];
    for (uint i = 0; i < 8; i++) a[i] = x * i;
    for (uint i = 0; i < 3; i++) fill(&pairs[(x + i) % 3], x + i);
    uint *middle = &a[x % 8];
    BARRIER;
    for (uint i = 0; i < n; i++) {
        a[(i + x) & 7] += i;
        shared[local_item()] = *middle;
        BARRIER;
        *middle += shared[neighbour(1)];
        pairs[i % 3].a ^= a[i & 7];
        BARRIER;
    }
    uint sum = 0;
    for (uint i = 0; i < 8; i++) sum = sum * 3 + a[i];
    for (uint i = 0; i < 3; i++) sum = sum * 5 + pairs[i].a + as_uint(pairs[i].b) + pairs[i].c[i];
    out[item()] = sum;
}

/* A private array that is not live at any barrier needs no replication, nor does its pointer. */
kernel void scratch_memory(ARGUMENTS) {
    uint sum = in[item()];
    for (uint k = 0; k < n; k++) {
        uint a[8];
        for (uint i = 0; i < 8; i++) a[(i * 3 + sum) & 7] = sum * i;
        for (uint i = 0; i < 8; i++) sum += a[(sum + i) & 7] >> 1;
        shared[local_item()] = sum;
        BARRIER;
        sum ^= shared[neighbour(1)];
        BARRIER;
    }
    out[item()] = sum;
}

kernel void early_return(ARGUMENTS) {
    out[item()] = in[item()];
    if (get_group_id(0) == 1) return;
    if (n == 77) return;
    shared[local_item()] = in[item()];
    BARRIER;
    out[item()] += shared[neighbour(1)];
    if (n == 3) return;
    BARRIER;
    out[item()] ^= 0xffff;
}

/* Uniform values that a compiler cannot recognise as uniform, since they are read from memory. */
kernel void uniform_by_memory(ARGUMENTS) {
    uint sum = in[item()];
    for (uint i = 0; i < out[0] % 4 + 2; i++) {
        shared[local_item()] = sum;
        BARRIER;
        sum += shared[neighbour(i)];
        BARRIER;
        if (in[0] % 5 == i) break;
    }
    BARRIER;
    if (item() != 0) out[item()] = sum;
}

kernel void with_switch(ARGUMENTS) {
    uint x = in[item()];
    for (uint i = 0; i < n + 3; i++) {
        switch (i % 5) {
        case 0: x += 1; break;
        case 1: shared[local_item()] = x; BARRIER;
        case 2: x ^= shared[neighbour(i)]; BARRIER; break;
        case 3:
            switch (x & 3) {
            case 1: x += 7; break;
            case 2: x *= 9;
            default: x--;
            }
            break;
        default: shared[local_item()] = x + i; BARRIER;
        }
        BARRIER;
    }
    out[item()] = x;
}

kernel void with_goto(ARGUMENTS) {
    uint x = in[item()], i = 0;
again:
    shared[local_item()] = x;
    BARRIER;
    x += shared[neighbour(i + 1)];
    BARRIER;
    if (x & 1) goto odd;
    x /= 3;
    goto next;
odd:
    x = x * 3 + 1;
next:
    if (++i < n) goto again;
    if (n > 100) goto end;
    BARRIER;
    x += 5;
end:
    out[item()] = x;
}

/* Values that are exchanged in a loop with barriers. */
kernel void swaps(ARGUMENTS) {
    uint a = in[item()], b = a * 3, c = a + b, u = n, v = n * n;
    for (uint i = 0; i < n + 2; i++) {
        uint t = a;
        a = b;
        b = c;
        c = t + u;
        t = u;
        u = v;
        v = t + i;
        shared[local_item()] = a;
        BARRIER;
        b += shared[neighbour(u)];
        BARRIER;
    }
    out[item()] = a + 3 * b + 5 * c + 7 * u + 11 * v;
}

kernel void copies(ARGUMENTS) {
    const uint first = group() * items();
    event_t e = async_work_group_copy(shared, in + first, items(), 0);
    wait_group_events(1, &e);
    const uint x = shared[items() - 1 - local_item()];
    BARRIER;
    shared[local_item()] = x + 1;
    BARRIER;
    e = async_work_group_copy(out + first, shared, items(), 0);
    wait_group_events(1, &e);
    out[item()] += n;
}

/* Atomics whose results do not depend on the order; fences; a barrier between. */
kernel void atomics(ARGUMENTS) {
    local uint total, largest;
    if (local_item() == 0) {
        total = n;
        largest = 0;
    }
    BARRIER;
    atomic_add(&total, in[item()]);
    atomic_max(&largest, in[item()]);
    mem_fence(CLK_LOCAL_MEM_FENCE);
    BARRIER;
    out[item()] = total ^ largest;
    write_mem_fence(CLK_GLOBAL_MEM_FENCE);
}

/* Static local memory, doubles, the math library under divergence. */
kernel void math(ARGUMENTS) {
    local float values[256];
    const float x = (float)(in[item()] & 1023) / 64;
    values[local_item()] = x < 8 ? sin(x) : log(x);
    BARRIER;
    float whole, sum = 0;
    for (uint i = 0; i < items(); i++) sum += fract(values[i], &whole) + whole;
    BARRIER;
    values[local_item()] = pow(sum, 1.5f) + (float)exp((double)x / 16);
    BARRIER;
    out[item()] = as_uint(values[neighbour(1)]);
}

/* The prefix sum, which all work-items write. */
kernel void prefix_sum(ARGUMENTS) {
    uint x = in[item()];
    for (uint step = 1; step < items(); step <<= 1) {
        shared[local_item()] = x;
        BARRIER;
        if (local_item() >= step) x += shared[local_item() - step];
        BARRIER;
    }
    out[item()] = x;
}

/* As with all kernels, but from another kernel, and with a volatile private variable. */
kernel void of_kernel(ARGUMENTS) {
    volatile uint count = in[item()];
    one_value(out, in, n, shared);
    BARRIER;
    count++;
    out[item()] += count;
}

/* A table that all work-items fill equally and then only read is shared; the others are not. */
kernel void shared_table(ARGUMENTS) {
    uint table[4] = {1, 20, n, n * 7};
    shared[local_item()] = in[item()];
    BARRIER;
    out[item()] = table[shared[neighbour(1)] & 3];
}
kernel void own_table(ARGUMENTS) {
    uint table[4] = {1, 20, n, n * 7};
    if (in[item()] & 1) table[n & 3] = 9;
    shared[local_item()] = in[item()];
    BARRIER;
    out[item()] = table[shared[neighbour(1)] & 3];
}
kernel void changing_table(ARGUMENTS) {
    uint table[4] = {1, 20, n, n * 7};
    uint sum = 0;
    for (uint i = 0; i < n; i++) {
        shared[local_item()] = in[item()] + i;
        BARRIER;
        sum += table[shared[neighbour(1)] & 3];
        table[i & 3] += n;
        BARRIER;
    }
    out[item()] = sum;
}
