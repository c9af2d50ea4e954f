/* Searches of a B+ tree as an OpenMP program does them; nodes as in b_tree.cl. */
struct node {
    int key[ORDER + 1];
    int next[ORDER + 1];
};

/* A core's part of n iterations, as schedule(static) shares them out. */
#define FROM(n) ((uint)(n) * (uint)get_global_id(0) / (uint)get_global_size(0))
#define TO(n)   ((uint)(n) * ((uint)get_global_id(0) + 1) / (uint)get_global_size(0))

/* #pragma omp parallel for is over the queries, in both. A loop over the slots of a node takes the place of
 * the work-items. `queries`: their number; current[] and the others hold one a query. */
__kernel void find_part(__global const struct node *tree, const int height, __global const int *record,
                        __global const int *key, __global int *current, __global int *ahead, __global int *answer,
                        const int queries) {
    const int end = TO(queries);

    for (int query = FROM(queries); query < end; query++) {
        for (int level = 0; level < height; level++) {
            __global const struct node *node = &tree[current[query]];
            for (int slot = 0; slot < ORDER; slot++)
                if (node->key[slot] <= key[query] && node->key[slot + 1] > key[query])
                    ahead[query] = node->next[slot];
            current[query] = ahead[query];
        }
        __global const struct node *leaf = &tree[current[query]];
        for (int slot = 0; slot < ORDER; slot++)
            if (leaf->key[slot] == key[query]) answer[query] = record[leaf->next[slot]];
    }
}

__kernel void range_part(__global const struct node *tree, const int height, __global const int *low,
                         __global const int *high, __global int *current_low, __global int *ahead_low,
                         __global int *current_high, __global int *ahead_high, __global int *first,
                         __global int *length, const int queries) {
    const int end = TO(queries);

    for (int query = FROM(queries); query < end; query++) {
        for (int level = 0; level < height; level++) {
            __global const struct node *from = &tree[current_low[query]], *to = &tree[current_high[query]];
            for (int slot = 0; slot < ORDER; slot++) {
                if (from->key[slot] <= low[query] && from->key[slot + 1] > low[query])
                    ahead_low[query] = from->next[slot];
                if (to->key[slot] <= high[query] && to->key[slot + 1] > high[query])
                    ahead_high[query] = to->next[slot];
            }
            current_low[query] = ahead_low[query];
            current_high[query] = ahead_high[query];
        }
        __global const struct node *from = &tree[current_low[query]], *to = &tree[current_high[query]];
        for (int slot = 0; slot < ORDER; slot++)
            if (from->key[slot] == low[query]) first[query] = from->next[slot];
        for (int slot = 0; slot < ORDER; slot++)
            if (to->key[slot] == high[query]) length[query] = to->next[slot] - first[query] + 1;
    }
}
