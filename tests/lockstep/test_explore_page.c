/* `lockstep report` of an exploration: a page that a browser shows, and a plot. */
#include "tests/browser.h"
#include "tests/lockstep/exploring.h"

#include <stdlib.h>
#include <string.h>

/* Returns a command that runs a program without a network, if the host permits it. */
static const char *no_network(void) {
    struct spawned s = spawn(fixture_folder, (char *[]){"unshare", "--net", "true", NULL});
    const bool can = s.status == 0;
    if (!can) print_message("unshare --net is not allowed: Chromium has a network\n");
    spawn_free(&s);
    return can ? "unshare --net" : "";
}

static void assert_shows(struct browser *b, const char *expression, const char *part) {
    char *text = browser_text(b, expression);
    assert_says(text, part);
    free(text);
}

/* Checks the whole page at a width: nothing is wider than the window, ticks are round and not too many, the
 * plot is as wide as its column. */
static void assert_fits(struct browser *b, int width) {
    browser_resize(b, width, 900);
    assert_shows(b,
                 "document.documentElement.scrollWidth <= innerWidth ? 'fits' : "
                 "document.documentElement.scrollWidth + ' of ' + innerWidth",
                 "fits");
    assert_shows(b,
                 "(() => { const e = document.querySelector('#plot svg').getBoundingClientRect(), p = "
                 "document.getElementById('plot').getBoundingClientRect();"
                 " return e.width === p.width && e.width >= 350 ? 'wide' : e.width + ' ' + p.width; })()",
                 "wide");
    static const char *const axes[] = {"x", "y"};
    for (unsigned n = 0; n < 2; n++) {
        char *round = spawn_text(
            "(() => { const v = [...document.querySelectorAll('.tick-%s')].map(t => +t.textContent);"
            " const step = v[1] - v[0], power = 10 ** Math.floor(Math.log10(step) + 1e-9);"
            " return v.length >= 2 && v.length <= 30 && [1, 2, 5].includes(Math.round(step / power * 1e6) / "
            "1e6) &&"
            " v.every(t => Math.abs(t / step - Math.round(t / step)) < 1e-6) ? 'round' : v.join(); })()",
            axes[n]);
        assert_shows(b, round, "round");
        free(round);
    }
}

/* The front of the page, a line a machine: the fields' values and the time, in microseconds. */
static const char page_front[] =
    "[...document.querySelectorAll('#front tbody tr')].map(r => [...r.cells].slice(0, 2)"
    ".map(c => c.textContent).join(' ') + ' ' + (+r.cells[2].textContent).toFixed(0)).join('\\n') + '\\n'";

/* Returns the front as the terminal shows it, in the page's format. */
static char *terminal_front(const char *folder) {
    static char script[] =
        "\"$0\" explore sweep.yaml --out \"$1\" | awk '/energy, uJ$/ { on = 1; next } NF == 0 { on = 0 } "
        "on { printf \"%s %s %.0f\\n\", $1, $2, $3 }'";
    struct spawned s =
        spawn(fixture_folder, (char *[]){"sh", "-c", script, fixture_command, (char *)folder, NULL});
    char *text = strdup(s.out);
    spawn_free(&s);
    return text;
}

static void assert_clicks(struct browser *b) {
    assert_shows(b, "document.querySelector('.mark.front').tagName", "path");
    assert_shows(b, "document.querySelector('.step').getAttribute('d')", "H");
    browser_click(b, ".mark[data-point=\"2\"]"); /* shows the mark of all programs */
    assert_shows(b, "document.getElementById('point').textContent",
                 "simt.pc_policy=ics_first, mem.latency=200 cyclesPoint 2: sh");
    assert_shows(b, "document.getElementById('point').textContent", "Point 3: sh");
    assert_shows(b, "document.querySelectorAll('#point code').length + ' commands'", "2 commands");
    assert_shows(b, "document.querySelector('#point code').textContent",
                 "lockstep run --set simt.pc_policy=ics_first");
    assert_shows(b, "document.getElementById('point').textContent", "where the time went");
    assert_shows(b, "location.hash", "#machine=2");
    browser_click(b, "#points tbody tr[data-point=\"5\"] a"); /* a point alone */
    assert_shows(b, "document.querySelectorAll('#point code').length + ' command'", "1 command");
    assert_shows(b, "location.hash", "#point=5");
    assert_shows(b,
                 "[...document.querySelectorAll('.mark.chosen, #points .chosen')]"
                 ".map(e => e.dataset.point).join()",
                 "4,5");
    browser_click(b, "#points th:first-child button"); /* from the last point on */
    assert_shows(b, "document.querySelector('#points tbody td').textContent", "7");
}

static void assert_filters(struct browser *b) {
    static const struct {
        const char *filter, *count; /* filter, and the message about rows and marks of the plot */
    } filters[] = {
        {"min_pc 200", "2 1 "},
        {"pc_policy=min_pc", "4 2 "},
        {"mem.latency!=200", "4 2 "},
        {"latency<=100 simt.pc_policy=ics_first,min_pc", "4 2 "},
        {"status=failed", "0 0 "},
        {"latnecy=200", "8 4 There is no latnecy; there are point, simt.pc_policy"},
        {"latency<", "8 4 latency<: a value is missing."},
    };
    for (size_t n = 0; n < sizeof filters / sizeof *filters; n++) {
        browser_press(b, "Escape");
        browser_press(b, "/");
        char *ignored = browser_text(b, "document.activeElement.select(), document.activeElement.id");
        assert_string_equal(ignored, "filter");
        browser_type(b, filters[n].filter);
        assert_shows(b,
                     "document.querySelectorAll('#points tbody tr').length + ' ' + "
                     "document.querySelectorAll('.mark').length + ' ' + "
                     "document.getElementById('said').textContent",
                     filters[n].count);
        free(ignored);
    }
    char *ignored =
        browser_text(b, "document.activeElement.value = '', filter(), document.activeElement.blur(), ''");
    free(ignored);
}

/* The arrows go to the next faster or slower machine, Enter chooses. */
static void assert_keys(struct browser *b) {
    char *start = browser_text(b, "document.querySelector('.mark[tabindex=\"0\"]').focus(),"
                                  " document.activeElement.getAttribute('data-point')");
    browser_press(b, "ArrowRight");
    char *next = browser_text(b, "document.activeElement.getAttribute('data-point')");
    assert_string_not_equal(start, next);
    browser_press(b, "Enter");
    char *hash = spawn_text("#machine=%s", next);
    assert_shows(b, "location.hash", hash);
    browser_press(b, "ArrowLeft");
    assert_shows(b, "document.activeElement.getAttribute('data-point')", start);
    free(hash);
    free(next);
    free(start);
}

static void test_page(void **state) {
    (void)state;
    char *path = explore_sweep("");
    assert_explored(LOCKSTEP("explore", "sweep.yaml", "--out", "x"));
    struct spawned s = LOCKSTEP("report", "x", "--html", "--svg");
    assert_status(&s, 0);
    assert_string_equal(s.out, "x/report.html\nx/front.svg\n");
    assert_string_equal(s.err, "");
    assert_exists("x/front.svg", true);
    spawn_free(&s);
    char *page = fixture_path("x/report.html"), *text = spawn_read(page);
    assert_says(text, "default-src 'none'");
    assert_null(strstr(text, "https://"));
    assert_null(strstr(text, "@DATA@"));
    free(text);
    struct browser b;
    char *url = spawn_text("file://%s", page), *profile = fixture_path("profile");
    if (browser_open(&b, no_network(), profile, url)) {
        assert_shows(&b, "document.getElementById('title').textContent", "Exploration sweep.yaml");
        assert_shows(&b, "document.getElementById('sweep').textContent",
                     "simt.pc_policy: [ics_first, min_pc]");
        assert_shows(&b, "document.getElementById('head').textContent", "machine: base machinecommit: ");
        assert_shows(&b, "document.getElementById('links').innerHTML", "href=\"points.csv\"");
        assert_shows(&b, "[...document.querySelectorAll('svg .title')].map(t => t.textContent).join()",
                     "time, µs,energy, µJ");
        assert_shows(&b, "document.getElementById('sensitivity').textContent", "mem.latency, cycles");
        static const int widths[] = {400, 1280, 2560};
        for (unsigned n = 0; n < 3; n++) {
            assert_fits(&b, widths[n]);
            assert_clicks(&b);
            assert_filters(&b);
            assert_keys(&b);
            browser_click(&b, "#points th:first-child button"); /* upwards again */
        }
        browser_close(&b);
    }
    free(profile);
    free(url);
    free(page);
    free(path);
}

/* The front on the page equals the terminal's: two machines, each of which dominates one that is equally fast
 * but has a larger L2 and takes more energy. */
static void test_front(void **state) {
    (void)state;
    char *text = spawn_text("fields:\n  cluster.lanes: [2, 4]\n  l2.size: [65536, 262144]\nprograms:\n"
                            "  - %s/benchmarks/mandelbrot --size 16 %%/m.ppm\narea: off\n",
                            spawn_build());
    char *path = fixture_file("sweep.yaml", text, 0644), *front = terminal_front("x");
    assert_says(front, "4 65536 ");
    assert_says(front, "\n2 65536 ");
    assert_null(strstr(front, "262144"));
    struct spawned s = LOCKSTEP("report", "x", "--html");
    assert_status(&s, 0);
    spawn_free(&s);
    struct browser b;
    char *page = fixture_path("x/report.html"), *url = spawn_text("file://%s", page),
         *profile = fixture_path("profile");
    if (browser_open(&b, no_network(), profile, url)) {
        char *shown = browser_text(&b, page_front);
        assert_string_equal(shown, front);
        assert_shows(&b, "document.querySelectorAll('.mark.front').length + ' marks'", "2 marks");
        assert_shows(&b, "document.querySelector('.step').getAttribute('d').replace(/[^A-Z]/g, '')", "MVHVH");
        browser_close(&b);
        free(shown);
    }
    free(profile);
    free(url);
    free(page);
    free(front);
    free(path);
    free(text);
}

/* Commit and date come from the results: a later page has the same bytes. */
static void test_same_page(void **state) {
    (void)state;
    char *path = explore_sweep("");
    assert_explored(LOCKSTEP("explore", "sweep.yaml", "--out", "x"));
    static char script[] = "cd \"$1\" && \"$0\" report x --html && cp x/report.html first && "
                           "sleep 1.1 && \"$0\" explore sweep.yaml --out x && \"$0\" report x --html";
    struct spawned s =
        spawn(fixture_folder, (char *[]){"sh", "-c", script, fixture_command, fixture_folder, NULL});
    assert_status(&s, 0);
    assert_same_file("first", "x/report.html");
    spawn_free(&s);
    assert_row("x/exploration.json", "\"text\": \"fields:\\n  simt.pc_policy: [ics_first, min_pc]");
    assert_row("x/exploration.json", "\"begun\": \"20");
    char *rows = fixture_path("x/points.json"), *text = spawn_read(rows);
    assert_null(strstr(text, "\"date\"")); /* tables of two explorations are the same */
    free(text);
    free(rows);
    free(path);
}

/* One machine: all points of the plot are one, and gnuplot has nothing to warn of. */
static void test_plot_of_one_machine(void **state) {
    (void)state;
    char *text = spawn_text("programs:\n  - %s/benchmarks/vector_add\narea: off\n", spawn_build());
    char *path = fixture_file("sweep.yaml", text, 0644);
    struct spawned s = LOCKSTEP("explore", "sweep.yaml", "--out", "x", "--quiet");
    assert_status(&s, 0);
    spawn_free(&s);
    s = LOCKSTEP("report", "x", "--svg");
    assert_status(&s, 0);
    assert_string_equal(s.err, "");
    spawn_free(&s);
    free(path);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_page),
        TEST(test_front),
        TEST(test_same_page),
        TEST(test_plot_of_one_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
