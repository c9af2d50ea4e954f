/* Sorting: six ways, of words, halves, doubles and records. */
#include "program.h"

#define MOST 1024

struct record {
    double key;
    uint16_t tag;
    char name[6];
};

#define SORTS(name, type, before)                                                                            \
    static void insertion_##name(type *a, int n) {                                                           \
        for (int i = 1; i < n; i++) {                                                                        \
            const type v = a[i];                                                                             \
            int j = i;                                                                                       \
            for (; j > 0 && before(v, a[j - 1]); j--) a[j] = a[j - 1];                                       \
            a[j] = v;                                                                                        \
        }                                                                                                    \
    }                                                                                                        \
    static void quick_##name(type *a, int n) {                                                               \
        while (n > 12) {                                                                                     \
            const type pivot = a[n / 2];                                                                     \
            int i = 0, j = n - 1;                                                                            \
            while (i <= j) {                                                                                 \
                while (before(a[i], pivot)) i++;                                                             \
                while (before(pivot, a[j])) j--;                                                             \
                if (i > j) break;                                                                            \
                const type v = a[i];                                                                         \
                a[i++] = a[j];                                                                               \
                a[j--] = v;                                                                                  \
            }                                                                                                \
            quick_##name(a, j + 1);                                                                          \
            a += i, n -= i;                                                                                  \
        }                                                                                                    \
        insertion_##name(a, n);                                                                              \
    }                                                                                                        \
    static void merge_##name(type *a, int n) {                                                               \
        static type other[MOST];                                                                             \
        if (n < 2) return;                                                                                   \
        const int half = n / 2;                                                                              \
        merge_##name(a, half), merge_##name(a + half, n - half);                                             \
        for (int i = 0; i < half; i++) other[i] = a[i];                                                      \
        for (int i = 0, j = half, k = 0; i < half; k++)                                                      \
            a[k] = j < n && before(a[j], other[i]) ? a[j++] : other[i++];                                    \
    }                                                                                                        \
    static void heap_##name(type *a, int n) {                                                                \
        for (int end = n, start = n / 2; end > 1;) {                                                         \
            type v;                                                                                          \
            if (start > 0) {                                                                                 \
                v = a[--start];                                                                              \
            } else {                                                                                         \
                v = a[--end];                                                                                \
                a[end] = a[0];                                                                               \
            }                                                                                                \
            int i = start;                                                                                   \
            for (int child; (child = 2 * i + 1) < end; i = child) {                                          \
                if (child + 1 < end && before(a[child], a[child + 1])) child++;                              \
                if (!before(v, a[child])) break;                                                             \
                a[i] = a[child];                                                                             \
            }                                                                                                \
            a[i] = v;                                                                                        \
        }                                                                                                    \
    }

#define LESS(a, b) ((a) < (b))
#define KEY(a, b)  ((a).key < (b).key || ((a).key == (b).key && (a).tag > (b).tag))
SORTS(word, int32_t, LESS)
SORTS(half, uint16_t, LESS)
SORTS(number, double, LESS)
SORTS(record, struct record, KEY)

static void shell(int32_t *a, int n) {
    for (int gap = n / 2; gap; gap /= 2)
        for (int i = gap; i < n; i++)
            for (int j = i; j >= gap && a[j] < a[j - gap]; j -= gap) {
                const int32_t v = a[j];
                a[j] = a[j - gap];
                a[j - gap] = v;
            }
}

static void radix(uint32_t *a, int n) {
    static uint32_t other[MOST];
    for (int shift = 0; shift < 32; shift += 8) {
        uint32_t at[257] = {0};
        for (int i = 0; i < n; i++) at[(a[i] >> shift & 255) + 1]++;
        for (int d = 0; d < 256; d++) at[d + 1] += at[d];
        for (int i = 0; i < n; i++) other[at[a[i] >> shift & 255]++] = a[i];
        for (int i = 0; i < n; i++) a[i] = other[i];
    }
}

static struct record some_record(void) {
    struct record r = {(double)(int32_t)next_random() / 65536, (uint16_t)next_random(), {0}};
    for (int n = 0; n < 6; n++) r.name[n] = (char)('a' + next_random() % 26);
    return r;
}

#define SORT(name, type, sort, make)                                                                         \
    do {                                                                                                     \
        static type a[MOST];                                                                                 \
        for (int n = 0; n < size; n++) a[n] = (make);                                                        \
        sort(a, size);                                                                                       \
        put_bytes(a, sizeof(type) * (size_t)size);                                                           \
    } while (0)

void program(uint32_t count) {
    const int size = count < MOST ? (int)count : MOST;
    SORT(word, int32_t, insertion_word, (int32_t)next_random());
    SORT(word, int32_t, quick_word, (int32_t)next_random());
    SORT(word, int32_t, merge_word, (int32_t)next_random() % 50);
    SORT(word, int32_t, heap_word, (int32_t)next_random());
    SORT(word, int32_t, shell, (int32_t)next_random());
    SORT(word, uint32_t, radix, next_random());
    SORT(half, uint16_t, quick_half, (uint16_t)next_random());
    SORT(half, uint16_t, heap_half, (uint16_t)next_random());
    SORT(half, uint16_t, merge_half, (uint16_t)next_random());
    SORT(number, double, merge_number, (double)(int32_t)next_random() * 0x1p-20);
    SORT(number, double, heap_number, (double)next_random());
    SORT(number, double, quick_number, (double)next_random());
    SORT(record, struct record, heap_record, some_record());
    SORT(record, struct record, merge_record, some_record());
    SORT(record, struct record, quick_record, some_record());
}
