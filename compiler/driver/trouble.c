#include "compiler/driver/trouble.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void say(const char *before, const char *format, va_list list) {
    fputs(before, stderr);
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
}

void trouble(const char *format, ...) {
    va_list list;
    va_start(list, format);
    say("lockstep-cc: ", format, list);
    va_end(list);
    exit(COMPILER_TROUBLE);
}

void defect(const char *format, ...) {
    va_list list;
    va_start(list, format);
    say("lockstep-cc: internal error: ", format, list);
    va_end(list);
    exit(COMPILER_DEFECT);
}

void refuse(const char *format, ...) {
    va_list list;
    va_start(list, format);
    say("", format, list);
    va_end(list);
    exit(COMPILER_REFUSED);
}

void refuse_options(const char *format, ...) {
    va_list list;
    va_start(list, format);
    say("", format, list);
    va_end(list);
    exit(COMPILER_BAD_OPTIONS);
}

void *allocate(void *old, size_t size) {
    void *p = realloc(old, size ? size : 1);
    if (!p) trouble("out of memory");
    return p;
}

char *copy_string(const char *string) {
    size_t size = strlen(string) + 1;
    return memcpy(allocate(NULL, size), string, size);
}

void *grow(void *array, size_t count, size_t size) {
    /* Sizes are powers of two: more room is needed only when the count reaches one. */
    if (count & (count - 1)) return array;
    return allocate(array, (count ? count * 2 : 1) * size);
}
