#include "lockstep/output/gnuplot.h"

#include "sim/part.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void gnuplot_quote(const char *text, FILE *out) {
    fputc('\'', out);
    for (; *text; text++) fputs(*text == '\'' ? "''" : (char[]){*text, '\0'}, out);
    fputc('\'', out);
}

void gnuplot_range(char axis, double least, double most, FILE *out) {
    if (least != most) return;
    const double other = most != 0 ? 2 * most : 1;
    fprintf(out, "set %crange [%.9g:%.9g]\n", axis, fmin(0, other), fmax(0, other));
}

/* Runs gnuplot, whose standard output is the file. Gnuplot does not check that its plot was written: the last
 * word of the output shows it. */
static int run(const char *script, int output) {
    int ends[2], status = -1;
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    const pid_t pid = fork();
    if (pid == 0) {
        dup2(ends[0], STDIN_FILENO);
        dup2(output, STDOUT_FILENO);
        execlp("gnuplot", "gnuplot", (char *)NULL);
        _exit(127);
    }
    close(ends[0]);
    FILE *in = fdopen(ends[1], "w");
    require_memory(in);
    if (pid > 0) fputs(script, in);
    fclose(in);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
    return status;
}

static bool is_whole(int file) {
    char end[16] = "";
    const off_t size = lseek(file, 0, SEEK_END), tail = sizeof end - 1;
    return size > tail && pread(file, end, (size_t)tail, size - tail) == tail && strstr(end, "</svg>");
}

bool gnuplot_write(const char *script, const char *path, struct error *e) {
    struct part part;
    if (!part_open(&part, path, e)) return false;
    const int status = run(script, fileno(part.file));
    if (status == 0 && is_whole(fileno(part.file))) return part_finish(&part, e);
    part_abandon(&part);
    return error_set(e, EXIT_USER, "%s cannot be plotted by gnuplot%s", path,
                     status == 127 << 8 ? ": it is not installed (scripts/setup installs gnuplot-nox)"
                     : status == 0      ? ": the file was cut short (is the disk full?)"
                                        : "; its messages are above");
}
