/* A platform in SystemC that runs a kernel. It consists of a memory, a master that programs the cluster
 * through its registers, and the cluster, whose buffers are in that memory. The memory grants DMI; with
 * --no-dmi, only transactions. Afterwards a plain machine runs the same launches and must take the same
 * number of cycles. The platform also contains a warp_scheduler with a clock.
 *
 *   lockstep-cc -o powers.img powers.cl
 *   g++ -std=c++17 platform.cc $(pkg-config --cflags --libs lockstep) \
 *       -I$(pkg-config --variable=systemcdir lockstep) -lsystemc -o platform
 *   ./platform powers.img [--no-dmi] */
#include <lockstep_systemc.h>

#include <cinttypes>
#include <cstdio>

enum { ITEMS = 256, GROUP = 64, LAUNCHES = 3, X = 0x1000, Y = 0x2000 };
static const char settings[] = "simt.warp_size=16";

struct memory : sc_core::sc_module {
    tlm_utils::simple_target_socket<memory> socket{"socket"};
    std::vector<uint8_t> bytes = std::vector<uint8_t>(0x4000);
    const bool dmi;
    unsigned transactions = 0;

    memory(sc_core::sc_module_name name, bool grants_dmi) : sc_module(name), dmi(grants_dmi) {
        socket.register_b_transport(this, &memory::access);
        socket.register_get_direct_mem_ptr(this, &memory::direct);
    }
    float *floats(uint32_t address) { return reinterpret_cast<float *>(&bytes[address]); }
    void access(tlm::tlm_generic_payload &t, sc_core::sc_time &delay) {
        if (t.get_address() + t.get_data_length() > bytes.size()) {
            t.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
            return;
        }
        uint8_t *at = &bytes[t.get_address()];
        std::memcpy(t.is_write() ? at : t.get_data_ptr(), t.is_write() ? t.get_data_ptr() : at, t.get_data_length());
        delay += sc_core::sc_time(t.get_data_length() / 8.0, sc_core::SC_NS);
        ++transactions;
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
    memory &ram;
    uint64_t cycles[LAUNCHES] = {};
    sc_core::sc_time time[LAUNCHES]; /* time of each launch, with its transfers */
    unsigned wrong = 0, refused = 0;

    master(sc_core::sc_module_name name, memory &outside) : sc_module(name), ram(outside) { SC_THREAD(run); }

    uint32_t access(tlm::tlm_command command, uint32_t at, uint32_t value) {
        tlm::tlm_generic_payload t;
        sc_core::sc_time delay;
        t.set_command(command);
        t.set_address(at);
        t.set_data_ptr(reinterpret_cast<uint8_t *>(&value));
        t.set_data_length(4);
        t.set_streaming_width(4);
        socket->b_transport(t, delay);
        refused += !t.is_response_ok();
        return value;
    }
    void write(uint32_t at, uint32_t value) { access(tlm::TLM_WRITE_COMMAND, at, value); }
    uint32_t read(uint32_t at) { return access(tlm::TLM_READ_COMMAND, at, 0); }

    void launch(uint32_t a) {
        write(lockstep::CLUSTER_KERNEL, 0);
        write(lockstep::CLUSTER_GLOBAL, ITEMS);
        write(lockstep::CLUSTER_LOCAL, GROUP);
        write(lockstep::CLUSTER_VALUE, a);
        write(lockstep::CLUSTER_BYTES, ITEMS * sizeof(float));
        write(lockstep::CLUSTER_POINTER, X);
        write(lockstep::CLUSTER_POINTER, Y);
        write(lockstep::CLUSTER_COMMAND, 1);
    }

    void run() {
        for (int n = 0; n < ITEMS; ++n) ram.floats(X)[n] = static_cast<float>(n % 3);
        for (int k = 0; k < LAUNCHES; ++k) {
            const float a = static_cast<float>(k + 2);
            uint32_t word;
            std::memcpy(&word, &a, 4);
            for (int n = 0; n < ITEMS; ++n) ram.floats(Y)[n] = static_cast<float>(n);
            const sc_core::sc_time begun = sc_core::sc_time_stamp();
            launch(word);
            const unsigned so_far = refused;
            write(lockstep::CLUSTER_VALUE, 0); /* the busy cluster refuses it */
            if (refused != so_far + 1) ++wrong;
            refused = so_far;
            do sc_core::wait(done_i.value_changed_event());
            while (!done_i.read());
            time[k] = sc_core::sc_time_stamp() - begun;
            if (read(lockstep::CLUSTER_COMMAND) != lockstep::CLUSTER_DONE) ++wrong;
            cycles[k] = read(lockstep::CLUSTER_CYCLES);
            float power[4] = {1, a, a * a, a * a * a};
            for (int n = 0; n < ITEMS; ++n)
                wrong += ram.floats(Y)[n] != static_cast<float>(n) + static_cast<float>(n % 3) * power[n % 4];
            sc_core::wait(1, sc_core::SC_US);
        }
        sc_core::sc_stop();
    }
};

/* Runs the same launches on a machine without a platform. */
static bool plain(const char *image, uint64_t cycles[LAUNCHES]) {
    lockstep_machine *m = lockstep_create(nullptr, settings, image);
    uint8_t *x, *y;
    const lockstep_range range = {{ITEMS, 0, 0}, {GROUP, 0, 0}};
    const uint32_t at_x = m ? lockstep_buffer(m, ITEMS * sizeof(float), &x) : 0,
                   at_y = m ? lockstep_buffer(m, ITEMS * sizeof(float), &y) : 0;
    for (int k = 0; k < LAUNCHES && at_x && at_y; ++k) {
        const float a = static_cast<float>(k + 2);
        const uint64_t before = lockstep_cycles(m);
        if (!lockstep_kernel(m, "powers") || !lockstep_value(m, &a, 4) || !lockstep_pointer(m, at_x) ||
            !lockstep_pointer(m, at_y) || !lockstep_run(m, &range))
            return false;
        cycles[k] = lockstep_cycles(m) - before;
    }
    lockstep_destroy(m);
    return at_x && at_y;
}

int sc_main(int argc, char **argv) {
    if (argc < 2) return std::fprintf(stderr, "usage: platform IMAGE [--no-dmi]\n"), 1;
    const bool dmi = argc < 3 || std::string(argv[2]) != "--no-dmi";
    const sc_core::sc_time period(1, sc_core::SC_NS);
    sc_core::sc_signal<bool> done;
    memory ram("ram", dmi);
    master cpu("cpu", ram);
    lockstep::cluster cluster("cluster", nullptr, settings, argv[1], {"powers"}, period);
    cpu.socket.bind(cluster.registers);
    cluster.memory.bind(ram.socket);
    cpu.done_i(done);
    cluster.done_o(done);

    sc_core::sc_clock clock("clock", period);
    sc_core::sc_signal<bool> reset, take, valid;
    sc_core::sc_signal<sc_dt::sc_biguint<128>> ready, stalled, grant;
    sc_core::sc_signal<sc_dt::sc_uint<7>> warp;
    lockstep::warp_scheduler scheduler("scheduler", 4);
    scheduler.clk_i(clock), scheduler.rst_ni(reset), scheduler.ready_i(ready), scheduler.stalled_i(stalled);
    scheduler.take_i(take), scheduler.valid_o(valid), scheduler.warp_o(warp), scheduler.grant_o(grant);
    ready.write(0xb), take.write(true), reset.write(true); /* warps 0, 1, 3 */
    std::string order;
    for (int cycle = 0; cycle < 4; ++cycle) {
        sc_core::sc_start(period / 2);
        order += std::to_string(warp.read().to_uint());
        sc_core::sc_start(period / 2);
    }
    sc_core::sc_start();

    uint64_t alone[LAUNCHES];
    bool good = plain(argv[1], alone) && !cpu.wrong && !cpu.refused && order == "1301";
    good = good && (dmi ? ram.transactions == 0 : ram.transactions == 3 * LAUNCHES);
    for (int k = 0; k < LAUNCHES; ++k) {
        std::printf("launch %d: %" PRIu64 " cycles in the platform, %" PRIu64 " alone, %s\n", k + 1, cpu.cycles[k],
                    alone[k], cpu.time[k].to_string().c_str());
        good = good && cpu.cycles[k] == alone[k] && cpu.time[k] >= period * static_cast<double>(alone[k]);
        if (dmi) good = good && cpu.time[k] == period * static_cast<double>(alone[k]);
    }
    std::printf("%s: scheduler %s, %u results wrong, %u transactions\n", good ? "PASS" : "FAIL", order.c_str(),
                cpu.wrong, ram.transactions);
    return !good;
}
