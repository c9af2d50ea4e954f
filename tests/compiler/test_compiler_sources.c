/* lockstep-cc: OpenCL C sources as found elsewhere, with rare constructs, and large sources. */
#include "tests/compiler/compiler_image.h"

static void test_types_declared_among_the_parameters(void **state) {
    (void)state;
    expect_success(compile_text(
        "__kernel void k(__global struct { int x; float y; } *p, struct { char c; double4 d; } s,\n"
        "  __constant union { int i; float f; } *u, enum { A, B } e, __local struct T { int x;\n"
        "} *l, struct T2 { short a[3]; } t, __global volatile int q[4][8])\n"
        "{ p[0].x = u->i + s.c + e + t.a[1] + q[1][2]; l->x = (int)s.d.w; }\n"
        "__kernel void j(struct T2 { long a; } t, __global int *p) { p[0] = (int)t.a; "
        "barrier(CLK_LOCAL_MEM_FENCE);\n"
        "  p[1] = (int)t.a; }\n",
        "--options -w"));
    struct image *i = load(run_path("image"));
    const struct image_argument *a = image_find(i, "k")->arguments;
    static const unsigned offsets[] = {0, 32, 96, 100, 104, 108, 116}, sizes[] = {4, 64, 4, 4, 4, 6, 4};
    for (size_t n = 0; n < 7; n++) {
        assert_int_equal(a[n].offset, offsets[n]);
        assert_int_equal(a[n].size_bytes, sizes[n]);
    }
    assert_int_equal(image_find(i, "j")->arguments[0].size_bytes, 8);
    assert_int_equal(image_find(i, "j")->barriers, 1);
    image_free(i);
    expect_success(compile_text("__kernel void k(struct { int x; } s, __global int *p) { p[0] = s.x; }\n",
                                "--options -cl-opt-disable"));
}

/* Each source compiles. A comment gives its origin. */
static void test_sources_as_they_are_found(void **state) {
    static const char *const sources[] = {
        /* digraphs, line ends of another system, a byte order mark, no newline at the end, Latin-1 */
        "%:define N 4\n__kernel void k(__global int *p) <% int q<:N:>; for (int i = 0; i < p<:i:>; i++)\n"
        "<% q<:i & 3:> = 1; if (q<:1:>) <% p<:2:> = 1; p<:3:>++; %> %> %>\n",
        "__kernel void k(__global int *p)\r\n{\r\n  if (p[0] > 1) {\r\n    p[1] = p[0]; p[2] = 4;\r\n  }\r\n"
        "  #pragma unroll 4\r\n  for (int i = 0; i < p[3]; i++)\r\n    p[i]++;\r\n  p[\\\r\n9] = 1;\r\n}\r\n",
        "\xef\xbb\xbf__kernel void k(__global int *p) { if (p[0]) { p[1] = 2; p[2] = 3; p[4] = 4; } }\n",
        "__kernel void k(__global int *p) { p[0] = 1; } // x",
        "// caf\xe9\n__kernel void k(__global int *p) { p[0] = 1; /* \xff\xfe */ }\n",
        /* names that the argument block of a kernel has, too */
        "__kernel void arguments(__global int *a0, int block) { a0[0] = block; }\n"
        "#define a1 (7)\n__kernel void k(__global int *p, int q) { p[a1] = q; }\n",
        /* definitions in the old style, odd types */
        "int f(a, b) int a; float b; { return a + (int)b; }\nint g() { return 3; }\n"
        "__kernel void k(__global int *p) { extern int h(int); int a[] = {[2] = f(1, 2.5f), [0] = g()};\n"
        "  p[0] = a[2] + (int){7} + L'b' + (int)sizeof(struct { char c; long l; }); }\n",
        /* functions of every kind, kernels that call kernels, attributes, pragmas, statement expressions */
        "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n#pragma OPENCL FP_CONTRACT OFF\n#pragma nonsense\n"
        "static inline int a(int x) { return x > 3 ? x : -x; }\ninline int b(int x) { if (x > 5) return "
        "a(x); return 3; }\n"
        "__attribute__((noinline)) int c(int x, global int *o) { for (;;) { if (x-- < 3) return o[x & 3]; "
        "o[x] = b(x); } }\n"
        "__attribute__((reqd_work_group_size(8, 1, 1))) kernel void j(global int *restrict o) { o[0] = "
        "c(o[4], o); }\n"
        "void late(global int *o);\nkernel void k(global int *o) { j(o); late(o);\n  #pragma unroll\n"
        "  for (int i = 0; i < o[0]; i++) o[i] = i;\n"
        "  __attribute__((opencl_unroll_hint(4))) for (int i = 0; i < o[1]; i++) { if (o[i] == 5) continue; "
        "o[i] = 3; }\n"
        "  _Pragma(\"unroll 2\") while (o[3]) { o[3]--; }\n  #pragma clang loop unroll(disable)\n"
        "  do { o[4]--; if (o[4] == 3) break; o[5] = 1; } while (o[4]); }\n"
        "void late(global int *o) { o[0] = ({ int q = o[1]; if (q) { q = o[2]; o[3] = q; } q; }); ; ; }\n",
        /* constants at program scope, unions, packed and aligned structures, half, double, long vectors */
        "constant int t[] = {1, 2, 3}; constant float4 v = (float4)(1, 2, 3, 4); constant char s[] = "
        "\"a\\tb\\\"\";\n"
        "constant struct { int a; float b[2]; } st = {1, {2, 3}};\n"
        "union u { int i; float f; char c[8]; double d; }; struct __attribute__((packed)) pk { char c; int "
        "i; };\n"
        "struct al { int a __attribute__((aligned(32))); };\n"
        "kernel void k(union u u, struct pk p, struct al l, global half *h, global double2 *d, ulong16 w, "
        "global float *o) {\n"
        "  constant char *lit = \"lit\"; o[0] = t[u.i & 1] + v.y + st.b[1] + s[2] + lit[1] + u.c[3] + p.i + "
        "l.a;\n"
        "  float4 x = vload_half4(0, h); vstore_half4_rte(x, 1, h); d[0] = sqrt(d[1]) + (double2)(1.0, "
        "w.sf);\n"
        "  int16 z = (int16)(0); z.even = z.odd + 1; o[1] = z.sa; float3 f = {1, 2, 3}; o[2] = as_int3(f).z; "
        "}\n",
        /* statements with empty or unbraced parts, labels at the end, macros that make statements */
        "#define SWAP(a, b) do { int t_ = (a); (a) = (b); (b) = t_; } while (0)\n#define EACH(i, n) for (int "
        "i = 0; i < (n); ++i)\n"
        "__kernel void k(__global int *p) { if (p[0]) SWAP(p[0], p[1]); else SWAP(p[2], p[3]);\n"
        "  EACH(i, p[1]) EACH(j, p[2]) if (p[i] > p[j]) SWAP(p[i], p[j]);\n"
        "  switch (p[1]) case 3: p[1] = 2; switch (p[2]) { int z; case 1: z = 3; p[z] = 1; case 4 ... 7: ; "
        "}\n"
        "  while (({ p[9]--; p[9]; })) ; do ; while (p[10]--); if (p[3]) L: p[4] = 1; p[11] = 1, p[12] = 2;\n"
        "  for (; p[5];) { EACH(j, 4) { if (p[j]) goto next; p[j] = 3; } p[5]--; next:; } return (void)0; "
        "}\n",
    };
    (void)state;
    for (size_t n = 0; n < sizeof sources / sizeof *sources; n++) {
        expect_success(compile_text(sources[n], "--options -w"));
        struct image *i = load(run_path("image"));
        const struct image_kernel *k = image_find(i, "k");
        assert_non_null(k);
        const char *file;
        unsigned line;
        assert_true(image_line(i, k->thunk, &file, &line) && strstr(file, "text.cl"));
        image_free(i);
    }
}

/* Programs do not reach any limit. */
static void test_large_sources(void **state) {
    char *text = malloc(1 << 20), *at = text;
    (void)state;
    at += sprintf(at, "__kernel void k(__global int *p) { int x = 0;"); /* all on one line */
    for (int i = 0; i < 200; i++) at += sprintf(at, " if (p[%d] > x) { x += p[x]; p[1] = x; }", i);
    sprintf(at, " p[5] = x; }\n");
    expect_success(compile_text(text, ""));
    at = text + sprintf(text, "__kernel void k(__global int *p) {");
    for (int i = 0; i < 100; i++) at += sprintf(at, " if (p[%d]) {", i);
    at += sprintf(at, " p[1] = 1; ");
    for (int i = 0; i < 100; i++) at += sprintf(at, "}");
    sprintf(at, " }\n");
    expect_success(compile_text(text, ""));
    at = text + sprintf(text, "__kernel void k(");
    for (int i = 0; i < 32; i++) at += sprintf(at, "%sdouble d%d, __global double *p%d", i ? ", " : "", i, i);
    at += sprintf(at, ") {");
    for (int i = 0; i < 32; i++) at += sprintf(at, " p%d[0] = d%d;", i, i);
    sprintf(at, " }\n");
    expect_success(compile_text(text, ""));
    struct image *i = load(run_path("image"));
    assert_int_equal(image_find(i, "k")->argument_count, 64);
    assert_int_equal(image_find(i, "k")->argument_block_bytes, 31 * 16 + 12);
    image_free(i);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_types_declared_among_the_parameters),
        cmocka_unit_test(test_sources_as_they_are_found),
        cmocka_unit_test(test_large_sources),
    };
    return cmocka_run_group_tests(tests, run_setup, run_teardown);
}
