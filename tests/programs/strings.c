/* String routines: copying, searching, numbers as text and back, encodings. */
#include "program.h"

static size_t length(const char *s) {
    const char *end = s;
    while (*end) end++;
    return (size_t)(end - s);
}

static int compare(const char *a, const char *b) {
    for (; *a && *a == *b; a++, b++) continue;
    return (unsigned char)*a - (unsigned char)*b;
}

static char *append(char *to, const char *from) {
    while (*from) *to++ = *from++;
    *to = 0;
    return to;
}

static char *append_number(char *to, int32_t v, unsigned base) {
    char digits[33];
    unsigned n = 0;
    uint32_t u = v < 0 && base == 10 ? 0u - (uint32_t)v : (uint32_t)v;
    if (v < 0 && base == 10) *to++ = '-';
    do digits[n++] = "0123456789abcdefghijklmnopqrstuvwxyz"[u % base];
    while (u /= base);
    while (n) *to++ = digits[--n];
    *to = 0;
    return to;
}

static int32_t number(const char *s) {
    const bool negative = *s == '-';
    uint32_t v = 0;
    for (s += negative; *s >= '0' && *s <= '9'; s++) v = v * 10 + (uint32_t)(*s - '0');
    return negative ? (int32_t)(0u - v) : (int32_t)v;
}

/* Knuth, Morris, Pratt. */
static unsigned occurrences(const char *text, const char *word) {
    static uint8_t border[64];
    const size_t size = length(word);
    unsigned found = 0;
    size_t k = 0;
    border[0] = 0;
    for (size_t n = 1; n < size; n++) {
        while (k && word[n] != word[k]) k = border[k - 1];
        border[n] = (uint8_t)(k += word[n] == word[k]);
    }
    for (k = 0; *text; text++) {
        while (k && *text != word[k]) k = border[k - 1];
        k += *text == word[k];
        if (k < size) continue;
        found++;
        k = border[k - 1];
    }
    return found;
}

static void base64(const uint8_t *bytes, size_t size, char *to) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t n = 0; n < size; n += 3) {
        const uint32_t group = (uint32_t)bytes[n] << 16 | (n + 1 < size ? (uint32_t)bytes[n + 1] << 8 : 0) |
                               (n + 2 < size ? bytes[n + 2] : 0);
        *to++ = digits[group >> 18];
        *to++ = digits[group >> 12 & 63];
        *to++ = n + 1 < size ? digits[group >> 6 & 63] : '=';
        *to++ = n + 2 < size ? digits[group & 63] : '=';
    }
    *to = 0;
}

static void reverse_words(char *s) {
    for (char *word = s; *word;) {
        char *end = word;
        while (*end && *end != ' ') end++;
        for (char *a = word, *b = end; a < b;) {
            const char c = *--b;
            *b = *a;
            *a++ = c;
        }
        word = *end ? end + 1 : end;
    }
}

static void line(void) {
    static const char *const words[] = {"warp", "lane", "barrier", "mask", "thread", "row", "aba", "ababab"};
    char text[400], copy[600], *end = text;
    for (unsigned n = 0; n < 12; n++) {
        end = append(end, words[next_random() % 8]);
        end = append(end, n % 3 ? " " : "");
        end = append_number(end, (int32_t)next_random(), 2 + next_random() % 35);
        end = append(end, " ");
    }
    put_word((uint32_t)length(text));
    put_word(occurrences(text, "ab") + 256 * occurrences(text, "aba"));
    put_word((uint32_t)compare(text, words[next_random() % 8]));
    __builtin_memcpy(copy, text, sizeof text);
    reverse_words(copy);
    put_bytes(copy, length(copy));
    base64((const uint8_t *)text, length(text), copy);
    put_bytes(copy, length(copy));
    append_number(copy, (int32_t)next_random(), 10);
    put_word((uint32_t)number(copy));
    put_word((uint32_t)compare(text, copy) & 0xffff);
}

void program(uint32_t count) {
    for (uint32_t n = 0; n < count; n++) line();
}
