#include "compiler/stages/kernel_table.h"

#include <string.h>

static const struct column {
    const char *title, *key;
} columns[] = {
    {"registers", "registers"},
    {"stack bytes", "stack_bytes"},
    {"local bytes", "local_bytes"},
    {"barriers", "barriers"},
    {"replicated values", "replicated"},
    {"bytes/work-item", "twin_item_bytes"},
    {"MIMD stack bytes", "twin_stack_bytes"},
    {"divergent branches", "divergent_branches"},
    {"conditional returns", "conditional_returns"},
};

void kernel_table(const json_t *kernels, struct text *table) {
    size_t index, width = strlen("kernel");
    json_t *kernel;
    json_array_foreach(kernels, index, kernel) {
        size_t size = json_string_length(json_object_get(kernel, "name"));
        if (size > width) width = size;
    }
    text_printf(table, "%-*s", (int)width, "kernel");
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        text_printf(table, "  %s", columns[i].title);
    text_add(table, "\n");
    json_array_foreach(kernels, index, kernel) {
        text_printf(table, "%-*s", (int)width, json_string_value(json_object_get(kernel, "name")));
        for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
            text_printf(table, "  %*lld", (int)strlen(columns[i].title),
                        (long long)json_integer_value(json_object_get(kernel, columns[i].key)));
        text_add(table, "\n");
    }
}
