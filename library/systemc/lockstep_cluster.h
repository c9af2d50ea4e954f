/* lockstep_cluster: a whole machine as a module of SystemC, for a user's platform (docs/library.md).
 *
 * A master writes registers through the socket `registers`: the kernel's number, sizes, arguments, then the
 * command. The machine runs the kernel in the platform's time and then raises `done_o`. Buffers are in the
 * platform's memory, behind the socket `memory`. If the memory grants DMI for reading and writing, kernels
 * access a buffer directly. Otherwise the buffer is read by b_transport at the begin of the launch and
 * written back at its end.
 *
 * If the machine can be stepped (SIMT mode, contexts: tpm), the platform's time advances cycle by cycle;
 * otherwise it advances by the whole launch at its end. A transfer takes the time that the memory reports and
 * no cycles of the machine. */
#ifndef LOCKSTEP_CLUSTER_SYSTEMC_H
#define LOCKSTEP_CLUSTER_SYSTEMC_H

#include <lockstep.h>
#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace lockstep {

/* Byte addresses of the registers, of 4 bytes each. */
enum cluster_register : uint32_t {
    CLUSTER_COMMAND = 0x00,  /* write: 1 launches; read: enum cluster_status */
    CLUSTER_KERNEL = 0x04,   /* number of a kernel in the list of the constructor; a write clears the
                              * arguments */
    CLUSTER_CYCLES = 0x08,   /* read: cycles of the latest launch, lower half; 0x0c: upper half */
    CLUSTER_GLOBAL = 0x10,   /* number of work-items in x; 0x14: y; 0x18: z */
    CLUSTER_LOCAL = 0x20,    /* work-items of a work-group, likewise */
    CLUSTER_VALUE = 0x30,    /* write: the next argument, a value of 4 bytes */
    CLUSTER_BYTES = 0x34,    /* size of the buffer of the next pointer, in bytes */
    CLUSTER_POINTER = 0x38,  /* write: the next argument, the address of a buffer in the platform's memory */
    CLUSTER_MEMORY = 0x3c,   /* write: the next argument, a number of bytes of local memory */
    CLUSTER_REGISTERS = 0x40 /* size of the register file, in bytes */
};

enum cluster_status : uint32_t { CLUSTER_IDLE, CLUSTER_BUSY, CLUSTER_DONE, CLUSTER_FAILED };

class cluster : public sc_core::sc_module {
    SC_HAS_PROCESS(cluster);

  public:
    tlm_utils::simple_target_socket<cluster> registers{"registers"};
    tlm_utils::simple_initiator_socket<cluster> memory{"memory"};
    sc_core::sc_out<bool> done_o{"done_o"}; /* 1 from the end of a launch to the beginning of the next */

    /* config, settings, image: see lockstep_create(); kernels: names; period: duration of a cycle. */
    cluster(sc_core::sc_module_name name, const char *config, const char *settings, const char *image,
            std::vector<std::string> kernel_names, sc_core::sc_time cycle_period)
        : sc_module(name), kernels(std::move(kernel_names)), period(cycle_period),
          machine(lockstep_create(config, settings, image)) {
        if (!machine) SC_REPORT_FATAL(this->name(), lockstep_error());
        registers.register_b_transport(this, &cluster::access_register);
        memory.register_invalidate_direct_mem_ptr(this, &cluster::forget_dmi);
        SC_THREAD(run);
    }
    ~cluster() override { lockstep_destroy(machine); }

    /* Returns the machine, for counters and the cycles of all launches. */
    const lockstep_machine *model() const { return machine; }

  private:
    /* A buffer known to kernels. */
    struct buffer {
        uint32_t address, bytes;     /* address on the device; size in bytes */
        uint8_t *copy;               /* copy of the platform's memory; null: direct access */
        std::vector<uint8_t> before; /* contents at the begin of the launch: only changed bytes are written
                                      * back */
    };

    const std::vector<std::string> kernels;
    const sc_core::sc_time period;
    lockstep_machine *machine;
    std::map<uint64_t, buffer> buffers; /* keys are addresses in the platform */
    std::vector<uint64_t> used;         /* addresses of the buffers of the next launch */
    lockstep_range range = {};
    uint32_t kernel = ~0u, bytes = 0, status = CLUSTER_IDLE;
    uint64_t cycles = 0;
    bool good = true; /* false: an argument has been refused */
    sc_core::sc_event start;

    /* --- the platform's memory --- */

    void transfer(tlm::tlm_command command, uint64_t address, uint8_t *data, uint32_t size) {
        tlm::tlm_generic_payload t;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        t.set_command(command);
        t.set_address(address);
        t.set_data_ptr(data);
        t.set_data_length(size);
        t.set_streaming_width(size);
        t.set_byte_enable_ptr(nullptr);
        t.set_dmi_allowed(false);
        t.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        memory->b_transport(t, delay);
        if (!t.is_response_ok()) {
            SC_REPORT_ERROR(name(), ("the platform's memory: " + t.get_response_string()).c_str());
            good = false;
        }
        sc_core::wait(delay);
    }

    uint8_t *direct(uint64_t address, uint32_t size) {
        tlm::tlm_generic_payload t;
        tlm::tlm_dmi dmi;
        t.set_command(tlm::TLM_WRITE_COMMAND);
        t.set_address(address);
        if (!memory->get_direct_mem_ptr(t, dmi) || !dmi.is_read_write_allowed() ||
            dmi.get_start_address() > address || dmi.get_end_address() - address < size - 1)
            return nullptr;
        return dmi.get_dmi_ptr() + (address - dmi.get_start_address());
    }

    void forget_dmi(sc_dt::uint64, sc_dt::uint64) {
        SC_REPORT_FATAL(name(), "the platform takes back memory that kernels access directly");
    }

    bool pointer(uint64_t address) {
        auto found = buffers.find(address);
        if (found == buffers.end()) {
            buffer b = {0, bytes, nullptr, {}};
            uint8_t *host = bytes ? direct(address, bytes) : nullptr;
            b.address =
                host ? lockstep_buffer_of(machine, host, bytes) : lockstep_buffer(machine, bytes, &b.copy);
            if (!b.address) return false;
            found = buffers.emplace(address, b).first;
        }
        if (found->second.bytes != bytes) {
            SC_REPORT_ERROR(name(), "a buffer keeps its size");
            return false;
        }
        used.push_back(address);
        return lockstep_pointer(machine, found->second.address);
    }

    /* --- registers --- */

    bool write(uint32_t at, uint32_t value) {
        switch (at) {
        case CLUSTER_COMMAND:
            if (value != 1) return false;
            status = CLUSTER_BUSY;
            start.notify(sc_core::SC_ZERO_TIME);
            return true;
        case CLUSTER_KERNEL:
            kernel = value;
            used.clear();
            good = value < kernels.size() && lockstep_kernel(machine, kernels[value].c_str());
            return value < kernels.size();
        case CLUSTER_VALUE: good = good && lockstep_value(machine, &value, sizeof value); return true;
        case CLUSTER_BYTES: bytes = value; return true;
        case CLUSTER_POINTER: good = good && pointer(value); return true;
        case CLUSTER_MEMORY: good = good && lockstep_local(machine, value); return true;
        default: break;
        }
        uint32_t *sizes = at >= CLUSTER_LOCAL ? range.local : range.global;
        const uint32_t n = (at & 0xf) / 4;
        if (at < CLUSTER_GLOBAL || at > CLUSTER_LOCAL + 8 || n > 2) return false;
        sizes[n] = value;
        return true;
    }

    bool read(uint32_t at, uint32_t &value) const {
        switch (at) {
        case CLUSTER_COMMAND: value = status; return true;
        case CLUSTER_KERNEL: value = kernel; return true;
        case CLUSTER_CYCLES: value = static_cast<uint32_t>(cycles); return true;
        case CLUSTER_CYCLES + 4: value = static_cast<uint32_t>(cycles >> 32); return true;
        default: return false;
        }
    }

    void access_register(tlm::tlm_generic_payload &t, sc_core::sc_time &) {
        const auto at = static_cast<uint32_t>(t.get_address());
        uint32_t value = 0;
        bool done = false;
        if (t.get_data_length() != 4 || t.get_byte_enable_ptr() || t.get_address() % 4) {
            t.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
            return;
        }
        if (t.is_write() && status == CLUSTER_BUSY) {
            t.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
            return;
        }
        std::memcpy(&value, t.get_data_ptr(), 4);
        if (t.get_address() < CLUSTER_REGISTERS) done = t.is_write() ? write(at, value) : read(at, value);
        if (t.is_read()) std::memcpy(t.get_data_ptr(), &value, 4);
        t.set_response_status(done ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
    }

    /* --- launches --- */

    void copy_in() {
        for (uint64_t address : used) {
            buffer &b = buffers[address];
            if (!b.copy) continue;
            transfer(tlm::TLM_READ_COMMAND, address, b.copy, b.bytes);
            b.before.assign(b.copy, b.copy + b.bytes);
        }
    }

    void copy_out() {
        for (uint64_t address : used) {
            buffer &b = buffers[address];
            if (b.copy && std::memcmp(b.copy, b.before.data(), b.bytes) != 0)
                transfer(tlm::TLM_WRITE_COMMAND, address, b.copy, b.bytes);
        }
    }

    /* Runs the launch; the platform's time advances by steps if possible. */
    bool launch() {
        const uint64_t before = lockstep_cycles(machine);
        uint64_t cycle = 0, passed = 0;
        bool whole;
        if (lockstep_begin(machine, &range, 0)) {
            while (lockstep_step(machine, "warp_scheduler", &cycle)) {
                if (cycle < before + passed) continue;
                sc_core::wait(period * static_cast<double>(cycle - before - passed));
                passed = cycle - before;
            }
            whole = lockstep_end(machine);
        } else {
            whole = lockstep_run(machine, &range);
        }
        cycles = lockstep_cycles(machine) - before;
        sc_core::wait(period * static_cast<double>(cycles - passed));
        return whole;
    }

    void run() {
        for (;;) {
            done_o.write(false);
            while (status != CLUSTER_BUSY) sc_core::wait(start);
            if (good) copy_in();
            bool whole = good && launch();
            if (!whole) SC_REPORT_WARNING(name(), lockstep_error());
            if (whole) copy_out();
            whole = whole && good;
            status = whole ? CLUSTER_DONE : CLUSTER_FAILED;
            done_o.write(true);
            sc_core::wait(start);
        }
    }
};

} // namespace lockstep

#endif
