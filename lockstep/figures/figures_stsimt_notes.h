/*
 * figures_stsimt_notes: reasons for differences from the paper's figures (figures_stsimt.c).
 */
#ifndef LOCKSTEP_FIGURES_STSIMT_NOTES_H
#define LOCKSTEP_FIGURES_STSIMT_NOTES_H

#define NOTE_EFFICIENCY                                                                                      \
    "The programs are our own after the paper's algorithms, in ARM code, with smaller inputs; n_queens, "    \
    "path_finder and matrix_multiply are none of its. Conditional instructions count as active only where "  \
    "their condition holds. hotspot and reduction, coherent in the paper, are just below the 85 % that "     \
    "part its programs into divergent and coherent ones."
#define NOTE_CHAINS                                                                                          \
    "The benchmark dependent_chains on one cluster: each operation needs the result of the one before. The " \
    "differences are the launch, which loads and stores, and a branch every 256 operations: the pipeline "   \
    "by itself has the closed form to the last instruction (tests/sm/test_sm_lanes.c)."
#define NOTE_CHAINS_TSIMT                                                                                    \
    "As in the paper: as many instructions a cycle as there are warps, until the one issue a cycle limits "  \
    "them to as many as there are threads; all lanes are busy with 8 threads in 16 warps."
#define NOTE_CHAINS_OVER                                                                                     \
    "The paper's peak of four with 16 and 32 warps, 2.5 with 8, and half with one warp of 32 threads. What " \
    "is missing to the four is the launch, which is the same for both machines."
#define NOTE_CHAINS_STSIMT4                                                                                  \
    "Two lane groups need a fourth of TSIMT's warps for all lanes. Where threads do not fill a round of "    \
    "four, as 1 and 2, it is no better than TSIMT."
#define NOTE_LANES                                                                                           \
    "Nine work-groups of 84 threads of dependent_chains, in place of DG_0's, in a cluster with one warp "    \
    "slot a lane (the paper's kernel needs many registers): as in the paper two are there at once, lanes 6 " \
    "and 7 are empty, and 2 and 5, with 20 threads each, run out of work long before their work-group ends."
#define NOTE_LANES_PLUS                                                                                      \
    "As in the paper a warp that ends gives way to the next work-group's, nearly all lanes are busy, and "   \
    "at "                                                                                                    \
    "the end a tail is left in which few of them work."
#define NOTE_TEMPORAL                                                                                        \
    "As in the paper TSIMT loses in the mean, TSIMT+ a little less; any lane for any warp gains, "           \
    "warps of 16 lose least. Where TSIMT loses, lanes have no warp (table4lanes): with 4 warps of "          \
    "coulombic_potential in a cluster half of them have none, and it loses 31 %; if its warps may use "      \
    "any lane, it gains 7 %. The same holds for ray_tracing (25 % and 8 % slower) and "                      \
    "lu_decomposition (14 % slower, 7 % faster). Coherent programs lose more than divergent ones, "          \
    "where the paper's lose as much: most of it is coulombic_potential's, whose grid is smaller here. "      \
    "With warps of 16 libor loses 13 %, as it waits for memory (fig8): with --set l1d.size=262144 it "       \
    "loses 1 %. matrix_multiply loses 12 % with them, and still 18 % if its loads hit."
#define NOTE_CONFLICTS                                                                                       \
    "Of the cycles in which a cluster has a work-group. Smaller than the paper's in every program. "         \
    "Waits for memory explain a part: on laplace3d (--input large, the paper's size) an instruction "        \
    "issues in 8.2 % of the cycles and 0.54 % have one waiting lane; with --set l1d.size=262144 it is "      \
    "23.2 % and 3.35 %, with warps of 16 besides 56 % and 14.2 %. Another scheduler (greedy_oldest: "        \
    "0.52 %) and chaining (off: 0.55 %) change nothing. The rest is unknown: an instruction of 32 "          \
    "threads keeps its lane for 32 cycles, but for the paper's 22 % of cycles with conflicts, 4.47 "         \
    "lanes being ready, each lane has to issue every 20 cycles, so its front end takes longer or "           \
    "counts otherwise. Beside the paper's numbers of a program with several kernels stand those of "         \
    "the one that takes longest (GAU_1, LIB_1, LUD_2)."
#define NOTE_ACTIVE                                                                                          \
    "Grids of 64 to 256 work-groups give most programs fewer warps than the paper's grids of "               \
    "thousands; bfs, back_propagation, hotspot, libor and nearest_neighbors are near the paper's in "        \
    "lanes that have one. gaussian_elimination and lu_decomposition have matrices of 64 and 128 a "          \
    "side, and steps of one work-group between the others. bfs and reduction wait less for memory "          \
    "here, on other inputs. needleman_wunsch has one warp of 16 threads a work-group, and never more "       \
    "than a work-group for each cluster."
#define NOTE_SPATIO_TEMPORAL                                                                                 \
    "As in the paper STSIMT4 is best, and faster than SIMT in the mean; more so on divergent "               \
    "programs, by lu_decomposition, ray_tracing and back_propagation. Coherent programs gain less "          \
    "than in the paper. libor waits for loads in 65 % of SIMT's cycles, since its private arrays are "       \
    "larger than the L1D of 32 KB; with --set l1d.size=262144 it gains 14.4 %, and the five coherent "       \
    "programs 2.7 %. matrix_multiply loses 7.7 % then: its loads hit, and instructions wait for the "        \
    "load-store unit's collectors (43 % of the cycles; 24 % with SIMT)."
#define NOTE_REGISTERS                                                                                       \
    "Means over the kernels that a program launches; before: every value a vector, by the same "             \
    "allocation. As in the paper wide takes less than convergent, by 37 % of what was there before "         \
    "(the paper: 26.1). ARM code keeps fewer values in registers (15 integer ones) than PTX; libor "         \
    "keeps its arrays' addresses and constants there, and goes from 1,184 words to 457. Greedy "             \
    "colouring makes convergent larger than none by a few scalars in bfs, n_queens, laplace3d and "          \
    "nearest_neighbors, where no vector goes, and wide by one word larger than convergent in hotspot."
#define NOTE_OF_A_THREAD                                                                                     \
    "As in the paper vectors and scalars together may be more than the registers before (10.9 + 8.9 "        \
    "and 17.8; 17.6 + 9.0 and 24.2): a scalar is one word of a warp, a vector 32."
#define NOTE_FRACTION                                                                                        \
    "As in the paper wide finds about twice as much as convergent. ARM's loads and stores add and shift "    \
    "inside an address, arguments are loaded once, and loop control is a smaller part of unrolled loops, "   \
    "so "                                                                                                    \
    "that there is less to find. In the code: of all instructions of the program that kernels reach, the "   \
    "device library's included."
#define NOTE_TOGETHER                                                                                        \
    "STSIMT4 with scalars is the best machine, as in the paper, and nearly as much faster. TSIMT+ "          \
    "with scalars gains less, since lanes without a warp stay empty (fig7). reduction gains most: 60 "       \
    "% of its instructions are scalar, addresses and loop control of warps of which the tree leaves "        \
    "few busy."
#define NOTE_SCALARS                                                                                         \
    "Scalars help every machine in the mean. nearest_neighbors loses 9 % by them on TSIMT+: warps "          \
    "that issue in turn come to their load all at once; with simt.scheduler greedy_oldest it gains "         \
    "0.4 %. libor, where the paper's executes 48.8 % scalars, gains little though 17.8 % are: with "         \
    "private arrays larger than the L1D it waits for loads in 65 % of the cycles of SIMT, whatever "         \
    "its instructions take. With --set l1d.size=262144 scalars bring 21.4 % on SIMT, 11.5 % on TSIMT+ "      \
    "and 8.8 % on STSIMT4. A scalar unit beside SIMT's lanes (which costs hardware) executes scalars "       \
    "while the lanes work; with it SIMT is faster than STSIMT4 with scalars on coulombic_potential, "        \
    "matrix_multiply, nearest_neighbors and reduction only, the more coherent programs, as in the "          \
    "paper."
#define NOTE_RUNTIME                                                                                         \
    "Cycles over SIMT's. The paper's numbers that it does not print are those of its speed-ups turned "      \
    "round. TSIMT+ takes longer, by coulombic_potential, ray_tracing, lu_decomposition and libor "           \
    "(fig7)."
#define NOTE_POWER                                                                                           \
    "In both sets of constants (docs/energy.md), leakage and main memory included, which do not change "     \
    "from "                                                                                                  \
    "machine to machine: so power changes less than in the paper, and follows how busy lanes are."
#define NOTE_ENERGY                                                                                          \
    "Energy follows runtime by leakage; scalars save operands and operations besides (reduction, "           \
    "hotspot). TSIMT+ takes more than SIMT as it takes longer."
#define NOTE_PRODUCT                                                                                         \
    "Energy times runtime: as in the paper STSIMT4 with scalars is best by far, and by nearly as "           \
    "much."

#endif
