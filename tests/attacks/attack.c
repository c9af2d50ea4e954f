#include "tests/attacks/attack.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static unsigned number_of(const char *variable, unsigned otherwise) {
    const char *text = getenv(variable);
    return text ? (unsigned)strtoul(text, NULL, 10) : otherwise;
}

struct attack attack_start(const char *test, unsigned some, unsigned all) {
    setenv("ASAN_OPTIONS", "exitcode=134", 0); /* the default, 1, is an ordinary exit status */
    setenv("UBSAN_OPTIONS", "exitcode=134", 0);
    const bool whole = getenv("LOCKSTEP_LONG") != NULL;
    return (struct attack){.test = test,
                           .seed = seed_start().state,
                           .all = number_of("LOCKSTEP_CASES", whole ? all : some),
                           .deadline = now() + number_of("LOCKSTEP_SECONDS", whole ? 300 : 8)};
}

bool attack_next(struct attack *a) {
    if (a->count == a->all || (a->count > 0 && now() > a->deadline)) return false;
    a->count++;
    return true;
}

struct seed attack_seed(const struct attack *a) {
    struct seed s = seed_of(a->seed + a->count - 1);
    return seed_of(seed_next(&s));
}

void attack_fail(const struct attack *a, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fail_msg("repeat with SEED=%llu LOCKSTEP_CASES=1 %s %s", (unsigned long long)a->seed + a->count - 1,
             program_invocation_name, a->test);
    abort();
}

void attack_end(const struct attack *a, const char *format, ...) {
    char *text;
    va_list arguments;
    va_start(arguments, format);
    assert_true(vasprintf(&text, format, arguments) >= 0);
    va_end(arguments);
    print_message("%s: seeds %llu to %llu: %s\n", a->test, (unsigned long long)a->seed,
                  (unsigned long long)a->seed + a->count - 1, text);
    free(text);
}

char *attack_read(const char *path, size_t *size) {
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    assert_int_equal(fseek(f, 0, SEEK_END), 0);
    *size = (size_t)ftell(f);
    rewind(f);
    char *bytes = calloc(1, *size + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, f), *size);
    fclose(f);
    return bytes;
}

void attack_write(const char *path, const void *bytes, size_t size) {
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
}

/* --- mutations --- */

static void put_number(struct seed *s, char *at, size_t room) {
    static const uint64_t values[] = {0,
                                      1,
                                      0x7f,
                                      0xff,
                                      0x7fff,
                                      0xffff,
                                      0x7fffffff,
                                      0x80000000,
                                      0xffffffff,
                                      0x7fffffffffffffff,
                                      0x8000000000000000,
                                      0xffffffffffffffff};
    uint64_t value = values[seed_below(s, sizeof values / sizeof *values)] + seed_below(s, 3) - 1;
    const size_t width = 1u << seed_below(s, 4);
    memcpy(at, &value, width < room ? width : room);
}

static void mutate_once(struct seed *s, char *bytes, size_t *size, size_t room) {
    const size_t at = seed_below(s, (unsigned)*size), rest = *size - at;
    const size_t some = 1 + seed_below(s, rest < 64 ? (unsigned)rest : 64);
    const size_t from = seed_below(s, (unsigned)*size), there = some < *size - from ? some : *size - from;
    switch (seed_below(s, 8)) {
    case 0:
    case 1: bytes[at] = (char)(bytes[at] ^ 1 << seed_below(s, 8)); break;
    case 2: bytes[at] = (char)seed_next(s); break;
    case 3: put_number(s, bytes + at, rest); break;
    case 4: memmove(bytes + at, bytes + from, there < rest ? there : rest); break;
    case 5:
        memmove(bytes + at, bytes + at + some, rest - some);
        *size -= some;
        break;
    case 6:
        if (*size + some > room) break;
        memmove(bytes + at + some, bytes + at, rest);
        *size += some;
        break;
    default:
        if (seed_below(s, 4) == 0) *size = at;
    }
}

void attack_mutate(struct seed *s, char **bytes, size_t *size) {
    const size_t room = *size + 256;
    char *changed = realloc(*bytes, room + 1);
    assert_non_null(changed);
    for (unsigned n = 1 + seed_below(s, 4); n > 0 && *size > 0; n--) mutate_once(s, changed, size, room);
    changed[*size] = '\0';
    *bytes = changed;
}
