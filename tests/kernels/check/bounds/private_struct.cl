/* A helper with a pointer to a private structure writes before its array. */
struct stack {
    int top, item[6];
};

static void push(struct stack *s, int value) {
#ifdef BUG
    s->item[s->top - 5] = value; /* bounds */
#else
    s->item[s->top] = value;
#endif
    s->top++;
}

kernel void k(global int *out, global const int *in, global int *written, local int *tile,
              local int *other) {
    const int i = get_global_id(0);
    struct stack s = {in[i] & 1};
    for (int n = 0; n < 4; n++)
        if (in[i + n] & 1) push(&s, n);
    out[i] = s.top ? s.item[s.top - 1 & 3] : 0;
}
