/*
 * scheduler_policy: the choice among the warps that are ready to run (simt.scheduler). A policy is a file
 * NAME.c of model/scheduler/ that ends with its row, `const struct scheduler_policy scheduler_policy_NAME`;
 * the file's name is the value of the field. Clusters and SMs use the same rows, through
 * model/control/warp_scheduler.h, which has the state, ports and help functions of all policies.
 */
#ifndef MODEL_CONFIG_SCHEDULER_POLICY_H
#define MODEL_CONFIG_SCHEDULER_POLICY_H

#include <stdbool.h>
#include <stdint.h>

struct machine_config;
struct warp_scheduler;

#define SCHEDULER_NO_CODE UINT32_MAX

struct scheduler_policy {
    const char *doc; /* description of the choice */
    /* Parameter SCHEDULER of rtl/simt_coprocessor.sv; SCHEDULER_NO_CODE: not in that module. */
    uint32_t code;
    /* Reads the policy's own parameters (own_fields.h). NULL: it has none. */
    void (*configure)(struct warp_scheduler *s, const struct machine_config *c);
    /* Flip-flops after a reset; NULL: all 0. */
    void (*reset)(struct warp_scheduler *s);
    void (*eval)(struct warp_scheduler *s);  /* in, q → out, d */
    void (*clock)(struct warp_scheduler *s); /* d → q: the edge, of this policy's flip-flops only */
    /* Returns, after an evaluation, whether the next cycle can have other outputs with the same inputs. NULL:
     * never, and flip-flops change only if a warp is picked. Policies with it are evaluated in every cycle in
     * which `stalled` changes. */
    bool (*moves)(const struct warp_scheduler *s);
};

/* By kind (scheduler_kind.h): rows, names (NULL after the last), descriptions. */
extern const struct scheduler_policy *const scheduler_policies[];
extern const char *const scheduler_names[];
const char *scheduler_doc(uint32_t kind);

/* Returns the policy with a code; NULL: none. */
const struct scheduler_policy *scheduler_policy_coded(uint32_t code);

extern const struct scheduler_policy scheduler_policy_round_robin; /* the default; inline in the fast paths */

#endif
