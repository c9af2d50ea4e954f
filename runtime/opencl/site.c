#include "runtime/opencl/site.h"

#include "runtime/opencl/connection.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>

/* The path with which the program was started may not lead to it any more. */
static const char *file_path(const Dl_info *info) {
    bool main_program = getauxval(AT_PHDR) - (uintptr_t)info->dli_fbase < 4096;
    return main_program ? "/proc/self/exe" : info->dli_fname;
}

void site_name(const void *return_address, char *name, size_t size) {
    Dl_info info;
    char path[PATH_MAX];
    name[0] = 0;
    if (return_address == NULL || dladdr(return_address, &info) == 0 || info.dli_fname == NULL ||
        realpath(file_path(&info), path) == NULL)
        return;
    snprintf(name, size, "%s+0x%zx", path, (size_t)((uintptr_t)return_address - (uintptr_t)info.dli_fbase));
}

void site_describe(const void *return_address, char *text, size_t size) {
    struct protocol_message request, reply;
    char name[SITE_NAME_BYTES];
    site_name(return_address, name, sizeof name);
    protocol_begin(&request, PROTOCOL_LOCATE);
    protocol_put_text(&request, name);
    bool told = connection_request(&request, &reply, NULL) == PROTOCOL_OK;
    snprintf(text, size, "%s", told ? protocol_get_text(&reply) : name);
    protocol_free(&reply);
}
