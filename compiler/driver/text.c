#include "compiler/driver/text.h"

#include "compiler/driver/trouble.h"
#include "sim/part.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void text_reserve(struct text *t, size_t more) {
    if (t->size + more < t->capacity) return;
    t->capacity = (t->size + more + 1) * 3 / 2 + 64;
    t->data = allocate(t->data, t->capacity);
}

void text_append(struct text *t, const void *bytes, size_t size) {
    text_reserve(t, size);
    if (size) memcpy(t->data + t->size, bytes, size);
    t->size += size;
    t->data[t->size] = 0;
}

void text_add(struct text *t, const char *string) {
    text_append(t, string, strlen(string));
}

void text_add_quoted(struct text *t, const char *string) {
    text_add(t, "\"");
    for (; *string; string++) {
        if (*string == '"' || *string == '\\') text_add(t, "\\");
        text_append(t, string, 1);
    }
    text_add(t, "\"");
}

void text_printf(struct text *t, const char *format, ...) {
    va_list list;
    char *line;
    va_start(list, format);
    int size = vasprintf(&line, format, list);
    va_end(list);
    if (size < 0) trouble("out of memory");
    text_append(t, line, (size_t)size);
    free(line);
}

void text_free(struct text *t) {
    free(t->data);
    *t = (struct text){0};
}

static bool text_read_on(struct text *t, int descriptor) {
    for (;;) {
        text_reserve(t, 65536);
        ssize_t n = read(descriptor, t->data + t->size, t->capacity - t->size - 1);
        if (n < 0 && errno == EINTR) continue;
        if (n > 0) t->size += (size_t)n;
        t->data[t->size] = 0;
        if (n <= 0) return n == 0;
    }
}

bool text_read_file(struct text *t, const char *path) {
    if (!strcmp(path, "-")) return text_read_on(t, STDIN_FILENO);
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return false;
    bool good = text_read_on(t, descriptor);
    int error = errno;
    close(descriptor);
    errno = error;
    return good;
}

bool text_read_descriptor(struct text *t, int descriptor) {
    return lseek(descriptor, 0, SEEK_SET) == 0 && text_read_on(t, descriptor);
}

static bool text_write_on(const struct text *t, int descriptor) {
    for (size_t done = 0; done < t->size;) {
        ssize_t n = write(descriptor, t->data + done, t->size - done);
        if (n < 0 && errno != EINTR) return false;
        if (n > 0) done += (size_t)n;
    }
    return true;
}

bool text_write_file(const struct text *t, const char *path) {
    if (!strcmp(path, "-")) return text_write_on(t, STDOUT_FILENO);
    char *part;
    int descriptor = part_create(path, &part);
    bool good = descriptor >= 0 && text_write_on(t, descriptor);
    int error = errno;
    if (descriptor >= 0 && close(descriptor) != 0 && good) {
        good = false;
        error = errno;
    }
    if (good && rename(part, path) != 0) {
        good = false;
        error = errno;
    }
    if (!good && descriptor >= 0) unlink(part);
    free(part);
    errno = error;
    return good;
}
