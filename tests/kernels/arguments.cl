/* Every kind of argument, and attributes. */
typedef struct {
    char tag;
    float4 value;
    double weight;
} record;

__constant float table[4] = {1, 2, 4, 8};

__kernel __attribute__((reqd_work_group_size(8, 4, 1))) __attribute__((work_group_size_hint(8, 4, 1)))
void all_kinds(char c, __global record *records, float3 v, __constant int *coefficients, record one,
               __local float4 *scratch, long wide, uchar2 pair, volatile __global int *flag) {
    scratch[get_local_id(0)] = v.xyzz;
    barrier(CLK_LOCAL_MEM_FENCE);
    records[0].weight = one.weight * table[c & 3] + wide + pair.x + coefficients[0] + scratch[0].x;
    *flag = sizeof(record);
}

__kernel __attribute__((vec_type_hint(uint4))) void none(void) {}
