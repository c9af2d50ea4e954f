#include "recording/log_line.h"

#include <string.h>

#define MOST_TEXT 200 /* longest instruction, name of a unit and of a file */

enum { CYCLE = 12, WARP = 18, GROUP = 12, PC = 10, MASK = 12, INSTRUCTION = 34 }; /* widths of columns */

void log_line_head(FILE *out) {
    fprintf(out, "%-*s%-*s%-*s%-*s%-*s%-*s%s\n", CYCLE, "cycle", WARP, "warp", GROUP, "group", PC, "pc", MASK,
            "mask", INSTRUCTION, "instruction", "line");
}

char *log_line_hex(char *at, uint64_t n, unsigned digits) {
    unsigned count = n ? (67u - (unsigned)__builtin_clzll(n)) / 4 : 1;
    if (count < digits) count = digits;
    for (unsigned k = count; k-- > 0; n >>= 4) at[k] = "0123456789abcdef"[n & 15];
    return at + count;
}

char *log_line_decimal(char *at, uint64_t n) {
    char digits[20];
    unsigned count = 0;
    do digits[count++] = (char)('0' + n % 10);
    while (n /= 10);
    while (count) *at++ = digits[--count];
    return at;
}

static char *put(char *at, const char *text) {
    const size_t length = strnlen(text, MOST_TEXT);
    memcpy(at, text, length);
    return at + length;
}

/* Ends a column that begins at `from`. */
static char *pad(char *from, char *at, unsigned width) {
    *at++ = ' ';
    *at++ = ' ';
    while (at < from + width) *at++ = ' ';
    return at;
}

static char *put_group(char *at, const uint32_t *group) {
    if (!group) return put(at, "-");
    for (unsigned d = 0; d < 3; d++) {
        if (d) *at++ = ',';
        at = log_line_decimal(at, group[d]);
    }
    return at;
}

static char *put_mask(char *at, const struct log_line *l) {
    const unsigned digits = (l->positions + 3) / 4;
    at = log_line_hex(at, l->participating, digits);
    if (l->passed == l->participating) return at;
    *at++ = '/';
    return log_line_hex(at, l->passed, digits);
}

size_t log_line_write(const struct log_line *l, char out[LOG_LINE_BYTES]) {
    char *from = out, *at = pad(from, log_line_decimal(out, l->cycle), CYCLE);
    from = at;
    at = put(at, l->unit);
    *at++ = '.';
    at = put(at, l->kind);
    at = pad(from, log_line_decimal(at, l->place), WARP);
    from = at;
    at = pad(from, put_group(at, l->group), GROUP);
    from = at;
    at = pad(from, log_line_hex(at, l->pc, 1), PC);
    from = at;
    at = pad(from, put_mask(at, l), MASK);
    from = at;
    at = pad(from, put(at, l->text), INSTRUCTION);
    at = put(at, l->line && *l->file ? l->file : "?");
    if (l->line && *l->file) {
        *at++ = ':';
        at = log_line_decimal(at, l->line);
    }
    return (size_t)(at - out);
}
