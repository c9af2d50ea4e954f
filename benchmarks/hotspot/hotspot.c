/* hotspot: the temperature of a chip under the power of its units, on an OpenCL device. The kernel is an
 * explicit five-point stencil in tiles with a halo, with several time steps a launch.
 *
 * Each cell is a block of silicon with a heat capacity, resistances to its four neighbours and one to the
 * ambient: T' = T + dt/C * (P + (Tn + Ts - 2T)/Ry + (Te + Tw - 2T)/Rx + (Tambient - T)/Rz). The result must
 * equal that of a plain C loop in every bit: both use float arithmetic in the same order. */
#include "benchmarks/hotspot/grid.h"
#include "benchmarks/host.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TILE = 16, STEP_LIMIT = 100000, HALO_LIMIT = TILE / 2 - 1 };

/* The chip: a square of silicon of 16 mm a side, 0.5 mm thick. */
static const double SIDE_M = 0.016;
static const double THICKNESS_M = 0.0005;
static const double CONDUCTIVITY_W_PER_MK = 100.0;
static const double HEAT_CAPACITY_J_PER_M3K = 1.75e6;
static const double CAPACITY_FACTOR = 0.5; /* accounts for heat that the package takes */
static const float AMBIENT_K = 318.15f;
static const double COURANT = 0.2; /* dt / (capacity * resistance); the steps are unstable from 0.25 on */

struct options {
    const char *kernel_path; /* NULL: the default path */
    const char *temperature_path;
    const char *power_path;
    const char *output_path; /* NULL: none */
    unsigned steps;
    unsigned halo;
    bool generate;
};

struct chip {
    float step_over_capacity; /* K per W and step */
    float conductance_x;      /* W per K */
    float conductance_y;
    float conductance_z;
    double step_s;
};

static void print_usage(FILE *file) {
    fputs(
        "Usage: hotspot [--steps N] [--pyramid N] [--output FILE] [--kernel FILE.cl] [TEMPERATURE POWER]\n"
        "       hotspot --generate TEMPERATURE POWER\n"
        "Computes a chip's temperature after N time steps on the first OpenCL device and checks every cell.\n"
        "TEMPERATURE (kelvin) and POWER (watt) are text files, a row of the grid a line, values separated "
        "by\n"
        "blanks; default data/hotspot_temperature.txt and data/hotspot_power.txt beside the program.\n"
        "\n"
        "  --steps N         time steps, 1 to 100000; default 4\n"
        "  --pyramid N       time steps of a launch, and cells of halo around a tile, 1 to 7; default 2\n"
        "  --output FILE     write the final temperatures to FILE, in the same format\n"
        "  --kernel FILE.cl  kernel source; default benchmarks/hotspot/hotspot.cl, in the current directory\n"
        "                    or where the program was built\n"
        "  --generate        write the two files for a chip of 256 x 256 cells, always the same, and end\n"
        "  --help            print this and end\n"
        "Exit status: 0 the temperatures are right, 1 they are not or something failed.\n",
        file);
}

static _Noreturn void refuse_usage(void) {
    print_usage(stderr);
    exit(1);
}

static struct options parse_options(int argc, char **argv) {
    static const struct option LONG_OPTIONS[] = {{"steps", required_argument, NULL, 's'},
                                                 {"pyramid", required_argument, NULL, 'p'},
                                                 {"output", required_argument, NULL, 'o'},
                                                 {"kernel", required_argument, NULL, 'k'},
                                                 {"generate", no_argument, NULL, 'g'},
                                                 {"help", no_argument, NULL, 'h'},
                                                 {NULL, 0, NULL, 0}};
    struct options options = {.steps = 4, .halo = 2};
    int option;
    while ((option = getopt_long(argc, argv, "", LONG_OPTIONS, NULL)) != -1) {
        switch (option) {
        case 's': options.steps = host_parse_count("--steps", optarg, STEP_LIMIT); break;
        case 'p': options.halo = host_parse_count("--pyramid", optarg, HALO_LIMIT); break;
        case 'o': options.output_path = optarg; break;
        case 'k': options.kernel_path = optarg; break;
        case 'g': options.generate = true; break;
        case 'h': print_usage(stdout); exit(0);
        default: refuse_usage();
        }
    }
    if (argc - optind == 2) {
        options.temperature_path = argv[optind];
        options.power_path = argv[optind + 1];
    } else if (argc != optind || options.generate)
        refuse_usage();
    return options;
}

static struct chip chip_of(const struct grid *grid) {
    double width_m = SIDE_M / grid->columns;
    double height_m = SIDE_M / grid->rows;
    double capacity = CAPACITY_FACTOR * HEAT_CAPACITY_J_PER_M3K * THICKNESS_M * width_m * height_m;
    double conductance_x = 2.0 * CONDUCTIVITY_W_PER_MK * THICKNESS_M * height_m / width_m;
    double conductance_y = 2.0 * CONDUCTIVITY_W_PER_MK * THICKNESS_M * width_m / height_m;
    double conductance_z = CONDUCTIVITY_W_PER_MK * height_m * width_m / THICKNESS_M;
    double conductance = conductance_x > conductance_y ? conductance_x : conductance_y;
    double step_s = COURANT * capacity / conductance;
    return (struct chip){(float)(step_s / capacity), (float)conductance_x, (float)conductance_y,
                         (float)conductance_z, step_s};
}

static void set_arguments(cl_kernel kernel, const struct chip *chip, const struct grid *grid, cl_int halo,
                          cl_mem power) {
    HOST_ARGUMENT(kernel, 1, power);
    HOST_ARGUMENT(kernel, 3, grid->columns);
    HOST_ARGUMENT(kernel, 4, grid->rows);
    HOST_ARGUMENT(kernel, 5, halo);
    HOST_ARGUMENT(kernel, 7, chip->step_over_capacity);
    HOST_ARGUMENT(kernel, 8, chip->conductance_x);
    HOST_ARGUMENT(kernel, 9, chip->conductance_y);
    HOST_ARGUMENT(kernel, 10, chip->conductance_z);
    HOST_ARGUMENT(kernel, 11, AMBIENT_K);
}

/* Simulates on the device. The final temperatures go to `result`. Returns the kernels' time in ns. */
static cl_ulong simulate_on_device(const struct host *host, cl_kernel kernel, const struct chip *chip,
                                   const struct options *options, const struct grid *temperature,
                                   const struct grid *power, struct grid *result) {
    size_t size_bytes = grid_size_bytes(temperature);
    size_t inner = TILE - 2 * options->halo;
    size_t local[2] = {TILE, TILE};
    size_t global[2] = {((size_t)temperature->columns + inner - 1) / inner * TILE,
                        ((size_t)temperature->rows + inner - 1) / inner * TILE};
    cl_mem from = host_buffer(host, size_bytes, temperature->values);
    cl_mem to = host_buffer(host, size_bytes, NULL);
    cl_mem power_buffer = host_buffer(host, size_bytes, power->values);
    cl_ulong time_ns = 0;
    set_arguments(kernel, chip, temperature, (cl_int)options->halo, power_buffer);
    for (unsigned done = 0; done < options->steps; done += options->halo) {
        unsigned left = options->steps - done;
        cl_int steps = (cl_int)(left < options->halo ? left : options->halo);
        HOST_ARGUMENT(kernel, 0, from);
        HOST_ARGUMENT(kernel, 2, to);
        HOST_ARGUMENT(kernel, 6, steps);
        time_ns += host_launch(host, kernel, 2, global, local);
        cl_mem swap = from;
        from = to;
        to = swap;
    }
    host_read(host, from, result->values, size_bytes);
    HOST_CHECK(clReleaseMemObject(from));
    HOST_CHECK(clReleaseMemObject(to));
    HOST_CHECK(clReleaseMemObject(power_buffer));
    return time_ns;
}

/* Computes one time step in plain C. */
static void step_in_c(const struct chip *chip, const struct grid *from, const struct grid *power,
                      struct grid *to) {
    for (int row = 0; row < from->rows; row++) {
        int north = row > 0 ? row - 1 : row;
        int south = row < from->rows - 1 ? row + 1 : row;
        for (int column = 0; column < from->columns; column++) {
            int west = column > 0 ? column - 1 : column;
            int east = column < from->columns - 1 ? column + 1 : column;
            float own = *grid_at(from, row, column);
            float twice = 2.0f * own;
            float flow_y =
                (*grid_at(from, south, column) + *grid_at(from, north, column) - twice) * chip->conductance_y;
            float flow_x =
                (*grid_at(from, row, east) + *grid_at(from, row, west) - twice) * chip->conductance_x;
            float flow_z = (AMBIENT_K - own) * chip->conductance_z;
            float heat = *grid_at(power, row, column);
            *grid_at(to, row, column) = own + chip->step_over_capacity * (heat + flow_y + flow_x + flow_z);
        }
    }
}

/* Simulates in C. Overwrites `temperature` with the final temperatures. */
static void simulate_in_c(const struct chip *chip, unsigned steps, struct grid *temperature,
                          const struct grid *power) {
    struct grid to = grid_new(temperature->rows, temperature->columns);
    for (unsigned step = 0; step < steps; step++) {
        step_in_c(chip, temperature, power, &to);
        memcpy(temperature->values, to.values, grid_size_bytes(temperature));
    }
    grid_free(&to);
}

static int check_temperatures(const struct grid *expected, const struct grid *found) {
    unsigned wrong = 0;
    float hottest = 0.0f;
    for (int row = 0; row < expected->rows; row++)
        for (int column = 0; column < expected->columns; column++) {
            float should = *grid_at(expected, row, column);
            float is = *grid_at(found, row, column);
            if (is > hottest) hottest = is;
            if (memcmp(&is, &should, sizeof is) == 0) continue;
            if (wrong++ == 0)
                fprintf(stderr, "hotspot: column %d, row %d: %.9g K, expected %.9g K\n", column, row,
                        (double)is, (double)should);
        }
    return host_verdict("hotspot", wrong == 0, "%u of %d cells differ from C, hottest %.3f K", wrong,
                        expected->rows * expected->columns, (double)hottest);
}

/* Reads the two grids named by options, or else those next to the program. */
static void read_grids(const struct options *options, struct grid *temperature, struct grid *power) {
    char *temperature_path = options->temperature_path ? strdup(options->temperature_path)
                                                       : host_data_path("hotspot_temperature.txt");
    char *power_path =
        options->power_path ? strdup(options->power_path) : host_data_path("hotspot_power.txt");
    *temperature = grid_read(temperature_path);
    *power = grid_read(power_path);
    if (power->rows != temperature->rows || power->columns != temperature->columns)
        HOST_FAIL("%s is %d x %d, but %s is %d x %d: both must be of one size", temperature_path,
                  temperature->columns, temperature->rows, power_path, power->columns, power->rows);
    free(temperature_path);
    free(power_path);
}

static int run(const struct options *options) {
    struct grid temperature;
    struct grid power;
    read_grids(options, &temperature, &power);
    struct grid result = grid_new(temperature.rows, temperature.columns);
    struct chip chip = chip_of(&temperature);
    char *kernel_path = options->kernel_path ? strdup(options->kernel_path) : host_kernel_path("hotspot");
    char *source = host_read_file(kernel_path, NULL);
    char build_options[32];
    snprintf(build_options, sizeof build_options, "-D TILE=%d", TILE);

    struct host host;
    host_open(&host);
    cl_program program = host_build(&host, source, build_options);
    cl_kernel kernel = HOST_CREATE(clCreateKernel, program, "hotspot");
    cl_ulong time_ns = simulate_on_device(&host, kernel, &chip, options, &temperature, &power, &result);
    HOST_CHECK(clReleaseKernel(kernel));
    HOST_CHECK(clReleaseProgram(program));
    host_close(&host);

    printf("hotspot: %d x %d cells, %u steps of %.3g us, %u steps a launch, kernel time %llu ns\n",
           temperature.columns, temperature.rows, options->steps, chip.step_s * 1e6, options->halo,
           (unsigned long long)time_ns);
    if (options->output_path != NULL) grid_write(&result, options->output_path, 6);
    simulate_in_c(&chip, options->steps, &temperature, &power);
    int status = check_temperatures(&temperature, &result);
    free(source);
    free(kernel_path);
    grid_free(&temperature);
    grid_free(&power);
    grid_free(&result);
    return status;
}

int main(int argc, char **argv) {
    struct options options = parse_options(argc, argv);
    if (options.generate) {
        grid_generate(options.temperature_path, options.power_path);
        return 0;
    }
    return run(&options);
}
