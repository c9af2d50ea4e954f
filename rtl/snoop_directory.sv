// snoop_directory: the coherence protocol of a line: computes the effect of a request on the line's state in each L2
// and at the directory between the clusters (docs/coherence.md). Twin of model/memory/snoop_directory.h.
//
// A request is one transaction, in which all states change at once. The L2s of the requester's cluster snoop it on
// their bus. If none of them has the line, or a write makes copies in other clusters stale, the request goes to the
// directory. The directory lets memory or the owner cluster supply the line, and lets other clusters invalidate their
// copies. The block has no state; all outputs are combinational.
module snoop_directory #(
    parameter  logic [31:0] CLUSTERS      = 64,                                    // clusters of the machine, 1–64
    parameter  logic [31:0] L2S           = 4,                                     // L2s of a cluster, 1–32
    localparam logic [31:0] CLUSTER_BITS  = CLUSTERS > 1 ? $clog2(CLUSTERS) : 1,
    localparam logic [31:0] L2_BITS       = L2S > 1 ? $clog2(L2S) : 1,
    localparam logic [31:0] COPIES        = CLUSTERS * L2S,
    localparam logic [31:0] STATE_BITS    = 3,                                     // NAME_BITS: bits of a NAME element
    localparam logic [31:0] NEXT_BITS     = 3
) (
    input  logic [2:0]                   request_i,           // 0 none, 1 read, 2 write, 3 upgrade, 4 evict
    input  logic [CLUSTER_BITS-1:0]      cluster_i,           // cluster of the requester
    input  logic [L2_BITS-1:0]           l2_i,                // L2 of the requester in that cluster
    input  logic [COPIES*STATE_BITS-1:0] state_i,             // state of the line in each L2: 0 I, 1 S, 2 E, 3 O, 4 M
    input  logic [1:0]                   entry_i,             // state at the directory: 0 U, 1 S, 2 O, 3 X; U if there
                                                              // is one cluster
    input  logic [CLUSTER_BITS-1:0]      owner_i,             // cluster that answers for the line in O and X; else 0
    output logic [COPIES*NEXT_BITS-1:0]  next_o,              // state of the line in each L2 after the request
    output logic                         supplied_o,          // 1: an L2 supplies the line
    output logic [CLUSTER_BITS-1:0]      supplier_cluster_o,  // cluster of that L2; 0 without one
    output logic [L2_BITS-1:0]           supplier_l2_o,       // number of that L2 in its cluster; 0 without one
    output logic                         memory_o,            // 1: memory supplies the line
    output logic                         write_back_o,        // 1: the requester writes the line to memory
    output logic [CLUSTERS-1:0]          asked_o,             // other clusters that snoop the request for the directory
    output logic [1:0]                   entry_o,             // state at the directory after the request
    output logic [CLUSTER_BITS-1:0]      owner_o              // cluster that answers for the line after the request
);
`ifndef __ICARUS__  // Icarus 11 has no elaboration tasks
  if (CLUSTERS < 1 || CLUSTERS > 64) begin : gen_illegal_clusters
    $error("snoop_directory: CLUSTERS must be 1 to 64");
  end
  if (L2S < 1 || L2S > 32) begin : gen_illegal_l2s
    $error("snoop_directory: L2S must be 1 to 32");
  end
`endif

  typedef enum logic [2:0] {NONE, READ, WRITE, UPGRADE, EVICT} request_e;
  typedef enum logic [2:0] {I, S, E, O, M} state_e;
  typedef enum logic [1:0] {ENTRY_U, ENTRY_S, ENTRY_O, ENTRY_X} entry_e;

  logic                asks;       // a read, a write or an upgrade
  logic                writes;
  logic [2:0]          own;        // state in the requester's L2
  logic                held;       // another L2 of the requester's cluster has the line,
  logic                only;       // this copy is in E or M, so no other cluster has one
  logic [CLUSTERS-1:0] elsewhere;  // other clusters with copies
  logic                directory;  // the request goes to the directory,
  logic                answers;    // the directory lets the owner cluster supply the line
  logic                dirty;      // the supplied copy is newer than memory

  assign asks   = request_i == READ || request_i == WRITE || request_i == UPGRADE;
  assign writes = request_i == WRITE || request_i == UPGRADE;

  always_comb begin
    own       = I;
    held      = 1'b0;
    only      = 1'b0;
    elsewhere = '0;
    for (int unsigned c = 0; c < CLUSTERS; c++) begin
      for (int unsigned n = 0; n < L2S; n++) begin
        if (c != 32'(cluster_i)) begin
          if (state_i[(c*L2S+n)*STATE_BITS +: STATE_BITS] != I) elsewhere[c] = 1'b1;
        end else if (n == 32'(l2_i)) begin
          own = state_i[(c*L2S+n)*STATE_BITS +: STATE_BITS];
        end else begin
          if (state_i[(c*L2S+n)*STATE_BITS +: STATE_BITS] != I) held = 1'b1;
          if (state_i[(c*L2S+n)*STATE_BITS +: STATE_BITS] == E || state_i[(c*L2S+n)*STATE_BITS +: STATE_BITS] == M)
            only = 1'b1;
        end
      end
    end
  end

  assign directory = CLUSTERS > 1 && asks && !only && (writes || !held);
  assign answers   = directory && request_i != UPGRADE && !held && (entry_i == ENTRY_O || entry_i == ENTRY_X);
  assign memory_o  = (request_i == READ || request_i == WRITE) && !held && !answers;

  always_comb begin
    asked_o = '0;
    for (int unsigned c = 0; c < CLUSTERS; c++) begin
      if (directory && c != 32'(cluster_i)) asked_o[c] = writes ? elsewhere[c] : answers && c == 32'(owner_i);
    end
  end

  // An L2 whose copy is newer than memory supplies the line, else the lowest-numbered L2 with the line.
  always_comb begin
    supplied_o         = 1'b0;
    supplier_cluster_o = '0;
    supplier_l2_o      = '0;
    dirty              = 1'b0;
    for (int unsigned c = 0; c < CLUSTERS; c++) begin
      for (int unsigned n = 0; n < L2S; n++) begin
        if ((request_i == READ || request_i == WRITE) && state_i[(c*L2S+n)*STATE_BITS +: STATE_BITS] != I
            && (held ? c == 32'(cluster_i) && n != 32'(l2_i) : answers && c == 32'(owner_i) && c != 32'(cluster_i))
            && (!supplied_o || state_i[(c*L2S+n)*STATE_BITS +: STATE_BITS] == O
                || state_i[(c*L2S+n)*STATE_BITS +: STATE_BITS] == M)) begin
          supplied_o         = 1'b1;
          supplier_cluster_o = CLUSTER_BITS'(c);
          supplier_l2_o      = L2_BITS'(n);
          dirty              = state_i[(c*L2S+n)*STATE_BITS +: STATE_BITS] == O
                               || state_i[(c*L2S+n)*STATE_BITS +: STATE_BITS] == M;
        end
      end
    end
  end

  always_comb begin
    next_o = state_i;
    for (int unsigned c = 0; c < CLUSTERS; c++) begin
      for (int unsigned n = 0; n < L2S; n++) begin
        if (c == 32'(cluster_i) && n == 32'(l2_i)) begin
          if (writes) next_o[(c*L2S+n)*NEXT_BITS +: NEXT_BITS] = M;
          else if (request_i == READ) next_o[(c*L2S+n)*NEXT_BITS +: NEXT_BITS] = held || elsewhere != '0 ? S : E;
          else if (request_i == EVICT) next_o[(c*L2S+n)*NEXT_BITS +: NEXT_BITS] = I;
        end else if (asks && (c == 32'(cluster_i) || asked_o[c])) begin
          if (writes) next_o[(c*L2S+n)*NEXT_BITS +: NEXT_BITS] = I;
          else if (state_i[(c*L2S+n)*STATE_BITS +: STATE_BITS] == E) next_o[(c*L2S+n)*NEXT_BITS +: NEXT_BITS] = S;
          else if (state_i[(c*L2S+n)*STATE_BITS +: STATE_BITS] == M) next_o[(c*L2S+n)*NEXT_BITS +: NEXT_BITS] = O;
        end
      end
    end
  end

  assign write_back_o = request_i == EVICT && (own == O || own == M);

  always_comb begin
    entry_o = CLUSTERS > 1 ? entry_i : ENTRY_U;
    owner_o = owner_i;
    if (directory) begin
      owner_o = cluster_i;
      if (writes || entry_i == ENTRY_U) entry_o = ENTRY_X;
      else if (answers && dirty) begin
        entry_o = ENTRY_O;
        owner_o = owner_i;
      end else entry_o = ENTRY_S;
    end else if (CLUSTERS > 1 && request_i == EVICT) begin
      if (write_back_o && entry_i == ENTRY_O) entry_o = ENTRY_S;
      if (!held && elsewhere == '0) entry_o = ENTRY_U;
    end
    if (entry_o == ENTRY_U || entry_o == ENTRY_S) owner_o = '0;
  end
endmodule
