#include "library/face.h"

#include "library/lockstep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Message of the latest error of a thread. It is on the heap, since a library loaded by dlopen() has little
 * space for thread-local variables. It is not freed when the thread ends. */
static _Thread_local char *latest;

const char *lockstep_error(void) {
    return latest ? latest : "";
}

bool face_tell(const char *format, ...) {
    va_list arguments;
    const size_t size = sizeof((struct error *)0)->message + 128;
    if (!latest) require_memory(latest = malloc(size));
    va_start(arguments, format);
    vsnprintf(latest, size, format, arguments);
    va_end(arguments);
    return false;
}

static struct face_kept *kept_of(const struct face *f, void *handle) {
    return (struct face_kept *)((char *)handle + f->kept);
}

static bool tell(const struct face *f, void *handle) {
    return face_tell("%s: %s", f->block, kept_of(f, handle)->error.message);
}

static bool is_missing(const struct face *f, const void *handle) {
    return !handle && !face_tell("%s: the handle is NULL", f->block);
}

/* --- state that the evaluation changes --- */

static void keep(const struct face *f, void *handle) {
    struct face_region region[FACE_REGIONS];
    struct face_kept *kept = kept_of(f, handle);
    const unsigned count = f->regions(handle, region);
    size_t bytes = 0, at = 0;
    for (unsigned n = 0; n < count; ++n) bytes += region[n].bytes;
    if (bytes && !kept->bytes) require_memory(kept->bytes = malloc(bytes));
    for (unsigned n = 0; n < count; at += region[n++].bytes)
        if (region[n].bytes) memcpy(kept->bytes + at, region[n].at, region[n].bytes);
}

static void restore(const struct face *f, void *handle) {
    struct face_region region[FACE_REGIONS];
    const struct face_kept *kept = kept_of(f, handle);
    const unsigned count = f->regions(handle, region);
    size_t at = 0;
    for (unsigned n = 0; n < count; at += region[n++].bytes)
        if (region[n].bytes) memcpy(region[n].at, kept->bytes + at, region[n].bytes);
}

/* --- life --- */

bool face_settle(const struct face *f, void *handle) {
    struct face_kept *kept = kept_of(f, handle);
    if (kept->failed) return tell(f, handle);
    kept->error.status = EXIT_SOUND;
    const char *wrong = f->wrong(handle);
    if (wrong)
        error_set(&kept->error, EXIT_USER, "%s has a value that the block's protocol does not allow", wrong);
    return (!wrong && error_guard(&kept->error, f->evaluate, handle)) || tell(f, handle);
}

bool face_reset(const struct face *f, void *handle) {
    if (is_missing(f, handle)) return false;
    struct face_kept *kept = kept_of(f, handle);
    kept->error.status = EXIT_SOUND;
    f->release(handle);
    kept->failed = !error_guard(&kept->error, f->build, handle);
    if (kept->failed) return tell(f, handle);
    keep(f, handle);
    return face_settle(f, handle);
}

static bool in_range(const struct face *f, unsigned n, unsigned value) {
    const struct face_parameter *p = &f->parameter[n];
    return (value >= f->least[n] && value <= p->most) ||
           face_tell("%s: the model has no %s of %u: %u to %u", f->block, p->name, value, f->least[n],
                     p->most);
}

void *face_create(const struct face *f, const unsigned *values) {
    for (unsigned n = 0; n < f->parameters; ++n)
        if (!in_range(f, n, values[n])) return NULL;
    char *handle = calloc(1, f->bytes);
    require_memory(handle);
    for (unsigned n = 0; n < f->parameters; ++n)
        memcpy(handle + f->parameter[n].at, &values[n], sizeof values[n]);
    if (f->fits(handle) ? face_reset(f, handle)
                        : face_tell("%s: the parameters do not fit each other", f->block))
        return handle;
    face_destroy(f, handle);
    return NULL;
}

void face_destroy(const struct face *f, void *handle) {
    if (!handle) return;
    f->release(handle);
    free(kept_of(f, handle)->bytes);
    free(handle);
}

/* --- signals --- */

/* Returns the place of an input's elements: in the model's array, or else in the handle. */
static char *input_at(const struct face *f, const struct face_signal *s, char *handle) {
    if (!s->array) return handle + s->model;
    char *elements, *own = handle + s->own;
    memcpy(&elements, handle + s->model, sizeof elements);
    if (elements >= handle && elements < handle + f->bytes) return elements;
    memcpy(handle + s->model, &own, sizeof own);
    return own;
}

/* Returns the place of a signal's elements; NULL if there are none. */
static const char *elements_at(const struct face_signal *s, const char *block) {
    if (!s->array) return block + s->model;
    const char *elements;
    memcpy(&elements, block + s->model, sizeof elements);
    return elements;
}

typedef unsigned __int128 value;

static value value_of(const char *element, unsigned bytes) {
    value v = 0;
    memcpy(&v, element, bytes);
    return v;
}

/* Models use inputs as indices, so each must fit its port. Returns whether all do. */
static bool fit(const struct face *f, void *handle, const char *in) {
    struct error *e = &kept_of(f, handle)->error;
    for (const struct face_signal *s = f->signal; s < f->signal + f->signals; ++s)
        for (unsigned n = 0; s->kind == FACE_IN && s->bits < 8 * s->bytes && n < s->count; ++n) {
            if (!(value_of(in + s->bench + (size_t)n * s->bytes, s->bytes) >> s->bits)) continue;
            e->status = EXIT_SOUND;
            return error_set(e, EXIT_USER, "%s has a value of more than %u bit%s", s->name, s->bits,
                             s->bits == 1 ? "" : "s");
        }
    return true;
}

bool face_eval(const struct face *f, void *handle, const void *in, void *out) {
    if (is_missing(f, handle)) return false;
    if (!in && f->signals && f->signal->kind == FACE_IN)
        return face_tell("%s: the inputs are NULL", f->block);
    if (!kept_of(f, handle)->failed && !fit(f, handle, in)) return tell(f, handle);
    restore(f, handle);
    for (const struct face_signal *s = f->signal; s < f->signal + f->signals; ++s)
        if (s->kind == FACE_IN)
            memcpy(input_at(f, s, handle), (const char *)in + s->bench, (size_t)s->count * s->bytes);
    const bool settled = face_settle(f, handle);
    face_read(f, handle, NULL, out, NULL);
    return settled;
}

bool face_clock(const struct face *f, void *handle) {
    if (is_missing(f, handle)) return false;
    struct face_kept *kept = kept_of(f, handle);
    kept->failed = kept->error.status != EXIT_SOUND || !error_guard(&kept->error, f->edge, handle);
    if (kept->failed) return tell(f, handle);
    keep(f, handle);
    return true;
}

void face_read(const struct face *f, const void *block, void *in, void *out, void *state) {
    void *const to[] = {in, out, state};
    if (is_missing(f, block)) return;
    for (const struct face_signal *s = f->signal; s < f->signal + f->signals; ++s) {
        if (!to[s->kind]) continue;
        const char *elements = elements_at(s, block);
        char *at = (char *)to[s->kind] + s->bench;
        if (elements)
            memcpy(at, elements, (size_t)s->count * s->bytes);
        else
            memset(at, 0, (size_t)s->count * s->bytes);
    }
}

/* --- vectors of bits --- */

/* Returns `bits` (1 to 128) bits of a vector from bit `at` on. */
static value bits_of(const uint32_t *vector, unsigned at, unsigned bits) {
    value v = 0;
    for (unsigned n = 0; n < bits; n += 32 - (at + n) % 32)
        v |= (value)(vector[(at + n) / 32] >> (at + n) % 32) << n;
    return v & ~(value)0 >> (128 - bits);
}

/* Sets these bits and clears the higher bits of the same word: elements are set in ascending order. */
static void set_bits(uint32_t *vector, unsigned at, unsigned bits, value v) {
    v &= ~(value)0 >> (128 - bits);
    for (unsigned n = 0; n < bits; n += 32 - (at + n) % 32) {
        const unsigned shift = (at + n) % 32;
        uint32_t *word = &vector[(at + n) / 32];
        *word = (*word & ((1u << shift) - 1)) | (uint32_t)(v >> n) << shift;
    }
}

static bool is_bit(const struct face_signal *s) {
    return s->bits == 1 && s->count == 1;
}

void face_take_bits(const struct face *f, void *handle, const void *const *at) {
    restore(f, handle);
    for (const struct face_signal *s = f->signal; s < f->signal + f->signals && s->kind == FACE_IN;
         ++s, ++at) {
        char *to = input_at(f, s, handle);
        for (unsigned n = 0; n < s->count; ++n) {
            const value v = is_bit(s) ? *(const unsigned char *)*at & 1 : bits_of(*at, n * s->bits, s->bits);
            memcpy(to + (size_t)n * s->bytes, &v, s->bytes);
        }
    }
}

void face_give_bits(const struct face *f, const void *block, enum face_kind first, void *const *at) {
    for (const struct face_signal *s = f->signal; s < f->signal + f->signals; ++s) {
        if (s->kind < first) continue;
        const char *from = elements_at(s, block);
        for (unsigned n = 0; n < s->count; ++n) {
            const value v = from ? value_of(from + (size_t)n * s->bytes, s->bytes) : 0;
            if (is_bit(s))
                *(unsigned char *)*at = (unsigned char)v;
            else
                set_bits(*at, n * s->bits, s->bits, v);
        }
        ++at;
    }
}
