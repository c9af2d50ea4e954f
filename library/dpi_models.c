#include "library/dpi_models.h"

#include "sim/error.h"

#include <stdio.h>

bool dpi_in_range(const char *block, const char *parameter, unsigned value, unsigned least, unsigned most) {
    if (value >= least && value <= most) return true;
    fprintf(stderr, "%s: the model has no %s of %u: %u to %u\n", block, parameter, value, least, most);
    return false;
}

void *dpi_allocate(size_t size) {
    void *p = calloc(1, size);
    require_memory(p);
    return p;
}
