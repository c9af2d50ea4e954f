/* The recorded runs (record.h) cover each machine with SMs: for each configuration of configs/, every
 * accepted combination of the AXES, with the fields that these need, has a run. For a new configuration,
 * engine, scheduler or storage, add a line for each to a head in tests/golden/runs. */
#include "model/config/divergence_engine.h"
#include "model/config/divergence_kind.h"
#include "model/config/lanes_config.h"
#include "model/config/limits.h"
#include "model/config/machine_config.h"
#include "model/config/scheduler_kind.h"
#include "tests/lockstep/record.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_BYTES = 512 };

static const char *const axes[] = {"simt.divergence", "simt.issue", "simt.scheduler",    "uniform.storage",
                                   "scalar.mode",     "lanes.kind", "lanes.scalar_unit", "simt.mitigation"};
enum { AXES = sizeof axes / sizeof *axes };

static const struct config_field *field(const char *name) {
    const struct config_table *t = &machine_config_table;
    for (size_t n = 0; n < t->count; n++)
        if (strcmp(t->fields[n].name, name) == 0) return &t->fields[n];
    fail_msg("no field %s", name);
    return NULL;
}

static uint32_t *value(struct machine_config *c, const char *name) {
    return (uint32_t *)((char *)c + field(name)->offset);
}

static unsigned values(const char *name) {
    const char *const *choices = field(name)->choices;
    unsigned n = 0;
    while (choices && choices[n]) n++;
    return n ? n : 2; /* 2 for a flag */
}

/* The configuration's name, and its value in each axis. */
static void write_key(char key[KEY_BYTES], const char *name, struct machine_config *c) {
    size_t used = (size_t)snprintf(key, KEY_BYTES, "--config %s", name);
    for (unsigned n = 0; n < AXES; n++) {
        const struct config_field *f = field(axes[n]);
        const uint32_t v = *value(c, axes[n]);
        used += (size_t)snprintf(key + used, KEY_BYTES - used, " --set %s=%s", f->name,
                                 f->choices ? f->choices[v]
                                 : v        ? "on"
                                            : "off");
    }
}

/* Sets the fields that the values of the axes need. */
static void enable(struct machine_config *c) {
    const bool barrel = c->simt.issue == ISSUE_BARREL, spatial = c->lanes.kind == LANES_SPATIAL;
    if (c->simt.divergence == DIVERGENCE_pc && c->simt.mitigation != MITIGATION_DPE)
        c->simt.pc_policy = PC_MIN_PC;
    if (barrel) {
        c->simt.issue_width = 1;
        c->cluster.sp_groups = c->cluster.schedulers;
        c->cluster.ldst_lanes = c->cluster.lanes;
        c->cluster.sfu_lanes = 0;
        c->vrf.banks = 0;
    }
    c->uniform.intra = c->uniform.inter = c->uniform.storage != UNIFORM_NONE;
    if (c->uniform.intra && divergence_engines[c->simt.divergence]->as_wide_as_lanes) {
        c->simt.warp_size = c->cluster.lanes;
        while (c->cluster.threads / c->simt.warp_size > SM_MAX_SCHEDULER_WARPS) c->cluster.threads /= 2;
    }
    c->kernel.scalarize =
        c->scalar.mode == SCALAR_GCN || c->lanes.scalar_unit ? SCALARIZE_WIDE : SCALARIZE_OFF;
    if (spatial) {
        c->lanes.exact_allocation = c->lanes.free_on_warp_exit = 0;
    } else {
        c->cluster.schedulers = c->cluster.sp_groups = c->simt.issue_width = 1;
    }
    c->lanes.group = c->lanes.kind == LANES_SPATIO_TEMPORAL ? 4 : 1;
    if (barrel && !spatial && machine_lane_groups(c) <= SM_MAX_SCHEDULERS)
        c->cluster.schedulers = machine_lane_groups(c);
}

static void read_machine(struct machine_config *c, const char *name) {
    char *path = spawn_text("%s/configs/%s.yaml", spawn_source(), name);
    struct error e = {0};
    config_defaults(&machine_config_table, c);
    if (!config_read(&machine_config_table, c, path, &e)) fail_msg("%s", e.message);
    free(path);
}

/* Notes the key of a run; runs on machines of cores have none. */
static void note_run(json_t *keys, const struct record_run *run) {
    struct machine_config c;
    struct error e = {0};
    char *options = strdup(run->options), *rest, *name = NULL, key[KEY_BYTES];
    for (char *word = strtok_r(options, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        if (strcmp(word, "--config") == 0) read_machine(&c, name = strtok_r(NULL, " ", &rest));
        if (!name || strcmp(word, "--set") != 0) continue;
        char *assignment = strtok_r(NULL, " ", &rest);
        if (!config_set(&machine_config_table, &c, assignment, &e)) fail_msg("%s", e.message);
    }
    if (name) {
        write_key(key, name, &c);
        json_object_set_new(keys, key, json_true());
    }
    free(options);
}

/* Returns whether scalar threads, scalar units or uniform values are combined with barrel issue or lane
 * groups, or these two with each other, which are independent. These combinations are recorded with one
 * policy of schedulers. */
static bool is_pair(const struct machine_config *c) {
    const bool beside = c->scalar.mode != SCALAR_OFF || c->uniform.storage != UNIFORM_NONE;
    if (c->simt.issue == ISSUE_BARREL &&
        (c->kernel.scalarize != SCALARIZE_OFF || c->lanes.kind != LANES_SPATIAL))
        return true;
    return beside && (c->simt.issue == ISSUE_BARREL || c->lanes.kind != LANES_SPATIAL);
}

/* Returns whether a combination need not be recorded: some with several policies of schedulers; mitigations
 * of divergence with other policies, and together with scalar threads, scalar units or uniform values. Those
 * with one of the latter are recorded on one configuration. */
static bool is_left_out(const struct machine_config *c, const char *name) {
    const bool scalar = c->scalar.mode != SCALAR_OFF || c->kernel.scalarize != SCALARIZE_OFF,
               uniform = c->uniform.storage != UNIFORM_NONE;
    const bool mitigates = c->simt.mitigation != MITIGATION_NONE;
    if (mitigates && (strcmp(name, "stsimt-30x8") == 0 ? scalar && uniform : scalar || uniform)) return true;
    return (mitigates || is_pair(c)) && c->simt.scheduler != SCHEDULER_round_robin;
}

/* Counts the accepted combinations of the axes from one on, and those without a run. */
static void try_axes(const json_t *keys, const char *name, struct machine_config *c, unsigned axis,
                     unsigned *accepted, unsigned *missing) {
    if (axis < AXES) {
        for (uint32_t v = 0; v < values(axes[axis]); v++) {
            *value(c, axes[axis]) = v;
            try_axes(keys, name, c, axis + 1, accepted, missing);
        }
        return;
    }
    struct machine_config whole = *c;
    struct error e = {0};
    char key[KEY_BYTES];
    enable(&whole);
    if (is_left_out(&whole, name)) return;
    if (!config_check(&machine_config_table, &whole, &e)) return;
    ++*accepted;
    write_key(key, name, &whole);
    if (json_object_get(keys, key)) return;
    ++*missing;
    fprintf(stderr, "not in %s: %s\n", RECORD_FOLDER, key);
}

static void note_runs(void *keys, struct record *r) {
    for (unsigned n = 0; n < r->runs; n++) note_run(keys, &r->run[n]);
}

static void every_machine_with_sms_is_recorded(void **state) {
    (void)state;
    unsigned accepted = 0, missing = 0;
    json_t *keys = json_object();
    record_visit_all(note_runs, keys);
    char *pattern = spawn_text("%s/configs/*.yaml", spawn_source());
    glob_t found;
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    for (size_t n = 0; n < found.gl_pathc; n++) {
        const char *file = strrchr(found.gl_pathv[n], '/') + 1;
        char *name = strndup(file, strlen(file) - strlen(".yaml"));
        struct machine_config c;
        read_machine(&c, name);
        if (c.contexts == CONTEXTS_VRF) try_axes(keys, name, &c, 0, &accepted, &missing);
        free(name);
    }
    globfree(&found);
    free(pattern);
    json_decref(keys);
    print_message("%u machines\n", accepted);
    assert_int_not_equal(accepted, 0);
    assert_int_equal(missing, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {TEST(every_machine_with_sms_is_recorded)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
