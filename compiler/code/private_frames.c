#include "compiler/code/private_frames.h"

#include "compiler/ir/thunk.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdbool.h>
#include <string.h>

/* A variable that is looked for in a kernel's frame. */
struct wanted {
    const char *name;
    int line;
    bool found, several; /* `several`: at different places */
    int64_t offset;
};

/* Returns the only operation of a location; NULL if there is none, or if there are several. */
static const Dwarf_Op *operation_of(Dwarf_Die *die, unsigned name) {
    Dwarf_Attribute attribute;
    Dwarf_Op *operation;
    size_t count;
    if (!dwarf_attr(die, name, &attribute) || dwarf_getlocation(&attribute, &operation, &count) != 0)
        return NULL;
    return count == 1 ? operation : NULL;
}

static void look_at(Dwarf_Die *die, struct wanted *w) {
    const char *name = dwarf_diename(die);
    int line = 0;
    if (dwarf_tag(die) != DW_TAG_variable || !name || strcmp(name, w->name) != 0) return;
    if (dwarf_decl_line(die, &line) != 0 || line != w->line) return;
    const Dwarf_Op *operation = operation_of(die, DW_AT_location);
    const bool in_frame = operation && operation->atom == DW_OP_fbreg;
    w->several |= !in_frame || (w->found && (int64_t)operation->number != w->offset);
    w->found = true;
    if (in_frame) w->offset = (int64_t)operation->number;
}

static void look_below(Dwarf_Die *parent, struct wanted *w) {
    Dwarf_Die die;
    if (dwarf_child(parent, &die) != 0) return;
    do {
        look_at(&die, w);
        look_below(&die, w);
    } while (dwarf_siblingof(&die, &die) == 0);
}

/* Returns the register with the base of a function's frame; -1 if it is unknown. */
static int base_of(Dwarf_Die *function) {
    const Dwarf_Op *operation = operation_of(function, DW_AT_frame_base);
    const bool is_register = operation && operation->atom >= DW_OP_reg0 && operation->atom <= DW_OP_reg13;
    return is_register ? operation->atom - DW_OP_reg0 : -1;
}

/* Finds the function of that name. */
static bool find_function(Dwarf *dwarf, const char *name, Dwarf_Die *function) {
    size_t header_bytes;
    for (Dwarf_Off at = 0, next; dwarf_nextcu(dwarf, at, &next, &header_bytes, NULL, NULL, NULL) == 0;
         at = next) {
        Dwarf_Die unit;
        if (!dwarf_offdie(dwarf, at + header_bytes, &unit) || dwarf_child(&unit, function) != 0) continue;
        do {
            const char *own = dwarf_tag(function) == DW_TAG_subprogram ? dwarf_diename(function) : NULL;
            if (own && strcmp(own, name) == 0 && dwarf_hasattr(function, DW_AT_low_pc)) return true;
        } while (dwarf_siblingof(function, function) == 0);
    }
    return false;
}

/* Sets the places of the private variables among the `variables` of a function. */
static void note_function(Dwarf *dwarf, const char *name, const json_t *variables) {
    Dwarf_Die function;
    size_t index;
    json_t *variable;
    const int base = dwarf && find_function(dwarf, name, &function) ? base_of(&function) : -1;
    json_array_foreach(variables, index, variable) {
        const bool known = json_integer_value(json_object_get(variable, "stride"));
        if (known || !json_integer_value(json_object_get(variable, "private"))) continue;
        struct wanted w = {.name = json_string_value(json_object_get(variable, "name")),
                           .line = (int)json_integer_value(json_object_get(variable, "line"))};
        if (base >= 0) look_below(&function, &w);
        if (w.found && !w.several && w.offset < UINT16_MAX && w.offset > -UINT16_MAX) {
            json_object_set_new(variable, "offset", json_integer((uint32_t)w.offset));
            json_object_set_new(variable, "base", json_integer(base));
        } else {
            json_object_set_new(variable, "size", json_integer(0));
        }
    }
}

static void note_kernel(Dwarf *dwarf, json_t *kernel) {
    struct text thunk = {0}, twin = {0};
    const char *name = json_string_value(json_object_get(kernel, "name"));
    text_printf(&thunk, THUNK_PREFIX "%s", name);
    text_printf(&twin, TWIN_PREFIX "%s", name);
    note_function(dwarf, text_string(&thunk), json_object_get(kernel, "variables"));
    note_function(dwarf, text_string(&twin), json_object_get(kernel, "twin_variables"));
    text_free(&thunk);
    text_free(&twin);
}

void private_frames_note(json_t *kernels, const struct text *image) {
    struct text copy = {0};
    size_t index;
    json_t *kernel;
    text_append(&copy, image->data, image->size);
    elf_version(EV_CURRENT);
    Elf *elf = elf_memory(copy.data, copy.size);
    Dwarf *dwarf = elf ? dwarf_begin_elf(elf, DWARF_C_READ, NULL) : NULL;
    json_array_foreach(kernels, index, kernel) {
        note_kernel(dwarf, kernel);
    }
    dwarf_end(dwarf);
    elf_end(elf);
    text_free(&copy);
}
