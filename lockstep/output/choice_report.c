#include "lockstep/output/choice_report.h"

#include "lockstep/output/report.h"
#include "lockstep/output/table.h"

#include <stdlib.h>
#include <string.h>

struct choice_row {
    const struct launch_record *first;
    uint64_t launches;
};

static size_t gather(const struct run_record *r, struct choice_row *rows) {
    size_t count = 0;
    for (size_t i = 0; i < r->launch_count; i++) {
        const struct launch_record *l = &r->launches[i];
        size_t k = 0;
        if (!l->chosen) continue;
        while (k < count && (strcmp(rows[k].first->kernel, l->kernel) != 0 ||
                             rows[k].first->result.mode != l->result.mode))
            k++;
        if (k == count) rows[count++] = (struct choice_row){.first = l};
        rows[k].launches++;
    }
    return count;
}

void choice_report_print(const struct run_record *r, FILE *out) {
    struct choice_row *rows = calloc(r->launch_count + 1, sizeof *rows);
    struct table t;
    char number[32];
    require_memory(rows);
    const size_t count = gather(r, rows);
    table_init(&t, "llrl");
    table_add(&t, "kernel");
    table_add(&t, "mode");
    table_add(&t, "launches");
    table_add(&t, "why (first launch)");
    for (size_t k = 0; k < count; k++) {
        table_add(&t, "%s", rows[k].first->kernel);
        table_add(&t, "%s", rows[k].first->result.mode == MODE_MIMD ? "MIMD" : "SIMT");
        table_add(&t, "%s", report_number(rows[k].launches, number));
        table_add(&t, "%s", rows[k].first->choice.reason);
    }
    if (count) {
        fputc('\n', out);
        table_print(&t, 2, out);
    }
    table_free(&t);
    free(rows);
}
