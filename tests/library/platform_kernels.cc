/* A platform in SystemC runs launches of one kernel, and a plain machine runs the same: all cycle counts and
 * all bytes of the buffers must be equal.
 *
 *   platform_kernels IMAGE CONFIG SETTINGS dmi|copies LAUNCHES KERNEL GLOBAL LOCAL ARGUMENT...
 *
 * GLOBAL and LOCAL: numbers of work-items, as X or XxY. ARGUMENT: words:N, floats:N (buffers of N elements,
 * with values), uint:V, float:V, local:BYTES. */
#include <lockstep_systemc.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>

struct argument {
    std::string kind, value;
    uint32_t address = 0; /* of a buffer, in the platform */
    uint32_t number() const { return static_cast<uint32_t>(std::strtoul(value.c_str(), nullptr, 10)); }
    bool is_buffer() const { return kind == "words" || kind == "floats"; }
    uint32_t word() const {
        uint32_t word = number();
        const float f = std::strtof(value.c_str(), nullptr);
        if (kind == "float") std::memcpy(&word, &f, 4);
        return word;
    }
};

static std::vector<argument> arguments;
static lockstep_range range = {};
static const char *kernel;

static void fill(const argument &a, uint8_t *at) {
    for (uint32_t n = 0; n < a.number(); ++n) {
        const uint32_t word = n * 7 % 41;
        const float f = static_cast<float>(word) / 8 + 1;
        std::memcpy(at + 4 * n, a.kind == "words" ? static_cast<const void *>(&word) : &f, 4);
    }
}

struct memory : sc_core::sc_module {
    tlm_utils::simple_target_socket<memory> socket{"socket"};
    std::vector<uint8_t> bytes = std::vector<uint8_t>(1 << 20);
    const bool dmi;

    memory(sc_core::sc_module_name name, bool grants_dmi) : sc_module(name), dmi(grants_dmi) {
        socket.register_b_transport(this, &memory::access);
        socket.register_get_direct_mem_ptr(this, &memory::direct);
    }
    void access(tlm::tlm_generic_payload &t, sc_core::sc_time &delay) {
        uint8_t *at = &bytes[t.get_address()];
        std::memcpy(t.is_write() ? at : t.get_data_ptr(), t.is_write() ? t.get_data_ptr() : at,
                    t.get_data_length());
        delay += sc_core::sc_time(t.get_data_length(), sc_core::SC_NS);
        t.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    bool direct(tlm::tlm_generic_payload &, tlm::tlm_dmi &d) {
        d.set_dmi_ptr(bytes.data());
        d.set_start_address(0);
        d.set_end_address(bytes.size() - 1);
        d.allow_read_write();
        return dmi;
    }
};

struct master : sc_core::sc_module {
    SC_HAS_PROCESS(master);
    tlm_utils::simple_initiator_socket<master> socket{"socket"};
    sc_core::sc_in<bool> done_i{"done_i"};
    const unsigned launches;
    std::vector<uint64_t> cycles;
    std::vector<sc_core::sc_time> time;
    bool good = true;

    master(sc_core::sc_module_name name, unsigned count) : sc_module(name), launches(count) {
        SC_THREAD(run);
    }

    uint32_t access(tlm::tlm_command command, uint32_t at, uint32_t value) {
        tlm::tlm_generic_payload t;
        sc_core::sc_time delay;
        t.set_command(command);
        t.set_address(at);
        t.set_data_ptr(reinterpret_cast<uint8_t *>(&value));
        t.set_data_length(4);
        t.set_streaming_width(4);
        socket->b_transport(t, delay);
        good = good && t.is_response_ok();
        return value;
    }
    void write(uint32_t at, uint32_t value) { access(tlm::TLM_WRITE_COMMAND, at, value); }
    uint32_t read(uint32_t at) { return access(tlm::TLM_READ_COMMAND, at, 0); }

    void run() {
        for (unsigned k = 0; k < launches; ++k) {
            const sc_core::sc_time begun = sc_core::sc_time_stamp();
            write(lockstep::CLUSTER_KERNEL, 0);
            for (unsigned d = 0; d < 3; ++d) {
                write(lockstep::CLUSTER_GLOBAL + 4 * d, range.global[d]);
                write(lockstep::CLUSTER_LOCAL + 4 * d, range.local[d]);
            }
            for (const argument &a : arguments) {
                if (a.is_buffer()) {
                    write(lockstep::CLUSTER_BYTES, 4 * a.number());
                    write(lockstep::CLUSTER_POINTER, a.address);
                } else {
                    write(a.kind == "local" ? lockstep::CLUSTER_MEMORY : lockstep::CLUSTER_VALUE, a.word());
                }
            }
            write(lockstep::CLUSTER_COMMAND, 1);
            do sc_core::wait(done_i.value_changed_event());
            while (!done_i.read());
            good = good && read(lockstep::CLUSTER_COMMAND) == lockstep::CLUSTER_DONE;
            cycles.push_back(read(lockstep::CLUSTER_CYCLES) |
                             static_cast<uint64_t>(read(lockstep::CLUSTER_CYCLES + 4)) << 32);
            time.push_back(sc_core::sc_time_stamp() - begun);
        }
        sc_core::sc_stop();
    }
};

/* Runs the same launches on a machine without a platform, with its buffers in `bytes`. */
static bool plain(const char *const *argv, unsigned launches, std::vector<uint8_t> &bytes,
                  std::vector<uint64_t> &cycles) {
    lockstep_machine *m = lockstep_create(argv[2], argv[3], argv[1]);
    std::map<uint32_t, uint32_t> device;
    bool good = m;
    for (unsigned k = 0; k < launches && good; ++k) {
        const uint64_t before = lockstep_cycles(m);
        good = lockstep_kernel(m, kernel);
        for (const argument &a : arguments) {
            if (a.is_buffer() && !device.count(a.address))
                device[a.address] = lockstep_buffer_of(m, &bytes[a.address], 4 * a.number());
            const uint32_t word = a.word();
            good = good && (a.is_buffer()       ? lockstep_pointer(m, device[a.address])
                            : a.kind == "local" ? lockstep_local(m, word)
                                                : lockstep_value(m, &word, 4));
        }
        good = good && lockstep_run(m, &range);
        if (good) cycles.push_back(lockstep_cycles(m) - before);
    }
    if (!good) std::fprintf(stderr, "%s\n", lockstep_error());
    lockstep_destroy(m);
    return good;
}

static void take_range(const char *text, uint32_t size[3]) {
    size[0] = static_cast<uint32_t>(std::strtoul(text, nullptr, 10));
    const char *by = std::strchr(text, 'x');
    if (by) size[1] = static_cast<uint32_t>(std::strtoul(by + 1, nullptr, 10));
}

int sc_main(int argc, char **argv) {
    if (argc < 9) return 2;
    const bool dmi = std::string(argv[4]) == "dmi";
    const auto launches = static_cast<unsigned>(std::atoi(argv[5]));
    kernel = argv[6];
    take_range(argv[7], range.global);
    take_range(argv[8], range.local);
    memory ram("ram", dmi);
    uint32_t next = 0x1000;
    for (int n = 9; n < argc; ++n) {
        const std::string text = argv[n];
        argument a;
        a.kind = text.substr(0, text.find(':'));
        a.value = text.substr(text.find(':') + 1);
        if (a.is_buffer()) {
            a.address = next;
            next += (4 * a.number() + 0xfff) & ~0xfffu;
            fill(a, &ram.bytes[a.address]);
        }
        arguments.push_back(a);
    }
    std::vector<uint8_t> bytes = ram.bytes;
    const sc_core::sc_time period(1, sc_core::SC_NS);
    sc_core::sc_signal<bool> done;
    master cpu("cpu", launches);
    lockstep::cluster cluster("cluster", argv[2], argv[3], argv[1], {kernel}, period);
    cpu.socket.bind(cluster.registers);
    cluster.memory.bind(ram.socket);
    cpu.done_i(done);
    cluster.done_o(done);
    sc_core::sc_start();

    std::vector<uint64_t> alone;
    bool good = plain(argv, launches, bytes, alone) && cpu.good && cpu.cycles == alone && bytes == ram.bytes;
    for (unsigned k = 0; k < alone.size() && k < cpu.cycles.size(); ++k) {
        const sc_core::sc_time all = period * static_cast<double>(alone[k]);
        good = good && alone[k] && (dmi ? cpu.time[k] == all : cpu.time[k] > all);
        std::printf("%s %s: %" PRIu64 " cycles in the platform, %" PRIu64 " alone, %s\n", kernel, argv[4],
                    cpu.cycles[k], alone[k], cpu.time[k].to_string().c_str());
    }
    std::printf("%s\n", good ? "PASS" : "FAIL");
    return !good;
}
