#include "lockstep/rtl_report.h"

#include "lockstep/report.h"

void rtl_report_print(const struct twins *t, FILE *out) {
    struct twins_count c;
    char a[32], b[32];
    fprintf(out, "\n  %-28s%8s%18s%12s\n", "Verilog", "mode", "comparisons", "mismatches");
    for (unsigned n = 0; twins_count(t, n, &c); n++)
        fprintf(out, "  %-28s%8s%18s%12s\n", c.block, twins_mode_name[c.mode],
                report_number(c.comparisons, a), report_number(c.mismatches, b));
}

json_t *rtl_report_json(const struct twins *t) {
    json_t *j = json_array();
    struct twins_count c;
    for (unsigned n = 0; t && twins_count(t, n, &c); n++) {
        json_t *source = json_string(c.source); /* a path need not be UTF-8; JSON must */
        json_array_append_new(
            j, json_pack("{s:s, s:s, s:o, s:I, s:I}", "block", c.block, "mode", twins_mode_name[c.mode],
                         "source", source ? source : json_string("(not UTF-8)"), "comparisons",
                         (json_int_t)c.comparisons, "mismatches", (json_int_t)c.mismatches));
    }
    return j;
}
