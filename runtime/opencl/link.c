#include "runtime/opencl/link.h"

#include "runtime/opencl/program.h"
#include "runtime/protocol.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OBJECT_MAGIC   "Lockstep compiled object"
#define OBJECT_VERSION 2
/* Limit for headers that include each other without end, which are left to the compiler. */
#define MAX_DEPTH 32

void link_free_units(cl_program p) {
    for (size_t i = 0; i < p->unit_count; i++) free(p->units[i].object);
    free(p->units);
    p->units = NULL;
    p->unit_count = 0;
}

bool link_add_unit(cl_program p, const void *object, size_t bytes) {
    struct program_unit *units = realloc(p->units, (p->unit_count + 1) * sizeof *units);
    if (units == NULL) return false;
    p->units = units;
    struct program_unit *u = &units[p->unit_count];
    *u = (struct program_unit){malloc(bytes + 1), bytes};
    if (u->object == NULL) return false;
    memcpy(u->object, object, bytes);
    p->unit_count++;
    return true;
}

/* --- objects as binaries --- */

/* The magic text, preceded by its length like every text of a message. */
bool link_is_object(const void *binary, size_t size) {
    return size > 8 + sizeof OBJECT_MAGIC &&
           memcmp((const char *)binary + 8, OBJECT_MAGIC, sizeof OBJECT_MAGIC) == 0;
}

bool link_save(cl_program p) {
    struct protocol_message m;
    protocol_begin(&m, 0);
    protocol_put_text(&m, OBJECT_MAGIC);
    protocol_put_u32(&m, OBJECT_VERSION);
    protocol_put_u32(&m, p->type);
    protocol_put_u32(&m, (uint32_t)p->unit_count);
    for (size_t i = 0; i < p->unit_count; i++) protocol_put_block(&m, p->units[i].object, p->units[i].bytes);
    free(p->binary);
    p->binary = m.bad ? NULL : malloc(m.size);
    if (p->binary != NULL) memcpy(p->binary, m.data, m.size);
    p->binary_size = p->binary != NULL ? m.size : 0;
    protocol_free(&m);
    return p->binary != NULL;
}

/* Reads the units of a compiled object or a library. Returns false if it is not whole. */
static bool read_units(cl_program p, struct protocol_message *m) {
    p->type = protocol_get_u32(m);
    uint32_t count = protocol_get_u32(m);
    bool whole = count > 0;
    for (uint32_t i = 0; whole && i < count; i++) {
        size_t bytes;
        const void *object = protocol_get_block(m, &bytes);
        whole = !m->bad && link_add_unit(p, object, bytes);
    }
    return whole && m->cursor == m->size &&
           (p->type == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT || p->type == CL_PROGRAM_BINARY_TYPE_LIBRARY);
}

cl_int link_load(cl_program p, const void *binary, size_t size, const char **why) {
    struct protocol_message m = {.data = malloc(size), .size = size, .fd = -1};
    *why = "out of memory";
    if (m.data == NULL) return CL_OUT_OF_HOST_MEMORY;
    memcpy(m.data, binary, size);
    protocol_get_text(&m);
    bool current = protocol_get_u32(&m) == OBJECT_VERSION, whole = current && read_units(p, &m);
    protocol_free(&m);
    *why = current ? "a compiled object that is damaged; compile it again"
                   : "a compiled object of another version of Lockstep; compile it again";
    if (!whole) return CL_INVALID_BINARY;
    p->status = CL_BUILD_SUCCESS;
    return link_save(p) ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

/* --- headers --- */

struct headers {
    cl_uint count;
    const cl_program *programs;
    const char **names;
};

/* Returns the header that a line includes, or NULL if it includes none of these. */
static const char *included(const struct headers *h, const char *line, cl_uint *which) {
    line += strspn(line, " \t");
    if (*line++ != '#') return NULL;
    line += strspn(line, " \t");
    if (strncmp(line, "include", 7) != 0) return NULL;
    line += 7 + strspn(line + 7, " \t");
    char close = *line == '"' ? '"' : *line == '<' ? '>' : 0;
    if (close == 0) return NULL;
    size_t length = strcspn(++line, "\"<>\n");
    for (*which = 0; line[length] == close && *which < h->count; ++*which)
        if (strlen(h->names[*which]) == length && strncmp(h->names[*which], line, length) == 0)
            return h->programs[*which]->source;
    return NULL;
}

/* Writes a source with headers in place of the lines that include them. */
static void put_source(FILE *out, const struct headers *h, const char *name, const char *source, int depth) {
    for (unsigned line = 1; *source != 0; line++) {
        size_t length = strcspn(source, "\n");
        cl_uint which;
        const char *header = depth < MAX_DEPTH ? included(h, source, &which) : NULL;
        if (header != NULL) {
            fprintf(out, "#line 1 \"%s\"\n", h->names[which]);
            put_source(out, h, h->names[which], header, depth + 1);
            fprintf(out, "\n#line %u \"%s\"", line + 1, name);
        } else {
            fwrite(source, 1, length, out);
        }
        source += length;
        if (*source == '\n') fputc(*source++, out);
    }
}

static char *expand(const struct headers *h, const char *name, const char *source) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL) return NULL;
    put_source(out, h, name, source, 0);
    if (fclose(out) == 0) return text;
    free(text);
    return NULL;
}

/* --- compiling --- */

static cl_int compile(cl_program p, const char *options, const struct headers *h) {
    static unsigned compiled;
    char name[32];
    snprintf(name, sizeof name, "object%u.cl", ++compiled);
    char *source = expand(h, name, p->source);
    if (source == NULL) return CL_OUT_OF_HOST_MEMORY;
    const struct program_input input = {PROTOCOL_BUILD_OBJECT, name, options, source, strlen(source)};
    cl_int status = program_build(p, &input);
    free(source);
    return status;
}

cl_int CL_API_CALL driver_clCompileProgram(cl_program program, cl_uint num_devices,
                                           const cl_device_id *devices, const char *options,
                                           cl_uint num_headers, const cl_program *headers, const char **names,
                                           void(CL_CALLBACK *notify)(cl_program, void *), void *user_data) {
    DRIVER_LOCKED;
    const struct headers h = {num_headers, headers, names};
    cl_int status = program_check_build(program, num_devices, devices, notify, user_data);
    if (status != CL_SUCCESS) return status;
    if ((num_headers == 0) != (headers == NULL) || (num_headers == 0) != (names == NULL))
        return CL_INVALID_VALUE;
    for (cl_uint i = 0; i < num_headers; i++) {
        if (!objects_is(headers[i], OBJECT_PROGRAM)) return CL_INVALID_PROGRAM;
        if (headers[i]->source == NULL || names[i] == NULL) return CL_INVALID_VALUE;
    }
    if (program->source == NULL) return CL_INVALID_OPERATION;
    status = compile(program, options != NULL ? options : "", &h);
    if (notify != NULL) objects_call_program(notify, program, user_data);
    return status;
}

/* --- linking --- */

/* Reads the words of the linker's options (5.6.5): sets *library for -create-library, and writes the
 * options for the compiler to *compiler, to be freed. Returns false for an unknown word. */
static bool read_options(const char *options, bool *library, char **compiler) {
    static const char *const known[] = {"-cl-denorms-are-zero", "-cl-no-signed-zeroes",
                                        "-cl-no-signed-zeros",  "-cl-unsafe-math-optimizations",
                                        "-cl-finite-math-only", "-cl-fast-relaxed-math"};
    char *copy = strdup(options), *rest = NULL;
    *compiler = calloc(1, strlen(options) + 2);
    *library = false;
    bool good = copy != NULL && *compiler != NULL;
    for (char *word = good ? strtok_r(copy, " \t", &rest) : NULL; word != NULL && good;
         word = strtok_r(NULL, " \t", &rest)) {
        if (strcmp(word, "-create-library") == 0) {
            *library = true;
        } else if (strcmp(word, "-enable-link-options") != 0) {
            good = false;
            for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) good |= strcmp(word, known[i]) == 0;
            /* OpenCL spells this option in two ways. */
            bool zeroes = strcmp(word, "-cl-no-signed-zeroes") == 0;
            strcat(strcat(*compiler, " "), zeroes ? "-cl-no-signed-zeros" : word);
        }
    }
    free(copy);
    return good;
}

/* Concatenates the objects, as the compiler expects them. */
static cl_int link_executable(cl_program p, const char *options) {
    size_t size = 0, at = 0;
    for (size_t i = 0; i < p->unit_count; i++) size += p->units[i].bytes;
    uint8_t *objects = malloc(size + 1);
    if (objects == NULL) return CL_OUT_OF_HOST_MEMORY;
    for (size_t i = 0; i < p->unit_count; at += p->units[i++].bytes)
        memcpy(objects + at, p->units[i].object, p->units[i].bytes);
    const struct program_input input = {PROTOCOL_BUILD_LINK, NULL, options, objects, size};
    cl_int status = program_build(p, &input);
    free(objects);
    return status;
}

/* Links checked programs into a new one; its failures leave the program with a log. */
static cl_int link_programs(cl_program p, const char *more, bool library, cl_uint count,
                            const cl_program *programs) {
    for (cl_uint i = 0; i < count; i++) {
        const struct _cl_program *from = programs[i];
        for (size_t u = 0; u < from->unit_count; u++)
            if (!link_add_unit(p, from->units[u].object, from->units[u].bytes)) return CL_OUT_OF_HOST_MEMORY;
    }
    if (!library) return link_executable(p, more);
    p->type = CL_PROGRAM_BINARY_TYPE_LIBRARY;
    p->status = CL_BUILD_SUCCESS;
    return link_save(p) ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

static cl_int check_link(cl_context context, cl_uint num_devices, const cl_device_id *devices, cl_uint count,
                         const cl_program *programs, bool callback_missing) {
    if (!objects_is(context, OBJECT_CONTEXT)) return CL_INVALID_CONTEXT;
    if ((num_devices == 0) != (devices == NULL) || count == 0 || programs == NULL || callback_missing)
        return CL_INVALID_VALUE;
    for (cl_uint i = 0; i < num_devices; i++)
        if (!objects_is(devices[i], OBJECT_DEVICE)) return CL_INVALID_DEVICE;
    for (cl_uint i = 0; i < count; i++)
        if (!objects_is(programs[i], OBJECT_PROGRAM) || programs[i]->context != context)
            return CL_INVALID_PROGRAM;
    for (cl_uint i = 0; i < count; i++)
        if (programs[i]->unit_count == 0) return CL_INVALID_OPERATION;
    return CL_SUCCESS;
}

cl_program CL_API_CALL driver_clLinkProgram(cl_context context, cl_uint num_devices,
                                            const cl_device_id *devices, const char *options, cl_uint count,
                                            const cl_program *programs,
                                            void(CL_CALLBACK *notify)(cl_program, void *), void *user_data,
                                            cl_int *errcode_ret) {
    DRIVER_LOCKED;
    bool library;
    char *more = NULL;
    cl_int status =
        check_link(context, num_devices, devices, count, programs, notify == NULL && user_data != NULL);
    if (status != CL_SUCCESS) return objects_fail(errcode_ret, status);
    if (!read_options(options != NULL ? options : "", &library, &more)) {
        free(more);
        return objects_fail(errcode_ret, CL_INVALID_LINKER_OPTIONS);
    }
    cl_program p = program_create(context);
    status = p != NULL ? link_programs(p, more, library, count, programs) : CL_OUT_OF_HOST_MEMORY;
    free(more);
    if (p != NULL && notify != NULL) objects_call_program(notify, p, user_data);
    if (errcode_ret != NULL) *errcode_ret = status;
    return p;
}
