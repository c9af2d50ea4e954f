/*
 * core_kind: how a core issues instructions in MIMD mode and in start-up code (core.kind). A kind is a file
 * NAME_kind.c of model/core/ that ends with its row, `const struct core_kind core_NAME`; NAME is the value of
 * the field. State of a kind is a structure of its own, which `init` makes; registers, caches and TLBs are
 * those of struct core (model/core/core.h).
 */
#ifndef MODEL_CONFIG_CORE_KIND_H
#define MODEL_CONFIG_CORE_KIND_H

#include <stdbool.h>
#include <stdint.h>

struct arm_execution;
struct arm_instruction;
struct core;
struct error;
struct machine_code;
struct machine_config;

enum core_issue { CORE_STALLED, CORE_ISSUED, CORE_FAULTED };

struct core_kind {
    const char *doc;  /* description of the kind */
    bool superscalar; /* has the fetch queue, predictor and load-store queue of superscalar.h */
    bool window;      /* has its window besides */
    /* Checks conditions between fields. Returns false with *e if they conflict. NULL: none. */
    bool (*check)(const struct machine_config *c, struct error *e);
    void (*init)(struct core *c); /* additional work of core_init(), core_free(), core_start(); may be NULL */
    void (*free)(struct core *c);
    void (*start)(struct core *c, uint32_t pc, uint64_t t);
    enum core_issue (*issue)(struct core *c, const struct machine_code *code, uint64_t t,
                             struct arm_instruction **i, struct arm_execution *x); /* core_issue() */
    void (*run)(struct core *c, const struct machine_code *code, uint64_t turn,
                uint64_t horizon); /* core_run(); NULL: the cluster calls issue() for each instruction */
    bool run_calls;                /* run() calls the core's `executes` and `accessed` */
    uint32_t (*working_pc)(const struct core *c); /* core_working_pc() */
};

/* By kind (core_kinds.h): rows, names (NULL after the last), descriptions. */
extern const struct core_kind *const core_kinds[];
extern const char *const core_kind_names[];
const char *core_kind_doc(uint32_t kind);

#endif
