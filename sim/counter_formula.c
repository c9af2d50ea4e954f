/*
 * The formulas of ratios, read and evaluated in one go:
 *
 *   sum     = product { (+|-) product }
 *   product = factor { (*|/) factor }
 *   factor  = number | name | 'name' | ( sum ) | - factor
 */
#include "sim/counter_private.h"

#include "sim/error.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct formula {
    const struct counter_registry *registry; /* NULL: the formula is read without evaluation */
    const uint64_t *values;
    const struct counter *counter; /* ratio that is evaluated */
    const char *at;
    bool divides_by_zero;
};

static char next_character(struct formula *f) {
    while (*f->at == ' ') f->at++;
    return *f->at;
}

static bool accept(struct formula *f, char c) {
    if (next_character(f) != c) return false;
    f->at++;
    return true;
}

static _Noreturn void refuse(const struct formula *f, const char *what) {
    error_panic(__FILE__, __LINE__, "counter '%s' of scope '%s': %s at '%s' of the formula '%s'",
                f->counter->name, f->counter->scope, what, f->at, f->counter->formula);
}

/* Returns whether a pattern of that length matches the text; * stands for any part without a dot. */
static bool matches(const char *pattern, size_t length, const char *text) {
    if (length == 0) return *text == '\0';
    if (*pattern != '*') return *pattern == *text && matches(pattern + 1, length - 1, text + 1);
    for (;; text++) {
        if (matches(pattern + 1, length - 1, text)) return true;
        if (*text == '\0' || *text == '.') return false;
    }
}

/* Returns the name relative to the scope, or NULL outside of it. */
static const char *seen_from(const struct counter *c, const char *scope, char *name, size_t size) {
    const size_t length = strlen(scope);
    const char *inner = c->scope;
    if (length && strncmp(inner, scope, length) != 0) return NULL;
    inner += length;
    if (length && *inner == '.')
        inner++;
    else if (length && *inner)
        return NULL;
    const int n = snprintf(name, size, "%s%s%s", inner, *inner ? "." : "", c->name);
    return n >= 0 && (size_t)n < size ? name : NULL;
}

static double value_of(struct formula *f, const char *name, size_t length) {
    double sum = 0;
    bool any = false;
    for (size_t i = 0; f->registry && i < f->registry->count; i++) {
        const struct counter *c = f->registry->counters[i];
        char relative[256];
        if (c->kind == COUNTER_RATIO || !seen_from(c, f->counter->scope, relative, sizeof relative) ||
            !matches(name, length, relative))
            continue;
        any = true;
        sum += (double)f->values[c->cell + (c->kind == COUNTER_HISTOGRAM)];
    }
    if (f->registry && !any) refuse(f, "there is no such counter: before what is left");
    return sum;
}

static double sum(struct formula *f);

static double name(struct formula *f) {
    const bool quoted = accept(f, '\'');
    const char *start = f->at;
    while (*f->at && (quoted ? *f->at != '\'' : isalnum((unsigned char)*f->at) || strchr("_.*", *f->at)))
        f->at++;
    const size_t length = (size_t)(f->at - start);
    if (length == 0 || (quoted && !accept(f, '\''))) refuse(f, "a name is missing");
    return value_of(f, start, length);
}

static double factor(struct formula *f) {
    const char c = next_character(f);
    if (accept(f, '-')) return -factor(f);
    if (isdigit((unsigned char)c)) {
        char *end;
        const double number = strtod(f->at, &end);
        f->at = end;
        return number;
    }
    if (!accept(f, '(')) {
        if (c != '\'' && c != '*' && !isalpha((unsigned char)c)) refuse(f, "a number or name is missing");
        return name(f);
    }
    const double inner = sum(f);
    if (!accept(f, ')')) refuse(f, "a ) is missing");
    return inner;
}

static double product(struct formula *f) {
    double value = factor(f);
    for (;;) {
        if (accept(f, '*')) {
            value *= factor(f);
        } else if (accept(f, '/')) {
            const double by = factor(f);
            f->divides_by_zero |= fpclassify(by) == FP_ZERO;
            value /= by;
        } else {
            return value;
        }
    }
}

static double sum(struct formula *f) {
    double value = product(f);
    for (;;) {
        if (accept(f, '+'))
            value += product(f);
        else if (accept(f, '-'))
            value -= product(f);
        else
            return value;
    }
}

static double evaluate(struct formula *f) {
    f->at = f->counter->formula;
    const double value = sum(f);
    if (next_character(f)) refuse(f, "an operator is missing");
    return value;
}

void counter_check_formula(const struct counter *c) {
    struct formula f = {.counter = c};
    (void)evaluate(&f);
}

bool counter_ratio(const struct counter_registry *r, const uint64_t *values, const struct counter *c,
                   double *ratio) {
    invariant(c->kind == COUNTER_RATIO, "'%s' is no ratio", c->name);
    struct formula f = {.registry = r, .values = values, .counter = c};
    const double value = evaluate(&f);
    if (f.divides_by_zero) return false;
    *ratio = value;
    return true;
}
