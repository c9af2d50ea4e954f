#include "sim/nearest.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 64 };

unsigned nearest_distance(const char *a, const char *b) {
    size_t m = strlen(a), n = strlen(b);
    if (m > LONGEST || n > LONGEST) return LONGEST;
    unsigned row[LONGEST + 1][LONGEST + 1];
    for (size_t i = 0; i <= m; i++) {
        for (size_t j = 0; j <= n; j++) {
            if (i == 0 || j == 0) {
                row[i][j] = (unsigned)(i + j);
                continue;
            }
            unsigned best = row[i - 1][j - 1] + (tolower(a[i - 1]) != tolower(b[j - 1]));
            if (row[i - 1][j] + 1 < best) best = row[i - 1][j] + 1;
            if (row[i][j - 1] + 1 < best) best = row[i][j - 1] + 1;
            bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped && row[i - 2][j - 2] + 1 < best) best = row[i - 2][j - 2] + 1;
            row[i][j] = best;
        }
    }
    return row[m][n];
}

unsigned nearest_forgiven(const char *name) {
    return strlen(name) > 12 ? 3 : strlen(name) > 3 ? 2 : 1;
}

const char *nearest_hint(const char *name, size_t length, const char *list) {
    static char hint[LONGEST + 32];
    char meant[LONGEST + 1] = "", word[LONGEST + 1], best[LONGEST + 1] = "";
    if (length <= LONGEST) snprintf(meant, sizeof meant, "%.*s", (int)length, name);
    unsigned least = nearest_forgiven(meant) + 1;
    for (const char *at = list; *meant && *at;) {
        at += strspn(at, ", ");
        const size_t size = strcspn(at, ", ");
        if (size <= LONGEST) {
            snprintf(word, sizeof word, "%.*s", (int)size, at);
            const unsigned d = nearest_distance(meant, word);
            const bool is_name = *word && strcmp(word, "and") != 0 && strcmp(word, "or") != 0;
            if (is_name && d < least && d < strlen(word)) least = d, strcpy(best, word);
        }
        at += size;
    }
    hint[0] = '\0';
    if (*best) snprintf(hint, sizeof hint, " (did you mean '%s'?)", best);
    return hint;
}
