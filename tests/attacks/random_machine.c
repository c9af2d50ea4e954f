#include "tests/attacks/random_machine.h"

#include <string.h>

uint32_t random_machine_value(const struct config_field *f, const struct machine_config *c) {
    uint32_t value;
    memcpy(&value, (const char *)c + f->offset, sizeof value);
    return value;
}

static uint32_t choices(const struct config_field *f) {
    uint32_t n = 0;
    while (f->choices[n]) n++;
    return n;
}

static uint32_t power_below(uint32_t value) {
    while (value & (value - 1)) value &= value - 1;
    return value;
}

/* Returns a random number. All lengths in bits are equally frequent. */
static uint32_t between(struct seed *s, uint32_t low, uint32_t high) {
    const unsigned bits = high - low ? 32 - (unsigned)__builtin_clz(high - low) : 0;
    const uint64_t spread = 1ull << seed_below(s, bits + 1);
    const uint64_t value = low + seed_next(s) % spread;
    return value > high ? high : (uint32_t)value;
}

static uint32_t random_value(struct seed *s, const struct config_field *f) {
    if (f->type == CONFIG_FLAG) return seed_below(s, 2);
    if (f->type == CONFIG_CHOICE) return seed_below(s, choices(f));
    if (!strcmp(f->name, "simt.livelock_cycles") || !strcmp(f->name, "mem.exclusive_livelock"))
        return seed_below(s, 2) ? 0 : f->maximum;
    const unsigned kind = seed_below(s, 10);
    if (kind < 2) return f->minimum;
    if (kind < 3) return f->maximum;
    const uint32_t value = between(s, f->minimum, f->maximum);
    return f->power_of_two ? power_below(value) : value;
}

const struct config_field *random_machine_field(struct seed *s) {
    return &machine_config_table.fields[seed_below(s, (unsigned)machine_config_table.count)];
}

void random_machine(struct seed *s, struct machine_config *c) {
    static const unsigned percents[] = {4, 15, 60};
    const unsigned percent = percents[seed_below(s, 3)];
    config_defaults(&machine_config_table, c);
    for (size_t i = 0; i < machine_config_table.count; i++) {
        const struct config_field *f = &machine_config_table.fields[i];
        if (seed_below(s, 100) >= percent) continue;
        const uint32_t value = random_value(s, f);
        memcpy((char *)c + f->offset, &value, sizeof value);
    }
}

void random_machine_valid(struct seed *s, struct machine_config *c) {
    struct error e;
    do {
        e = (struct error){0};
        random_machine(s, c);
    } while (!config_check(&machine_config_table, c, &e));
}

void random_machine_text(const struct config_field *f, const struct machine_config *c, char text[32]) {
    const uint32_t value = random_machine_value(f, c);
    if (f->type == CONFIG_CHOICE)
        snprintf(text, 32, "%s", f->choices[value]);
    else if (f->type == CONFIG_FLAG)
        snprintf(text, 32, "%s", value ? "true" : "false");
    else
        snprintf(text, 32, "%u", value);
}

void random_machine_print(const struct machine_config *c, FILE *out) {
    for (size_t i = 0; i < machine_config_table.count; i++) {
        const struct config_field *f = &machine_config_table.fields[i];
        char text[32];
        if (random_machine_value(f, c) == f->initial) continue;
        random_machine_text(f, c, text);
        fprintf(out, " --set %s=%s", f->name, text);
    }
}
