twins.o: tb/twins/twins.c tb/twins/twins.h model/machine/machine.h \
 model/check/debugger.h model/core/launch.h abi/kernel_features.h \
 abi/launch_block.h model/arm/arm.h model/config/arm_classes.h \
 model/config/limits.h model/memory/memory.h abi/memory_map.h sim/time.h \
 model/config/machine_config.h model/replacement/replacement.h \
 sim/config.h sim/error.h sim/counter.h sim/histogram.h sim/kernel.h \
 sim/clock.h sim/event.h sim/process.h sim/coroutine.h sim/scope.h \
 sim/signal.h sim/trace.h tb/verilated/toggles.h tb/twins/twin.h \
 tb/twins/contract.h model/cluster/cluster.h model/check/checks.h \
 model/check/memory_check.h model/check/access.h model/check/race_check.h \
 model/check/value_check.h model/config/lane_map.h model/core/core.h \
 model/memory/l1d.h model/memory/private_l2.h model/memory/cache.h \
 model/memory/snoop_bus.h model/memory/calendar.h \
 model/memory/directory.h model/memory/main_memory.h model/memory/moesi.h \
 model/memory/snoop_directory.h build/generated/snoop_directory_ports.h \
 model/control/block_twins.h model/core/core_record.h \
 recording/recorder.h model/memory/page_walk.h model/memory/tlb.h \
 model/core/execution_trail.h model/uniform/fault.h \
 model/uniform/scalar_pair.h model/uniform/uniform.h \
 model/control/instruction_reuse_buffer.h \
 build/generated/instruction_reuse_buffer_ports.h \
 model/arm/register_liveness.h model/uniform/reuse_operands.h \
 model/control/srf_rename.h build/generated/srf_rename_ports.h \
 model/control/token_file.h build/generated/token_file_ports.h \
 model/control/warp_set.h model/control/thread_descriptor_table.h \
 build/generated/thread_descriptor_table_ports.h \
 model/control/operand_collector.h \
 build/generated/operand_collector_ports.h \
 model/control/subwarp_dispatcher.h \
 build/generated/subwarp_dispatcher_ports.h \
 model/control/warp_pc_arbiter.h build/generated/warp_pc_arbiter_ports.h \
 model/control/warp_scheduler.h \
 build/generated/greedy_oldest_scheduler_ports.h \
 build/generated/two_level_scheduler_ports.h \
 build/generated/warp_scheduler_ports.h model/control/writeback_arbiter.h \
 build/generated/writeback_arbiter_ports.h model/fast/fast.h \
 model/cluster/held_accesses.h model/fast/flight.h \
 model/uniform/redundancy.h model/control/simt_coprocessor.h \
 build/generated/simt_coprocessor_ports.h model/control/barrier_table.h \
 build/generated/barrier_table_ports.h model/control/tpo_address.h \
 build/generated/tpo_address_ports.h model/cluster/uncore.h \
 model/control/exclusive_monitor.h \
 build/generated/exclusive_monitor_ports.h \
 model/control/work_group_dispatcher.h \
 build/generated/work_group_dispatcher_ports.h tb/twins/twin_insides.h \
 tb/verilated/verilated_vcd.h tb/verilated/verilated_insides.h \
 tb/ports/verilog_tree.h tb/verilated/verilated_library.h \
 tb/ports/verilog_notices.h tb/ports/tool.h tb/ports/verilog_source.h \
 tb/twins/twin_block.h tb/ports/verilog_module.h \
 tb/verilated/verilog_guard.h tb/twins/gpu_place.h model/machine/sms.h \
 model/memory/partitioned_memory.h model/memory/cluster_port.h \
 model/sm/sm.h model/control/round_compactor.h \
 build/generated/round_compactor_ports.h model/sm/beside.h \
 model/control/scoreboard.h build/generated/scoreboard_ports.h \
 model/divergence/re_convergence_stack.h model/memory/store_log.h \
 model/sm/sm_flight.h model/sm/sm_lanes.h model/control/lane_scheduler.h \
 build/generated/lane_scheduler_ports.h \
 model/control/local_memory_arbiter.h \
 build/generated/local_memory_arbiter_ports.h model/sm/sm_shared.h \
 model/memory/dram_channel.h model/control/dram_scheduler.h \
 build/generated/dram_scheduler_ports.h tb/twins/mismatch.h \
 tb/twins/shared_place.h tb/twins/twin_source.h tb/twins/twin_waves.h
tb/twins/twins.h:
model/machine/machine.h:
model/check/debugger.h:
model/core/launch.h:
abi/kernel_features.h:
abi/launch_block.h:
model/arm/arm.h:
model/config/arm_classes.h:
model/config/limits.h:
model/memory/memory.h:
abi/memory_map.h:
sim/time.h:
model/config/machine_config.h:
model/replacement/replacement.h:
sim/config.h:
sim/error.h:
sim/counter.h:
sim/histogram.h:
sim/kernel.h:
sim/clock.h:
sim/event.h:
sim/process.h:
sim/coroutine.h:
sim/scope.h:
sim/signal.h:
sim/trace.h:
tb/verilated/toggles.h:
tb/twins/twin.h:
tb/twins/contract.h:
model/cluster/cluster.h:
model/check/checks.h:
model/check/memory_check.h:
model/check/access.h:
model/check/race_check.h:
model/check/value_check.h:
model/config/lane_map.h:
model/core/core.h:
model/memory/l1d.h:
model/memory/private_l2.h:
model/memory/cache.h:
model/memory/snoop_bus.h:
model/memory/calendar.h:
model/memory/directory.h:
model/memory/main_memory.h:
model/memory/moesi.h:
model/memory/snoop_directory.h:
build/generated/snoop_directory_ports.h:
model/control/block_twins.h:
model/core/core_record.h:
recording/recorder.h:
model/memory/page_walk.h:
model/memory/tlb.h:
model/core/execution_trail.h:
model/uniform/fault.h:
model/uniform/scalar_pair.h:
model/uniform/uniform.h:
model/control/instruction_reuse_buffer.h:
build/generated/instruction_reuse_buffer_ports.h:
model/arm/register_liveness.h:
model/uniform/reuse_operands.h:
model/control/srf_rename.h:
build/generated/srf_rename_ports.h:
model/control/token_file.h:
build/generated/token_file_ports.h:
model/control/warp_set.h:
model/control/thread_descriptor_table.h:
build/generated/thread_descriptor_table_ports.h:
model/control/operand_collector.h:
build/generated/operand_collector_ports.h:
model/control/subwarp_dispatcher.h:
build/generated/subwarp_dispatcher_ports.h:
model/control/warp_pc_arbiter.h:
build/generated/warp_pc_arbiter_ports.h:
model/control/warp_scheduler.h:
build/generated/greedy_oldest_scheduler_ports.h:
build/generated/two_level_scheduler_ports.h:
build/generated/warp_scheduler_ports.h:
model/control/writeback_arbiter.h:
build/generated/writeback_arbiter_ports.h:
model/fast/fast.h:
model/cluster/held_accesses.h:
model/fast/flight.h:
model/uniform/redundancy.h:
model/control/simt_coprocessor.h:
build/generated/simt_coprocessor_ports.h:
model/control/barrier_table.h:
build/generated/barrier_table_ports.h:
model/control/tpo_address.h:
build/generated/tpo_address_ports.h:
model/cluster/uncore.h:
model/control/exclusive_monitor.h:
build/generated/exclusive_monitor_ports.h:
model/control/work_group_dispatcher.h:
build/generated/work_group_dispatcher_ports.h:
tb/twins/twin_insides.h:
tb/verilated/verilated_vcd.h:
tb/verilated/verilated_insides.h:
tb/ports/verilog_tree.h:
tb/verilated/verilated_library.h:
tb/ports/verilog_notices.h:
tb/ports/tool.h:
tb/ports/verilog_source.h:
tb/twins/twin_block.h:
tb/ports/verilog_module.h:
tb/verilated/verilog_guard.h:
tb/twins/gpu_place.h:
model/machine/sms.h:
model/memory/partitioned_memory.h:
model/memory/cluster_port.h:
model/sm/sm.h:
model/control/round_compactor.h:
build/generated/round_compactor_ports.h:
model/sm/beside.h:
model/control/scoreboard.h:
build/generated/scoreboard_ports.h:
model/divergence/re_convergence_stack.h:
model/memory/store_log.h:
model/sm/sm_flight.h:
model/sm/sm_lanes.h:
model/control/lane_scheduler.h:
build/generated/lane_scheduler_ports.h:
model/control/local_memory_arbiter.h:
build/generated/local_memory_arbiter_ports.h:
model/sm/sm_shared.h:
model/memory/dram_channel.h:
model/control/dram_scheduler.h:
build/generated/dram_scheduler_ports.h:
tb/twins/mismatch.h:
tb/twins/shared_place.h:
tb/twins/twin_source.h:
tb/twins/twin_waves.h:
