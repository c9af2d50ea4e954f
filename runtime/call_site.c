#include "runtime/call_site.h"

#include <elfutils/libdwfl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Restricts the search for debugging information to the program's own file: no other folder, no network. */
static int find_no_other_file(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
                              const char *file, const char *link, GElf_Word crc, char **found) {
    (void)module, (void)data, (void)name, (void)base, (void)file, (void)link, (void)crc, (void)found;
    return -1;
}

static const char *file_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* Describes a place. Returns false if neither line nor function is known. */
static bool describe_place(Dwfl *dwfl, const char *path, uint64_t offset, char *text, size_t size) {
    Dwfl_Module *module = dwfl_report_offline(dwfl, path, path, -1);
    Dwarf_Addr start;
    if (module == NULL) return false;
    dwfl_report_end(dwfl, NULL, NULL);
    if (dwfl_module_info(module, NULL, &start, NULL, NULL, NULL, NULL, NULL) == NULL) return false;
    /* A program that is not relocatable has its own base, from which the offset counts, too. The address is
     * one less, because a call returns to the instruction behind it. */
    Dwarf_Addr address = start + offset - 1;
    const char *function = dwfl_module_addrname(module, address);
    Dwfl_Line *line = dwfl_module_getsrc(module, address);
    int number = 0;
    const char *file = line != NULL ? dwfl_lineinfo(line, NULL, &number, NULL, NULL, NULL) : NULL;
    if (file != NULL)
        snprintf(text, size, "%s:%d%s%s%s", file_name(file), number, function != NULL ? " (" : "",
                 function != NULL ? function : "", function != NULL ? ")" : "");
    else if (function != NULL)
        snprintf(text, size, "%s (function %s; built without -g)", file_name(path), function);
    return file != NULL || function != NULL;
}

void call_site_describe(const char *site, char *text, size_t size) {
    static const Dwfl_Callbacks callbacks = {.find_debuginfo = find_no_other_file,
                                             .section_address = dwfl_offline_section_address};
    const char *plus = site != NULL ? strrchr(site, '+') : NULL;
    snprintf(text, size, "%s", plus != NULL ? file_name(site) : "an unknown place");
    if (plus == NULL) return;
    char *path = strndup(site, (size_t)(plus - site));
    Dwfl *dwfl = dwfl_begin(&callbacks);
    if (path != NULL && dwfl != NULL) describe_place(dwfl, path, strtoull(plus + 1, NULL, 16), text, size);
    dwfl_end(dwfl);
    free(path);
}
