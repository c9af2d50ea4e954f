/*
 * figures_dual_mode_notes: reasons for differences from the paper's figures (figures_dual_mode.c).
 */
#ifndef LOCKSTEP_FIGURES_DUAL_MODE_NOTES_H
#define LOCKSTEP_FIGURES_DUAL_MODE_NOTES_H

#define NOTE_INSTRUCTIONS                                                                                    \
    "As in the paper MIMD mode executes 2.3 times as many instructions where kernels have barriers "         \
    "(the paper: 2.37), and about as many where they have few. That is the price of snucl's code, "          \
    "which keeps every private value that is used behind a barrier in memory. Modern code, which "           \
    "moves and computes values again where it can, needs no more instructions than SIMT mode."
#define NOTE_MEMORY                                                                                          \
    "The same holds of instructions that load or store: 4.8 times as many with snucl (the paper: "           \
    "3.64), 1.06 times with modern code. dwthaar1d, backprop and reduction_uint4, whose barriers come "      \
    "every 10 to 11 instructions, have most (table4bpki)."
#define NOTE_TIME                                                                                            \
    "As in the paper SIMT mode is faster where kernels have barriers, and by more (2.4 times; 1.92). "       \
    "Without many barriers bfs_frontier, bitonic_sort and gaussian lose more than the 16 % that the "        \
    "paper says, dotproduct and srad win, nearest_neighbors is even: docs/dual-mode.md splits their "        \
    "times. kmeans' features lie 32 KB apart, in one set of each cache; with one work-group more it "        \
    "is 5.3 times (docs/dual-mode.md). The same kernels with modern code are the other side of the "         \
    "paper's claim: SIMT mode then gains 14 % with barriers, and loses on b_tree, hotspot_pyramid, "         \
    "lud, matrixmul and nbody."
#define NOTE_CHOSEN                                                                                          \
    "mode: auto, trained on other programs (docs/modes.md). With snucl it is 7 % faster than SIMT "          \
    "mode always (the paper: 4.57); with modern code it loses 3 %: the model is not better there than "      \
    "SIMT mode for every kernel with a barrier."
#define NOTE_CHANGED                                                                                         \
    "As in the paper MIMD mode gains more by each change than SIMT mode, but for matrixmul with "            \
    "modern code, which has no replicated values to save, while each element comes 16 times as often "       \
    "from global memory. kmeans without its transposed features is faster in SIMT mode as well (its "        \
    "swap is a launch, which is included); in MIMD mode it loses the stride of a power of two "              \
    "(fig10). Options in a row help black_scholes by 1.8 times in MIMD mode, not 7.17: its stride is "       \
    "16 KB here, the paper's is 240 KB (--size full)."
#define NOTE_STRIDE                                                                                          \
    "4,096 work-items are a stride of 16 KB, so that all options of a work-item share a set of the "         \
    "L1D. One work-group more (4,224) spreads them: the gain of SIMT mode over MIMD mode falls from "        \
    "125 to 56 %. So the paper's 5 times are of its stride (61,440 work-items: 240 KB)."
#define NOTE_POLICIES                                                                                        \
    "The machine's library for log and exp branches (kernel.math classic), as the paper's did. Where "       \
    "threads part in it, ICS-First is 4.4 times as fast as no rule (black_scholes; the paper's 8.3) "        \
    "and 5.1 times (lavamd; 3.1). Min-PC, whose order is that of the code, takes 7 % fewer cycles on "       \
    "black_scholes, but 7.5 times as many on lavamd and 1.4 times on cfd, so that its mean is 11 % "         \
    "slower where the paper's is 0.8 % faster. Why the paper's does not lose there is not known. "           \
    "Where nothing is to be mended ICS-First pays for its priority operations: without them "                \
    "first_ready gains up to 20 %."
#define NOTE_MITIGATION                                                                                      \
    "Programs whose threads part gain by permuted lanes: bfs_frontier 67 %, lavamd 35 %, cfd 22 %, "         \
    "black_scholes 19 %; the paper's mean of 2.5 % is over programs of which few part much. A map "          \
    "that spreads threads has a price (balanced alone): neighbours access the same lines, and each "         \
    "lane has an L2 of its own. On block, without that price, the mean is 7.1 %. Any lane for any "          \
    "thread needs no map, but the network takes 4 cycles. Two paths of a warp in flight bring nothing "      \
    "in general, as the paper says: other warps hide latencies already. Alternate execution gains 1.6 "      \
    "% (the paper: 2.6), most on lavamd and black_scholes. Threads that wait on a lower level do not "       \
    "take part: if all threads did, they would never meet again."
#define NOTE_ROUNDS                                                                                          \
    "What compaction alone brings. With block neighbours, which part together, share a lane, and "           \
    "there is less to fill; cyclic and balanced differ little here."
#define NOTE_WIDTHS                                                                                          \
    "As in the paper clusters of 4 are best in the mean. Wide ones have few threads on a core to hide "      \
    "latencies, and a bus that holds a request for 4 cycles. The paper's width 2 suffers from stack "        \
    "objects beyond the TPOs; here hotspot_pyramid and matrixmul keep theirs in registers, and "             \
    "docs/dual-mode.md shows the stacks that make it slow. Some programs have too few work-groups for "      \
    "16 clusters: nbody and particlefilter 8 of each launch, lud and nw at the ends of their "               \
    "triangles, matrixmul 18."
#define NOTE_MODELS                                                                                          \
    "The paper's OpenCL saves 25 % and 45 % of OpenMP's time. Here it saves none in the mean, since "        \
    "OpenCL needs many more instructions where kernels have barriers (fig15instructions). OpenCL wins "      \
    "where OpenMP misses the caches, as the paper says of all: backprop's inner loop strides by a row "      \
    "of weights, srad's walks columns. kmeans loses in MIMD mode by its stride alone (fig12). "              \
    "docs/dual-mode.md shows that OpenMP code which is not optimised gives both signs of the paper. A "      \
    "core executes its share of a parallel loop in order, as schedule(static) does. Starting and "           \
    "joining threads takes no time, but each region is a launch. mimd.coalescing=modern changes nothing "    \
    "for work-groups of one work-item."
#define NOTE_MODEL_INSTRUCTIONS                                                                              \
    "With barriers OpenCL executes 6.1 times as many with snucl and 2.6 times as many with modern code "     \
    "or in SIMT mode: tiles are copied to local memory and back, rims of tiles are computed more than "      \
    "once, and snucl keeps values in memory. Without barriers it is 1.1 to 1.2 times as many."
#define NOTE_MODELS_NEAR                                                                                     \
    "With memory of 8 cycles OpenMP gains 42 % in the mean, and OpenCL loses more. So OpenMP does not "      \
    "win by the caches: by them it loses, most on backprop (444 %) and nw (100 %)."
#define NOTE_VECTORS                                                                                         \
    "As in the paper vectors bring MIMD mode more than SIMT mode, and SIMT mode is still faster then: "      \
    "1.97 times (1.71). Both gain more than the paper's. Two programs lose in SIMT mode, since too few "     \
    "warps are left (fig16groups). kmeans gains most in MIMD mode: a load takes 16 bytes of a line that "    \
    "has gone when the next point needs it (fig10). nbody loses in MIMD mode: four bodies need 192 "         \
    "bytes of stack, one needs none. dotproduct hardly gains in MIMD mode, which waits for memory, as "      \
    "the paper says; in SIMT mode it saves start-up and loads of arguments."
#define NOTE_VECTORS_SPLIT                                                                                   \
    "The first column of each pair has the vectorised kernels on VFP, the second adds Advanced SIMD. In "    \
    "MIMD mode with snucl three quarters of the gain come without Advanced SIMD: fewer work-items keep "     \
    "fewer values across barriers and compute fewer addresses. black_scholes calls log and exp once for "    \
    "each element, so that vector instructions bring it 3 to 7 %."
#define NOTE_SAME_GROUPS                                                                                     \
    "A quarter of the work-items are 32 of black_scholes, a warp, and 16 of nearest_neighbors, half a "      \
    "warp. A cluster has 8 work-groups at most, so that 8 warps are left to hide latencies. Work-groups "    \
    "as large as those of the original take the losses away."
#define NOTE_IN_A_ROW                                                                                        \
    "The paper's vectors merge options in a row. Here that brings 94 % in MIMD mode, of which vectors "      \
    "are 6 %, and nothing in SIMT mode. Even with all options of a work-item in one set of the L2 "          \
    "(8,192 work-items of 65 options) it is 94 %. Why it is 340 % in the paper is not known."

#define NOTE_SUPERSCALAR                                                                                     \
    "As in the paper the dual-mode superscalar machine is the fastest in the mean, and by most where "       \
    "kernels have barriers. MIMD mode wins on bfs_frontier, bitonic_sort and gaussian by what starting "     \
    "threads costs. dotproduct and srad win in SIMT mode, since cores in order wait for memory. kmeans "     \
    "thrashes one set of the caches in MIMD mode (fig10); without it the three means are 33, 114 and 61 "    \
    "%. The base machines differ by more than the paper's already: docs/superscalar.md, section 6."
#define NOTE_SUPERSCALAR_SPLIT                                                                               \
    "Each column is over the machine to its left that lacks the part: SIMT mode over MIMD mode in order, "   \
    "superscalar cores for start-up code, then several rounds a cycle. The paper does not say which "        \
    "instructions its machine issues together; its means are nearest to rounds (docs/superscalar.md). "      \
    "A third warp gains little over two: two integer units start two rounds a cycle. One read port of the "  \
    "TPM is nearly enough."
#define NOTE_BARRIERS                                                                                        \
    "A barrier is counted once for each work-item that comes to it. The paper's numbers are of its "         \
    "inputs, which --size full has: b_tree, backprop, dwthaar1d, fdtd3d, hotspot_pyramid, lud, "             \
    "matrixmul, nbody and nw are equal to the last barrier there. pathfinder (4,569,600) and "               \
    "reduction_uint4 fit no natural size, and the paper's number of particlefilter leaves out one "          \
    "kernel."
#define NOTE_BPKI                                                                                            \
    "Barriers in a thousand instructions of kernels; --size full has the paper's inputs. backprop, "         \
    "lud and reduction_uint4 execute half or less of the paper's instructions for a barrier; why is "        \
    "not known."

#endif
