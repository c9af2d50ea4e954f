#include "tests/reckoning/place.h"

#include <inttypes.h>
#include <stdio.h>

static const char *text_of(reckoned_bits n, char text[40]) {
    if (n >> 64)
        snprintf(text, 40, "0x%" PRIx64 "%016" PRIx64, (uint64_t)(n >> 64), (uint64_t)n);
    else
        snprintf(text, 40, "0x%" PRIx64, (uint64_t)n);
    return text;
}

void reckon(struct reckoning_place *p, const char *input, uint64_t t, reckoned_bits said,
            reckoned_bits reckoned) {
    char a[40], b[40];
    ++p->comparisons;
    if (said == reckoned) return;
    error_set(*p->error, EXIT_TWINS_DISAGREE, "%s, cycle %" PRIu64 ": %s is %s, reckoned %s", p->name, t,
              input, text_of(said, a), text_of(reckoned, b));
}

void reckon_of(struct reckoning_place *p, const char *input, unsigned n, uint64_t t, reckoned_bits said,
               reckoned_bits reckoned) {
    char text[64];
    if (said == reckoned) {
        ++p->comparisons;
        return;
    }
    snprintf(text, sizeof text, "%s of %u", input, n);
    reckon(p, text, t, said, reckoned);
}
