/* Reads the JSON of a recording: its units, launches and code. */
#include "recording/recording_parts.h"

#include <stdlib.h>
#include <string.h>

static uint64_t number_of(const json_t *object, const char *name) {
    const json_int_t n = json_integer_value(json_object_get(object, name));
    return n < 0 ? 0 : (uint64_t)n;
}

static const char *text_of(const json_t *object, const char *name) {
    const char *text = json_string_value(json_object_get(object, name));
    return text ? text : "";
}

static void numbers_of(const json_t *object, const char *name, uint32_t number[3]) {
    for (size_t n = 0; n < 3; ++n)
        number[n] = (uint32_t)json_integer_value(json_array_get(json_object_get(object, name), n));
}

static void *one_more(void *items, size_t count, size_t bytes) {
    items = realloc(items, (count + 1) * bytes);
    require_memory(items);
    return items;
}

/* Returns a field of the configuration; `otherwise`: an older one has no such field. */
static uint64_t field_of(const struct recording *r, const char *name, uint64_t otherwise) {
    const json_t *configuration = json_object_get(r->head, "configuration");
    return json_object_get(configuration, name) ? number_of(configuration, name) : otherwise;
}

static bool has_barrel_issue(const struct recording *r) {
    const json_t *issue = json_object_get(json_object_get(r->head, "configuration"), "simt.issue");
    return issue && strcmp(json_string_value(issue) ? json_string_value(issue) : "", "barrel") == 0;
}

/* Returns whether the divergence engine forms warps. */
static bool has_formed_warps(const struct recording *r) {
    static const char *const engines[] = {"lwm", "dwf", "harp", "tbc"};
    const char *engine =
        json_string_value(json_object_get(json_object_get(r->head, "configuration"), "simt.divergence"));
    for (unsigned n = 0; engine && n < sizeof engines / sizeof *engines; ++n)
        if (strcmp(engine, engines[n]) == 0) return true;
    return false;
}

bool recording_take_head(struct recording *r) {
    const json_t *units = json_object_get(r->head, "units"), *modes = json_object_get(r->head, "modes");
    const json_t *accesses = json_object_get(r->head, "accesses");
    r->clock_mhz = number_of(r->head, "clock_mhz");
    r->accesses = json_array_size(accesses) == 2;
    r->accesses_first = (uint64_t)json_integer_value(json_array_get(accesses, 0));
    r->accesses_last = (uint64_t)json_integer_value(json_array_get(accesses, 1));
    for (r->mode_count = 0; r->mode_count < json_array_size(modes); ++r->mode_count) {
        r->modes = one_more(r->modes, r->mode_count, sizeof *r->modes);
        r->modes[r->mode_count] = json_string_value(json_array_get(modes, r->mode_count));
        if (!r->modes[r->mode_count]) return false;
    }
    for (size_t n = 0; n < json_array_size(units); ++n) {
        const json_t *unit = json_array_get(units, n);
        r->units = one_more(r->units, r->unit_count, sizeof *r->units);
        struct recording_unit *u = &r->units[r->unit_count++];
        *u = (struct recording_unit){.name = text_of(unit, "name"),
                                     .sm = strcmp(text_of(unit, "kind"), "sm") == 0,
                                     .warps = (unsigned)number_of(unit, "warps"),
                                     .warp_size = (unsigned)number_of(unit, "warp_size"),
                                     .cores = (unsigned)number_of(unit, "cores"),
                                     .load_store_units = (unsigned)number_of(unit, "load_store_units"),
                                     .schedulers = (unsigned)field_of(r, "cluster.schedulers", 1),
                                     .barrel = has_barrel_issue(r),
                                     .issues_one = field_of(r, "simt.issue_width", 1) == 1};
        u->regroups = !u->sm && has_formed_warps(r);
        if (!u->sm) u->schedulers = 0;
        if (u->schedulers > 64 || (u->sm && !u->schedulers) || !*u->name || !u->warps || u->warps > 4096 ||
            !u->warp_size || u->warp_size > 64 || u->cores > 4096 || u->load_store_units > 64)
            return false;
    }
    if (r->accesses && r->unit_count && r->units->sm) r->channels = (unsigned)field_of(r, "dram.channels", 0);
    return r->channels <= 256 && r->mode_count && r->mode_count <= 256 && r->clock_mhz &&
           r->clock_mhz <= 1000000 && r->unit_count && r->unit_count <= 256;
}

/* Reads the operands of each instruction; NULL: an older recording, or a damaged one. */
static struct recording_operands *operands_of(const json_t *note, size_t count) {
    const json_t *reads = json_object_get(note, "reads"), *writes = json_object_get(note, "writes");
    const json_t *latencies = json_object_get(note, "latencies"),
                 *occupancies = json_object_get(note, "occupancies");
    const char *kinds = text_of(note, "kinds");
    if (!count || json_array_size(reads) != count || json_array_size(writes) != count ||
        strlen(kinds) != count)
        return NULL;
    struct recording_operands *o = calloc(count, sizeof *o);
    require_memory(o);
    for (size_t n = 0; n < count; ++n)
        o[n] = (struct recording_operands){(uint64_t)json_integer_value(json_array_get(reads, n)),
                                           (uint64_t)json_integer_value(json_array_get(writes, n)),
                                           (uint32_t)json_integer_value(json_array_get(latencies, n)),
                                           (uint32_t)json_integer_value(json_array_get(occupancies, n)),
                                           kinds[n]};
    return o;
}

static bool take_code(struct recording *r, const json_t *note) {
    const json_t *lines = json_object_get(note, "lines"), *text = json_object_get(note, "text");
    const size_t count = json_array_size(lines);
    if (count != json_array_size(text) || number_of(note, "code") != r->code_count) return false;
    r->codes = one_more(r->codes, r->code_count, sizeof *r->codes);
    struct recording_code *c = &r->codes[r->code_count++];
    *c = (struct recording_code){.base = (uint32_t)number_of(note, "base"),
                                 .count = (uint32_t)count,
                                 .line = calloc(count + 1, sizeof *c->line),
                                 .text = calloc(count + 1, sizeof *c->text),
                                 .operands = operands_of(note, count),
                                 .file = text_of(note, "file")};
    require_memory(c->line && c->text);
    for (size_t n = 0; n < count; ++n) {
        c->line[n] = (uint32_t)json_integer_value(json_array_get(lines, n));
        c->text[n] = json_string_value(json_array_get(text, n));
        if (!c->text[n]) c->text[n] = "";
    }
    return true;
}

static bool take_launch(struct recording *r, const json_t *note) {
    const uint64_t code = number_of(note, "code");
    if (number_of(note, "launch") != r->launch_count || code >= r->code_count) return false;
    r->launches = one_more(r->launches, r->launch_count, sizeof *r->launches);
    struct recording_launch *l = &r->launches[r->launch_count++];
    *l = (struct recording_launch){.kernel = text_of(note, "kernel"),
                                   .mode = text_of(note, "mode"),
                                   .first = number_of(note, "first"),
                                   .end = UINT64_MAX};
    l->code = (const struct recording_code *)(uintptr_t)code; /* index of the code, replaced by its address
                                                                 when all codes are known */
    numbers_of(note, "global", l->global);
    numbers_of(note, "local", l->local);
    numbers_of(note, "groups", l->groups);
    numbers_of(note, "offset", l->offset);
    return true;
}

static bool take_end(struct recording *r, const json_t *note) {
    const uint64_t n = number_of(note, "launch_end");
    if (n + 1 != r->launch_count) return false;
    r->launches[n].end = number_of(note, "end");
    r->launches[n].ended = true;
    r->launches[n].error = json_string_value(json_object_get(note, "error"));
    return r->launches[n].end >= r->launches[n].first;
}

bool recording_take_note(struct recording *r, const json_t *note) {
    if (json_object_get(note, "launch")) return take_launch(r, note);
    if (json_object_get(note, "launch_end")) return take_end(r, note);
    return json_object_get(note, "code") && take_code(r, note);
}

void recording_free_notes(struct recording *r) {
    for (size_t n = 0; n < r->code_count; ++n) {
        free(r->codes[n].line);
        free((void *)r->codes[n].text);
        free(r->codes[n].operands);
    }
    free(r->codes);
    free(r->launches);
    free(r->modes);
    free(r->units);
    json_decref(r->head);
    json_decref(r->notes);
}

const struct recording_launch *recording_launch_at(const struct recording *r, uint64_t cycle) {
    for (size_t n = 0; n < r->launch_count; ++n)
        if (cycle >= r->launches[n].first && cycle < r->launches[n].end) return &r->launches[n];
    return NULL;
}

static bool is_in(const struct recording_code *code, uint32_t pc) {
    return code && pc >= code->base && (pc - code->base) / 4 < code->count;
}

unsigned recording_line(const struct recording_code *code, uint32_t pc) {
    return is_in(code, pc) ? code->line[(pc - code->base) / 4] : 0;
}

const char *recording_text(const struct recording_code *code, uint32_t pc) {
    return is_in(code, pc) ? code->text[(pc - code->base) / 4] : "";
}

const struct recording_operands *recording_operands_of(const struct recording_code *code, uint32_t pc) {
    return is_in(code, pc) && code->operands ? &code->operands[(pc - code->base) / 4] : NULL;
}
