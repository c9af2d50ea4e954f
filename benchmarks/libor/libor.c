/* libor: the value of a portfolio of swaptions, and its change with interest rates, by random paths of the
 * LIBOR market model on an OpenCL device. Every path's numbers must equal C's, bit for bit. */
#include "benchmarks/host.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { GROUP = 64, SWAPTIONS = 15, MOST_RATES = 128 };

static const float first_rate = 0.05f;

/* The market as the kernels declare it, for the chosen number of rates. */
struct market {
    float period, shocks_root, volatility[MOST_RATES];
    cl_int maturity[SWAPTIONS];
    float swap_rate[SWAPTIONS];
};

struct model {
    struct market market;
    unsigned paths, rates, steps; /* number of steps is half of that of rates */
    float *shock;                 /* [steps][paths] */
};

/* Returns a random number with a nearly normal distribution: the sum of twelve numbers from 0 to 1, less
 * 6. */
static float random_shock(unsigned *seed) {
    float sum = -6.0f;
    for (int n = 0; n < 12; n++) sum += (float)host_random(seed) / 16777216.0f;
    return sum;
}

/* Makes a random model. There are three swaptions each with short and long maturities, up to the maturity of
 * the last rate. */
static struct model model_new(unsigned paths, unsigned rates, unsigned seed) {
    static const unsigned fortieths[SWAPTIONS / 3] = {4, 8, 20, 28, 40};
    struct model m = {{.period = 0.25f, .shocks_root = 0.5f}, paths, rates, rates / 2, NULL};
    for (unsigned n = 0; n < rates; n++) m.market.volatility[n] = 0.2f;
    for (unsigned n = 0; n < SWAPTIONS; n++) {
        const unsigned maturity = fortieths[n / 3] * (rates - m.steps) / 40;
        m.market.maturity[n] = maturity ? (cl_int)maturity : 1;
        m.market.swap_rate[n] = 0.045f + 0.005f * (float)(n % 3);
    }
    m.shock = host_allocate((size_t)m.steps * paths * sizeof(float));
    for (size_t n = 0; n < (size_t)m.steps * paths; n++) m.shock[n] = random_shock(&seed);
    return m;
}

/* --- in C --- */

static float exponential(float x) {
    float sum = 1.0f;
    for (int n = 10; n > 0; n--) sum = 1.0f + x * sum / (float)n;
    return sum;
}

struct rates {
    float rate[MOST_RATES], slope[MOST_RATES];
};

static void walk(const struct model *m, unsigned path, struct rates *r) {
    for (unsigned n = 0; n < m->rates; n++) {
        r->rate[n] = first_rate;
        r->slope[n] = 1.0f;
    }
    for (unsigned step = 0; step < m->steps; step++) {
        const float moved = m->market.shocks_root * m->shock[(size_t)step * m->paths + path];
        float drift = 0.0f, drift_slope = 0.0f;
        for (unsigned i = step + 1; i < m->rates; i++) {
            const float volatility = m->market.volatility[i - step - 1],
                        times = m->market.period * volatility;
            const float growth = 1.0f + m->market.period * r->rate[i];
            drift += times * r->rate[i] / growth;
            drift_slope += times * r->slope[i] / (growth * growth);
            const float factor = exponential(times * drift + volatility * (moved - 0.5f * times));
            r->slope[i] = factor * (r->slope[i] + r->rate[i] * times * drift_slope);
            r->rate[i] *= factor;
        }
    }
}

static void value_in_c(const struct model *m, unsigned path, float *value, float *slope) {
    struct rates r;
    float price = 1.0f, price_slope = 0.0f, sum = 0.0f, sum_slope = 0.0f, worth = 0.0f, worth_slope = 0.0f;
    walk(m, path, &r);
    for (unsigned n = 0; n < SWAPTIONS; n++) { /* maturities rise */
        const unsigned last = (unsigned)m->market.maturity[n] - 1;
        for (unsigned k = n ? (unsigned)m->market.maturity[n - 1] : 0; k <= last; k++) {
            const float growth = 1.0f + m->market.period * r.rate[m->steps + k];
            price /= growth;
            price_slope = (price_slope - price * m->market.period * r.slope[m->steps + k]) / growth;
            sum += m->market.period * price;
            sum_slope += m->market.period * price_slope;
        }
        const float swap = price + m->market.swap_rate[n] * sum - 1.0f;
        if (swap >= 0.0f) continue;
        worth -= 100.0f * swap;
        worth_slope -= 100.0f * (price_slope + m->market.swap_rate[n] * sum_slope);
    }
    for (unsigned n = 0; n < m->steps; n++) {
        const float growth = 1.0f + m->market.period * r.rate[n];
        worth_slope = (worth_slope - worth / growth * m->market.period * r.slope[n]) / growth;
        worth /= growth;
    }
    *value = worth;
    *slope = worth_slope;
}

/* --- on the device --- */

/* Returns the market in the layout of the kernels, to be freed. */
static float *packed(const struct model *m, size_t *bytes) {
    const size_t words = 2 + m->rates + 2 * SWAPTIONS;
    float *p = host_allocate(words * sizeof(float)), *maturity = p + 2 + m->rates;
    p[0] = m->market.period;
    p[1] = m->market.shocks_root;
    for (unsigned n = 0; n < m->rates; n++) p[2 + n] = m->market.volatility[n];
    for (unsigned n = 0; n < SWAPTIONS; n++) {
        ((cl_int *)maturity)[n] = m->market.maturity[n];
        maturity[SWAPTIONS + n] = m->market.swap_rate[n];
    }
    *bytes = words * sizeof(float);
    return p;
}

struct found {
    /* Results for each path: `value` of the first kernel; `again` and `slope` of the second. */
    float *value, *again, *slope;
};

static cl_ulong value_on_device(const char *source, const struct model *m, struct found *found) {
    const size_t bytes = m->paths * sizeof(float), local = GROUP,
                 global = (m->paths + (size_t)GROUP - 1) / GROUP * GROUP;
    const cl_int paths = (cl_int)m->paths;
    size_t market_bytes;
    float *constants = packed(m, &market_bytes);
    char options[96];
    snprintf(options, sizeof options, "-D GROUP=%d -D SWAPTIONS=%d -D RATES=%u -D STEPS=%u", GROUP, SWAPTIONS,
             m->rates, m->steps);
    struct host host;
    host_open(&host);
    cl_program program = host_build(&host, source, options);
    cl_kernel kernel[2] = {HOST_CREATE(clCreateKernel, program, "portfolio"),
                           HOST_CREATE(clCreateKernel, program, "portfolio_and_slope")};
    cl_mem market = host_buffer(&host, market_bytes, constants),
           shock = host_buffer(&host, m->steps * bytes, m->shock), value = host_buffer(&host, bytes, NULL),
           slope = host_buffer(&host, bytes, NULL);
    cl_ulong time_ns = 0;
    for (cl_uint n = 0; n < 2; n++) {
        HOST_ARGUMENT(kernel[n], 0, market);
        HOST_ARGUMENT(kernel[n], 1, shock);
        HOST_ARGUMENT(kernel[n], 2, value);
        if (n) HOST_ARGUMENT(kernel[n], 3, slope);
        HOST_ARGUMENT(kernel[n], 3 + n, paths);
        HOST_ARGUMENT(kernel[n], 4 + n, first_rate);
        time_ns += host_launch(&host, kernel[n], 1, &global, &local);
        host_read(&host, value, n ? found->again : found->value, bytes);
    }
    host_read(&host, slope, found->slope, bytes);
    for (cl_uint n = 0; n < 2; n++) HOST_CHECK(clReleaseKernel(kernel[n]));
    HOST_CHECK(clReleaseMemObject(market));
    HOST_CHECK(clReleaseMemObject(shock));
    HOST_CHECK(clReleaseMemObject(value));
    HOST_CHECK(clReleaseMemObject(slope));
    HOST_CHECK(clReleaseProgram(program));
    host_close(&host);
    free(constants);
    return time_ns;
}

int main(int argc, char **argv) {
    struct host_size sizes[] = {
        {"paths", "random paths", 128, 1 << 20},
        {"rates", "forward rates; half of them, or one less, are the steps of a path", 16, MOST_RATES}};
    host_inputs inputs[] = {{128, 512, 4096}, {16, 24, 80}};
    unsigned seed = 1;
    char *source = host_parse_inputs(argc, argv, "libor",
                                     "Values swaptions on the first OpenCL device and checks every path.",
                                     sizes, 2, inputs, &seed);
    if (sizes[1].value < 2) HOST_FAIL("--rates 1 leaves no step");
    struct model m = model_new(sizes[0].value, sizes[1].value, seed);
    const size_t bytes = m.paths * sizeof(float);
    struct found found = {host_allocate(bytes), host_allocate(bytes), host_allocate(bytes)};
    float *value = host_allocate(bytes), *slope = host_allocate(bytes);
    double sum = 0, slopes = 0;
    const cl_ulong time_ns = value_on_device(source, &m, &found);
    for (unsigned n = 0; n < m.paths; n++) {
        value_in_c(&m, n, &value[n], &slope[n]);
        sum += (double)found.value[n];
        slopes += (double)found.slope[n];
    }
    const unsigned wrong = host_count_wrong("libor", found.value, value, sizeof(float), m.paths) +
                           host_count_wrong("libor", found.again, value, sizeof(float), m.paths) +
                           host_count_wrong("libor", found.slope, slope, sizeof(float), m.paths);
    printf("libor: value %.4f, slope %.4f, kernel time %llu ns\n", sum / m.paths, slopes / m.paths,
           (unsigned long long)time_ns);
    free(found.value);
    free(found.again);
    free(found.slope);
    free(value);
    free(slope);
    free(m.shock);
    free(source);
    return host_verdict("libor", wrong == 0, "%u of %u numbers differ from C", wrong, 3 * m.paths);
}
