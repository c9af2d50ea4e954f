#include "runtime/image.h"

#include "model/memory/memory.h"
#include "abi/image_checksum.h"
#include "abi/image_note.h"
#include "abi/scalar_note.h"
#include "abi/image_lines.h"

#include <errno.h>
#include <gelf.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* Limit against damaged headers, far above the size of any program. */
#define IMAGE_MAX_CODE_BYTES (64u << 20)

static bool refuse(struct error *e, const char *why) {
    return error_set(e, EXIT_USER, "program image: %s; build it again with lockstep-cc of this version", why);
}

/* --- segments --- */

/* Returns whether a loadable segment is the local window, which has no bytes to load. */
static bool is_local_window(const GElf_Phdr *p) {
    return p->p_filesz == 0 && p->p_vaddr >= MEMORY_LOCAL_BASE && p->p_vaddr < MEMORY_STACK_BASE;
}

static bool measure_segment(const GElf_Phdr *p, size_t size, uint32_t span[2], uint32_t text[2],
                            struct error *e) {
    uint64_t end = p->p_vaddr + p->p_memsz;
    if (p->p_flags & PF_W) return refuse(e, "it has a writable segment, which OpenCL programs cannot have");
    if (p->p_offset > size || p->p_filesz > size - p->p_offset || p->p_filesz > p->p_memsz)
        return refuse(e, "a segment reaches past the end of the file (truncated?)");
    if (p->p_vaddr < MEMORY_CODE_BASE || end > MEMORY_LAUNCH_BASE || end < p->p_vaddr)
        return refuse(e, "a segment lies outside the code's part of memory");
    if (p->p_vaddr < span[0]) span[0] = (uint32_t)p->p_vaddr;
    if (end > span[1]) span[1] = (uint32_t)end;
    if (p->p_flags & PF_X) {
        if (p->p_vaddr < text[0]) text[0] = (uint32_t)p->p_vaddr;
        if (end > text[1]) text[1] = (uint32_t)end;
    }
    return true;
}

static bool load_segments(struct image *i, Elf *elf, const uint8_t *bytes, size_t size, struct error *e) {
    uint32_t span[2] = {UINT32_MAX, 0}, text[2] = {UINT32_MAX, 0};
    size_t count = 0;
    if (elf_getphdrnum(elf, &count) != 0) return refuse(e, "its program headers cannot be read (truncated?)");
    GElf_Phdr p;
    for (size_t n = 0; n < count; n++) {
        if (gelf_getphdr(elf, (int)n, &p) == NULL)
            return refuse(e, "its program headers cannot be read (truncated?)");
        if (p.p_type != PT_LOAD || p.p_memsz == 0 || is_local_window(&p)) continue;
        if (!measure_segment(&p, size, span, text, e)) return false;
    }
    if (text[1] == 0) return refuse(e, "it has no code");
    if (span[1] - span[0] > IMAGE_MAX_CODE_BYTES) return refuse(e, "its code and constants exceed 64 MB");
    if (text[0] % 4 != 0) return refuse(e, "its code is not aligned to words");
    i->code_base = span[0];
    i->code_bytes = span[1] - span[0];
    i->text_base = text[0];
    i->text_bytes = (text[1] - text[0]) & ~3u;
    i->code = calloc(1, i->code_bytes);
    if (i->code == NULL) return error_set(e, EXIT_USER, "program image: out of memory");
    for (size_t n = 0; n < count; n++) {
        gelf_getphdr(elf, (int)n, &p);
        if (p.p_type != PT_LOAD || p.p_memsz == 0 || is_local_window(&p)) continue;
        memcpy(i->code + (p.p_vaddr - i->code_base), bytes + p.p_offset, p.p_filesz);
    }
    return true;
}

/* --- sections and symbols --- */

static bool find_symbol(Elf *elf, const char *name, uint32_t *address, uint32_t *bytes) {
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section)) != NULL;) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) == NULL || header.sh_type != SHT_SYMTAB || header.sh_entsize == 0)
            continue;
        Elf_Data *data = elf_getdata(section, NULL);
        for (size_t n = 0; data != NULL && n < header.sh_size / header.sh_entsize; n++) {
            GElf_Sym symbol;
            if (gelf_getsym(data, (int)n, &symbol) == NULL || symbol.st_shndx == SHN_UNDEF) continue;
            const char *found = elf_strptr(elf, header.sh_link, symbol.st_name);
            if (found == NULL || strcmp(found, name) != 0) continue;
            *address = (uint32_t)symbol.st_value;
            *bytes = (uint32_t)symbol.st_size;
            return true;
        }
    }
    return false;
}

/* Finds the address of code by its symbol. */
static bool find_code(const struct image *i, Elf *elf, const char *name, uint32_t *address, uint32_t *bytes,
                      struct error *e) {
    if (!find_symbol(elf, name, address, bytes))
        return error_set(e, EXIT_USER, "program image: the symbol '%s' is missing; build it again", name);
    if (*address % 4 != 0 || *address < i->text_base || *address - i->text_base >= i->text_bytes)
        return error_set(e, EXIT_USER, "program image: the symbol '%s' is not A32 code; build it again",
                         name);
    return true;
}

/* Finds the note's descriptor (*text points into the image) and the static local memory. */
static bool find_note(struct image *i, Elf *elf, const char **text, size_t *length, struct error *e) {
    size_t names;
    if (elf_getshdrstrndx(elf, &names) != 0)
        return refuse(e, "its section headers cannot be read (truncated?)");
    *text = NULL;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section)) != NULL;) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) == NULL) continue;
        const char *name = elf_strptr(elf, names, header.sh_name);
        if (name == NULL) continue;
        if (strcmp(name, ".local") == 0 && header.sh_type == SHT_NOBITS) {
            if (header.sh_size > 0 && header.sh_addr < MEMORY_LOCAL_BASE)
                return refuse(e, "its local variables lie outside the local window");
            if (header.sh_size > 0)
                i->local_bytes = (uint32_t)(header.sh_addr - MEMORY_LOCAL_BASE + header.sh_size);
        }
        if (strcmp(name, IMAGE_NOTE_SECTION) != 0 || header.sh_type != SHT_NOTE) continue;
        Elf_Data *data = elf_getdata(section, NULL);
        GElf_Nhdr note;
        size_t name_at, descriptor_at;
        if (data == NULL || gelf_getnote(data, 0, &note, &name_at, &descriptor_at) == 0) continue;
        if (note.n_type != IMAGE_NOTE_TYPE ||
            strncmp((char *)data->d_buf + name_at, IMAGE_NOTE_OWNER, note.n_namesz) != 0)
            continue;
        *text = (const char *)data->d_buf + descriptor_at;
        *length = note.n_descsz;
    }
    return *text != NULL || refuse(e, "it has no " IMAGE_NOTE_SECTION " section (not a Lockstep image?)");
}

/* --- the note's JSON --- */

/* Members of a JSON object. The first one that is missing or of the wrong type is remembered. */
struct reader {
    const json_t *object;
    const char *missing;
};

static char *read_text(struct reader *r, const char *key) {
    const json_t *v = json_object_get(r->object, key);
    char *copy = json_is_string(v) ? strdup(json_string_value(v)) : NULL;
    if (copy == NULL && r->missing == NULL) r->missing = key;
    return copy;
}

static uint32_t read_number(struct reader *r, const char *key) {
    const json_t *v = json_object_get(r->object, key);
    json_int_t n = json_is_integer(v) ? json_integer_value(v) : -1;
    if ((n < 0 || n > UINT32_MAX) && r->missing == NULL) r->missing = key;
    return (uint32_t)n;
}

static bool say_missing(const struct reader *r, const char *where, struct error *e) {
    if (r->missing == NULL) return true;
    return error_set(e, EXIT_USER, "program image: %s: '%s' is missing or not of its type; build it again",
                     where, r->missing);
}

static bool read_argument(struct image_argument *a, const json_t *object, const struct image_kernel *k,
                          struct error *e) {
    static const char *const spaces[] = {"global",  "constant", "local", "private",
                                         "image2d", "sampler",  "image"};
    enum { SPACES = sizeof spaces / sizeof spaces[0] };
    struct reader r = {.object = object};
    a->name = read_text(&r, "name");
    a->type = read_text(&r, "type");
    a->access = read_text(&r, "access");
    a->qualifiers = read_text(&r, "qualifiers");
    a->offset = read_number(&r, "offset");
    a->size_bytes = read_number(&r, "size");
    a->alignment = read_number(&r, "alignment");
    char *space = read_text(&r, "space");
    size_t n = 0;
    while (space != NULL && n < SPACES && strcmp(space, spaces[n]) != 0) n++;
    free(space);
    if (!say_missing(&r, k->name, e)) return false;
    a->space = (enum image_space)n;
    if (n == SPACES)
        return error_set(e, EXIT_USER, "program image: %s: an unknown address space; build it again",
                         k->name);
    if (a->offset > k->argument_block_bytes || a->size_bytes > k->argument_block_bytes - a->offset ||
        (a->space != IMAGE_PRIVATE && a->size_bytes != 4))
        return error_set(e, EXIT_USER,
                         "program image: %s: argument '%s' does not fit its block; build it again", k->name,
                         a->name);
    return true;
}

/* Reads the address of code whose symbol is a member of the kernel's object. */
static bool read_entry(struct image *i, Elf *elf, struct reader *r, const char *key, uint32_t *address,
                       uint32_t *bytes, struct error *e) {
    char *symbol = read_text(r, key);
    const bool found = symbol == NULL || find_code(i, elf, symbol, address, bytes, e);
    free(symbol);
    return found; /* missing members are reported together, later */
}

/* Reads the members that SIMT mode needs. */
static bool read_thunk(struct image *i, Elf *elf, struct image_kernel *k, struct reader *r, struct error *e) {
    k->stack_bytes = read_number(r, "stack_bytes");
    k->registers = read_number(r, "registers");
    if (i->scalars != NULL) {
        k->vector_registers = read_number(r, "vector_registers");
        k->scalar_registers = read_number(r, "scalar_registers");
    }
    k->conditional_returns = read_number(r, "conditional_returns");
    k->thunk_objects = read_number(r, "thunk_objects");
    return read_entry(i, elf, r, "thunk", &k->thunk, &k->thunk_bytes, e);
}

/* Reads the members that MIMD mode needs. */
static bool read_twin(struct image *i, Elf *elf, struct image_kernel *k, struct reader *r, struct error *e) {
    k->twin_stack_bytes = read_number(r, "twin_stack_bytes");
    k->twin_item_bytes = read_number(r, "twin_item_bytes");
    k->barriers = read_number(r, "barriers");
    k->replicated = read_number(r, "replicated");
    k->divergent_branches = read_number(r, "divergent_branches");
    k->twin_objects = read_number(r, "twin_objects");
    return read_entry(i, elf, r, "twin", &k->twin, &k->twin_bytes, e);
}

/* Reads a list of numbers from 0 up, of fixed length. */
static bool read_counts(const json_t *list, double *counts) {
    if (json_array_size(list) != KERNEL_COUNTS_ALL) return false;
    for (size_t n = 0; n < KERNEL_COUNTS_ALL; n++) {
        const json_t *number = json_array_get(list, n);
        counts[n] = json_number_value(number);
        if (!json_is_number(number) || !(counts[n] >= 0)) return false;
    }
    return true;
}

static bool read_trips(const json_t *list, const struct image_kernel *k, struct image_features *f) {
    if (!json_is_array(list) || json_array_size(list) > FEATURES_ARGUMENTS) return false;
    for (; f->trip_count < json_array_size(list); f->trip_count++) {
        const json_t *offset = json_array_get(list, f->trip_count);
        const json_int_t value = json_integer_value(offset);
        if (!json_is_integer(offset) || value < 0 || value >= k->argument_block_bytes) return false;
        f->trips[f->trip_count] = (uint32_t)value;
    }
    return true;
}

/* Reads the features from which mode auto chooses. */
static bool read_features(struct image_kernel *k, const json_t *list, struct error *e) {
    const size_t count = json_array_size(list);
    bool whole = json_is_array(list) && count > 0;
    k->features = calloc(count + 1, sizeof *k->features);
    if (k->features == NULL) return error_set(e, EXIT_USER, "program image: out of memory");
    for (; whole && k->feature_count < count; k->feature_count++) {
        const json_t *row = json_array_get(list, k->feature_count);
        struct image_features *f = &k->features[k->feature_count];
        whole = read_trips(json_object_get(row, "trips"), k, f) &&
                read_counts(json_object_get(row, "counts"), f->count);
    }
    return whole ||
           error_set(e, EXIT_USER, "program image: kernel %s: its features are not whole; build it again",
                     k->name);
}

static bool read_variable(struct image_variable *v, const json_t *object, struct error *e) {
    struct reader r = {.object = object};
    const json_t *dimensions = json_object_get(object, "dimensions");
    v->name = read_text(&r, "name");
    v->file = read_text(&r, "file");
    v->line = read_number(&r, "line");
    v->is_private = read_number(&r, "private");
    v->base = read_number(&r, "base");
    v->offset = read_number(&r, "offset");
    v->stride = read_number(&r, "stride");
    v->size_bytes = read_number(&r, "size");
    v->element_bytes = read_number(&r, "element");
    if (!json_is_array(dimensions) || json_array_size(dimensions) > IMAGE_VARIABLE_DIMENSIONS)
        return refuse(e, "a variable is not whole");
    for (; v->dimensions < json_array_size(dimensions); v->dimensions++)
        v->dimension[v->dimensions] = (uint32_t)json_integer_value(json_array_get(dimensions, v->dimensions));
    return say_missing(&r, "a variable", e);
}

static bool read_variables(struct image_variable **variables, size_t *number, const json_t *list,
                           struct error *e) {
    const size_t count = json_array_size(list);
    if (!json_is_array(list)) return refuse(e, "a kernel has no list of variables");
    *variables = calloc(count + 1, sizeof **variables);
    if (*variables == NULL) return error_set(e, EXIT_USER, "program image: out of memory");
    for (*number = 0; *number < count;) {
        struct image_variable *v = &(*variables)[*number];
        if (!read_variable(v, json_array_get(list, (*number)++), e)) return false;
        if (v->base > IMAGE_STACK_POINTER) return refuse(e, "a variable has no place");
    }
    return true;
}

static bool read_kernel(struct image *i, Elf *elf, struct image_kernel *k, const json_t *object,
                        struct error *e) {
    struct reader r = {.object = object};
    const bool mimd = json_object_get(object, "twin") != NULL,
               simt = !mimd || json_object_get(object, "thunk") != NULL;
    k->name = read_text(&r, "name");
    k->file = read_text(&r, "file");
    k->line = read_number(&r, "line");
    k->attributes = read_text(&r, "attributes");
    k->argument_block_bytes = read_number(&r, "argument_block_bytes");
    k->local_bytes = read_number(&r, "local_bytes");
    k->prints = read_number(&r, "prints");
    k->scalar = read_text(&r, "scalar_kernel");
    k->prefetches = read_number(&r, "prefetches");
    k->synchronises = read_number(&r, "synchronises");
    k->stores = read_number(&r, "stores");
    if ((simt && !read_thunk(i, elf, k, &r, e)) || (mimd && !read_twin(i, elf, k, &r, e))) return false;
    if (!say_missing(&r, k->name != NULL ? k->name : "a kernel", e)) return false;
    const json_t *size = json_object_get(object, "reqd_work_group_size");
    const json_t *arguments = json_object_get(object, "arguments");
    if (json_array_size(size) != 3 || !json_is_array(arguments) || k->argument_block_bytes > 65536)
        return error_set(e, EXIT_USER, "program image: kernel %s is not fully described; build it again",
                         k->name);
    for (size_t n = 0; n < 3; n++)
        k->reqd_work_group_size[n] = (uint32_t)json_integer_value(json_array_get(size, n));
    size_t count = json_array_size(arguments);
    k->arguments = calloc(count + 1, sizeof *k->arguments);
    if (k->arguments == NULL) return error_set(e, EXIT_USER, "program image: out of memory");
    k->argument_count = count;
    for (size_t n = 0; n < count; n++)
        if (!read_argument(&k->arguments[n], json_array_get(arguments, n), k, e)) return false;
    if (!read_variables(&k->variables, &k->variable_count, json_object_get(object, "variables"), e))
        return false;
    if (mimd && !read_variables(&k->twin_variables, &k->twin_variable_count,
                                json_object_get(object, "twin_variables"), e))
        return false;
    return !simt || !mimd || read_features(k, json_object_get(object, "features"), e);
}

static bool is_text(const struct image *i, json_int_t address) {
    return address >= i->text_base && address < (json_int_t)i->text_base + i->text_bytes && address % 4 == 0;
}

static bool read_branches(struct image *i, const json_t *list, struct error *e) {
    const size_t count = json_array_size(list);
    if (!json_is_array(list)) return refuse(e, "its note has no list of branches");
    i->branches = calloc(count + 1, sizeof *i->branches);
    if (i->branches == NULL) return error_set(e, EXIT_USER, "program image: out of memory");
    for (; i->branch_count < count; i->branch_count++) {
        const json_t *pair = json_array_get(list, i->branch_count);
        const json_int_t address = json_integer_value(json_array_get(pair, 0));
        const json_int_t meeting = json_integer_value(json_array_get(pair, 1));
        const bool later = i->branch_count == 0 || address > i->branches[i->branch_count - 1].address;
        if (!is_text(i, address) || (meeting != 0 && !is_text(i, meeting)) || !later)
            return refuse(e, "its list of branches is not whole");
        i->branches[i->branch_count] = (struct image_branch){(uint32_t)address, (uint32_t)meeting};
    }
    return true;
}

static bool read_operands(struct image *i, size_t *used, const json_t *list, uint8_t *count) {
    for (size_t n = 0; n < json_array_size(list); n++) {
        const json_int_t operand = json_integer_value(json_array_get(list, n));
        if (operand < 0 || operand > UINT16_MAX << 7 ||
            SCALAR_NOTE_OPERAND_ARCHITECTURAL(operand) >= SCALAR_NOTE_ARCHITECTURAL)
            return false;
        i->operands[(*used)++] = (uint32_t)operand;
    }
    *count = (uint8_t)json_array_size(list);
    return json_is_array(list) && json_array_size(list) <= SCALAR_NOTE_ARCHITECTURAL;
}

static bool read_scalars(struct image *i, const json_t *note, struct error *e) {
    const json_t *list = json_object_get(note, "instructions");
    const size_t count = json_array_size(list);
    size_t operands = 0;
    if (note == NULL) return true;
    for (size_t n = 0; n < count; n++)
        operands += json_array_size(json_array_get(json_array_get(list, n), 2)) +
                    json_array_size(json_array_get(json_array_get(list, n), 3));
    i->scalars = calloc(count + 1, sizeof *i->scalars);
    i->operands = calloc(operands + 1, sizeof *i->operands);
    if (i->scalars == NULL || i->operands == NULL)
        return error_set(e, EXIT_USER, "program image: out of memory");
    operands = 0;
    for (size_t n = 0; n < count; n++) {
        const json_t *row = json_array_get(list, n);
        struct image_scalar *s = &i->scalars[n];
        const json_int_t address = json_integer_value(json_array_get(row, 0));
        s->address = (uint32_t)address;
        s->scalar = json_integer_value(json_array_get(row, 1)) == 1;
        s->first = (uint32_t)operands;
        if (!is_text(i, address) || !read_operands(i, &operands, json_array_get(row, 2), &s->reads) ||
            !read_operands(i, &operands, json_array_get(row, 3), &s->writes))
            return refuse(e, "its list of scalars is not whole");
    }
    i->scalar_count = count;
    return json_is_array(list) || refuse(e, "its list of scalars is not whole");
}

static bool read_object_set(const struct image *i, struct image_object_set *s, const json_t *list) {
    const size_t size = json_array_size(list);
    const json_int_t kernel = json_integer_value(json_array_get(list, 0));
    if (size < 2 || size > 1 + IMAGE_MOST_OBJECTS || kernel < 0 || kernel >= (json_int_t)i->kernel_count)
        return false;
    const struct image_kernel *k = &i->kernels[kernel];
    s->kernel = (uint32_t)kernel;
    for (; s->count < size - 1; s->count++) {
        const json_int_t object = json_integer_value(json_array_get(list, s->count + 1));
        if (object >= (json_int_t)k->argument_count + (json_int_t)k->twin_variable_count ||
            -1 - object >= (json_int_t)k->variable_count)
            return false;
        s->object[s->count] = (int32_t)object;
    }
    return true;
}

static bool read_object_sets(struct image *i, const json_t *list, struct error *e) {
    const size_t count = json_array_size(list);
    if (!json_is_array(list)) return refuse(e, "its note has no list of objects");
    i->object_sets = calloc(count + 1, sizeof *i->object_sets);
    if (i->object_sets == NULL) return error_set(e, EXIT_USER, "program image: out of memory");
    for (; i->object_set_count < count; i->object_set_count++)
        if (!read_object_set(i, &i->object_sets[i->object_set_count],
                             json_array_get(list, i->object_set_count)))
            return refuse(e, "its list of objects is not whole");
    return true;
}

/* Returns whether the kernel's scalar kernel takes the same argument block. */
static bool has_partner(const struct image *i, const struct image_kernel *k) {
    const struct image_kernel *scalar = image_find(i, k->scalar);
    return scalar != NULL && scalar->argument_block_bytes == k->argument_block_bytes;
}

const char *const image_option_name[IMAGE_OPTION_COUNT] = {
#define X(id, name) name,
    IMAGE_OPTIONS(X)
#undef X
};

static bool read_options(struct image *i, const json_t *build, struct error *e) {
    struct reader r = {.object = build};
    for (unsigned n = 0; n < IMAGE_OPTION_COUNT; n++) i->option[n] = read_text(&r, image_option_name[n]);
    return say_missing(&r, "build", e);
}

static bool read_note(struct image *i, Elf *elf, const json_t *note, const uint8_t *bytes, size_t size,
                      struct error *e) {
    json_int_t version = json_integer_value(json_object_get(note, "version"));
    if (version != IMAGE_VERSION)
        return error_set(e, EXIT_USER,
                         "program image: version %lld, but this Lockstep reads version %d; build it again "
                         "(a program that keeps binaries must drop the old ones)",
                         (long long)version, IMAGE_VERSION);
    if (!image_checksum_holds(bytes, size))
        return refuse(e, "it is damaged: its bytes do not have the checksum in its note");
    struct reader r = {.object = note};
    i->priority_levels = read_number(&r, "priority_levels");
    char *startup = read_text(&r, "startup");
    char *mimd = NULL;
    uint32_t code_bytes;
    bool whole = say_missing(&r, "note", e) && asprintf(&mimd, "%s_mimd", startup) >= 0 &&
                 find_code(i, elf, startup, &i->startup, &code_bytes, e) &&
                 find_code(i, elf, mimd, &i->startup_mimd, &code_bytes, e);
    free(startup);
    free(mimd);
    if (!whole || !read_options(i, json_object_get(note, "build"), e)) return false;
    if (!read_branches(i, json_object_get(note, "branches"), e) ||
        !read_scalars(i, json_object_get(note, "scalar"), e))
        return false;
    const json_t *kernels = json_object_get(note, "kernels");
    if (!json_is_array(kernels)) return refuse(e, "its note has no list of kernels");
    size_t count = json_array_size(kernels);
    i->kernels = calloc(count + 1, sizeof *i->kernels);
    if (i->kernels == NULL) return error_set(e, EXIT_USER, "program image: out of memory");
    i->kernel_count = count;
    for (size_t n = 0; n < count; n++)
        if (!read_kernel(i, elf, &i->kernels[n], json_array_get(kernels, n), e)) return false;
    if (!read_object_sets(i, json_object_get(note, "objects"), e)) return false;
    for (size_t n = 0; n < count; n++)
        if (*i->kernels[n].scalar != '\0' && !has_partner(i, &i->kernels[n]))
            return error_set(
                e, EXIT_USER,
                "program image: %s: there is no scalar kernel '%s' with its arguments; build it again",
                i->kernels[n].name, i->kernels[n].scalar);
    return true;
}

/* --- the image --- */

static bool load_parts(struct image *i, Elf *elf, const uint8_t *bytes, size_t size, struct error *e) {
    GElf_Ehdr header;
    if (elf_kind(elf) != ELF_K_ELF || gelf_getehdr(elf, &header) == NULL)
        return refuse(e, "it is not an ELF file");
    if (gelf_getclass(elf) != ELFCLASS32 || header.e_machine != EM_ARM || header.e_type != ET_EXEC ||
        header.e_ident[EI_DATA] != ELFDATA2LSB)
        return refuse(e, "it is not a little-endian 32-bit ARM executable");
    /* libelf reads cut files; section headers beyond the end reveal them. */
    if (header.e_shoff + (uint64_t)header.e_shnum * header.e_shentsize > size)
        return refuse(e, "it is truncated");
    const char *text = NULL;
    size_t length = 0;
    if (!find_note(i, elf, &text, &length, e) || !load_segments(i, elf, bytes, size, e)) return false;
    json_error_t where;
    json_t *note = json_loadb(text, strnlen(text, length), 0, &where);
    if (note == NULL)
        return error_set(e, EXIT_USER, "program image: its note is not JSON (%s); build it again",
                         where.text);
    bool whole = read_note(i, elf, note, bytes, size, e);
    json_decref(note);
    if (!whole) return false;
    i->lines = image_lines_read(elf);
    return i->lines != NULL || error_set(e, EXIT_USER, "program image: out of memory");
}

struct image *image_load(const void *bytes, size_t size, struct error *e) {
    struct image *i = calloc(1, sizeof *i);
    char *copy = malloc(size + 1);
    elf_version(EV_CURRENT);
    if (i == NULL || copy == NULL) {
        error_set(e, EXIT_USER, "program image: out of memory");
        free(copy);
        free(i);
        return NULL;
    }
    memcpy(copy, bytes, size);
    Elf *elf = elf_memory(copy, size);
    bool whole = elf != NULL ? load_parts(i, elf, bytes, size, e) : refuse(e, "it is not an ELF file");
    elf_end(elf);
    free(copy);
    if (whole) return i;
    image_free(i);
    return NULL;
}

static void free_variables(struct image_variable *variables, size_t count) {
    for (size_t n = 0; n < count; n++) {
        free(variables[n].name);
        free(variables[n].file);
    }
    free(variables);
}

static void free_kernel(struct image_kernel *k) {
    for (size_t n = 0; n < k->argument_count; n++) {
        free(k->arguments[n].name);
        free(k->arguments[n].type);
        free(k->arguments[n].access);
        free(k->arguments[n].qualifiers);
    }
    free(k->arguments);
    free_variables(k->variables, k->variable_count);
    free_variables(k->twin_variables, k->twin_variable_count);
    free(k->features);
    free(k->name);
    free(k->scalar);
    free(k->attributes);
    free(k->file);
}

void image_free(struct image *i) {
    if (i == NULL) return;
    for (size_t n = 0; n < i->kernel_count; n++) free_kernel(&i->kernels[n]);
    for (size_t n = 0; n < IMAGE_OPTION_COUNT; n++) free(i->option[n]);
    image_lines_free(i->lines);
    free(i->kernels);
    free(i->branches);
    free(i->object_sets);
    free(i->scalars);
    free(i->operands);
    free(i->code);
    free(i);
}

const struct image_kernel *image_find(const struct image *i, const char *name) {
    for (size_t n = 0; n < i->kernel_count; n++)
        if (strcmp(i->kernels[n].name, name) == 0) return &i->kernels[n];
    return NULL;
}

const struct image_branch *image_branch(const struct image *i, uint32_t address) {
    size_t low = 0, high = i->branch_count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (i->branches[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < i->branch_count && i->branches[low].address == address ? &i->branches[low] : NULL;
}

bool image_line(const struct image *i, uint32_t pc, const char **file, unsigned *line) {
    return image_lines_find(i->lines, pc, file, line);
}

unsigned image_discriminator(const struct image *i, uint32_t pc) {
    return image_lines_discriminator(i->lines, pc);
}

unsigned image_column(const struct image *i, uint32_t pc) {
    return image_lines_column(i->lines, pc);
}

void image_callers(const struct image *i, uint32_t pc, char *text, size_t size) {
    image_lines_callers(i->lines, pc, text, size);
}

const char *image_function(const struct image *i, uint32_t pc) {
    return image_lines_function(i->lines, pc);
}
