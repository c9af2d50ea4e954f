/* Searches of a B+ tree of order ORDER. A work-group has a query, a work-item a slot of the node that the query
 * has come to: the slot whose keys enclose the query's leads on. key[ORDER] closes a node's last slot; slots that
 * a node does not use have the largest key. In a leaf, `next` is a record's number. State is in global memory. */
struct node {
    int key[ORDER + 1];
    int next[ORDER + 1];
};

/* Copies the record with key key[query] to answer[query], or nothing if there is none. current[] and ahead[]:
 * nodes, first the root. */
__kernel __attribute__((reqd_work_group_size(ORDER, 1, 1))) void
find(__global const struct node *tree, const int height, __global const int *record, __global const int *key,
     __global int *current, __global int *ahead, __global int *answer) {
    const int slot = get_local_id(0), query = get_group_id(0);

    for (int level = 0; level < height; level++) {
        __global const struct node *node = &tree[current[query]];
        if (node->key[slot] <= key[query] && node->key[slot + 1] > key[query]) ahead[query] = node->next[slot];
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (slot == 0) current[query] = ahead[query];
        barrier(CLK_GLOBAL_MEM_FENCE);
    }

    __global const struct node *leaf = &tree[current[query]];
    if (leaf->key[slot] == key[query]) answer[query] = record[leaf->next[slot]];
}

/* first[query]: the record with key low[query]; length[query]: how many there are from it to the one with key
 * high[query]. Both keys must be in the tree. */
__kernel __attribute__((reqd_work_group_size(ORDER, 1, 1))) void
range(__global const struct node *tree, const int height, __global const int *low, __global const int *high,
      __global int *current_low, __global int *ahead_low, __global int *current_high, __global int *ahead_high,
      __global int *first, __global int *length) {
    const int slot = get_local_id(0), query = get_group_id(0);

    for (int level = 0; level < height; level++) {
        __global const struct node *from = &tree[current_low[query]], *to = &tree[current_high[query]];
        if (from->key[slot] <= low[query] && from->key[slot + 1] > low[query]) ahead_low[query] = from->next[slot];
        if (to->key[slot] <= high[query] && to->key[slot + 1] > high[query]) ahead_high[query] = to->next[slot];
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (slot == 0) {
            current_low[query] = ahead_low[query];
            current_high[query] = ahead_high[query];
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
    }

    __global const struct node *from = &tree[current_low[query]], *to = &tree[current_high[query]];
    if (from->key[slot] == low[query]) first[query] = from->next[slot];
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (to->key[slot] == high[query]) length[query] = to->next[slot] - first[query] + 1;
}
