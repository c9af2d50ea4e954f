/* verilog_tree: the dump of a design as XML and as JSON, and values from a VCD. */
#include "tb/ports/verilog_module.h"
#include "tb/verilated/verilated_vcd.h"
#include "tests/spawn.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The same design in each format, by hand: a top module with parameters, ports, a memory, an enumeration, a
 * struct and a generated instance. The last quoted name is an escaped one. */
static const char xml[] =
    "<?xml version=\"1.0\" ?>\n<verilator_xml>\n"
    "<files><file id=\"c\" filename=\"%s/top.sv\"/><file id=\"a\" filename=\"&lt;built-in&gt;\"/></files>\n"
    "<netlist>\n<module loc=\"c,1,1,1,2\" name=\"top\" origName=\"top\" topModule=\"1\">\n"
    "<var loc=\"c,2,1,2,2\" name=\"WARPS\" dtype_id=\"1\" vartype=\"int\" origName=\"WARPS\" param=\"true\">"
    "<const name=\"32&apos;sh10\" dtype_id=\"1\"/></var>\n"
    "<var loc=\"c,2,9,2,9\" name=\"PC_BITS\" dtype_id=\"1\" vartype=\"int\" origName=\"PC_BITS\" "
    "localparam=\"true\">"
    "<const name=\"32&apos;sh8\" dtype_id=\"1\"/></var>\n"
    "<var loc=\"c,3,1,3,2\" name=\"clk_i\" dtype_id=\"2\" dir=\"input\" vartype=\"logic\" "
    "origName=\"clk_i\"/>\n"
    "<var loc=\"c,4,1,4,2\" name=\"pc_i\" dtype_id=\"3\" dir=\"input\" vartype=\"logic\" "
    "origName=\"pc_i\"/>\n"
    "<var loc=\"c,5,1,5,2\" name=\"record_o\" dtype_id=\"4\" dir=\"output\" vartype=\"record_t\" "
    "origName=\"record_o\"/>\n"
    "<var loc=\"c,6,1,6,2\" name=\"table_q\" dtype_id=\"5\" vartype=\"\" origName=\"table_q\"/>\n"
    "<var loc=\"c,7,20,7,25\" name=\"state_q\" dtype_id=\"6\" vartype=\"state_t\" origName=\"state_q\"/>\n"
    "<var loc=\"c,8,1,8,2\" name=\"a.b\" dtype_id=\"2\" vartype=\"logic\" origName=\"a__02eb\"/>\n"
    "<begin name=\"part[0]\"><instance name=\"inner\" defName=\"leaf__K1\" origName=\"inner\"/></begin>\n"
    "<func name=\"f\"><var name=\"local\" dtype_id=\"2\" origName=\"local\"/></func>\n</module>\n"
    "<module name=\"leaf__K1\" origName=\"leaf\">\n"
    "<var loc=\"c,9,20,9,21\" name=\"states_q\" dtype_id=\"7\" vartype=\"\" "
    "origName=\"states_q\"/></module>\n"
    "<typetable>\n<basicdtype id=\"1\" name=\"int\" left=\"31\" right=\"0\"/><basicdtype id=\"2\" "
    "name=\"logic\"/>\n"
    "<basicdtype id=\"3\" name=\"logic\" left=\"31\" right=\"0\"/>\n"
    "<enumdtype id=\"8\" name=\"mine::state_t\" sub_dtype_id=\"6\"><enumitem name=\"IDLE\" dtype_id=\"6\">"
    "<const name=\"2&apos;h1\" dtype_id=\"6\"/></enumitem><enumitem name=\"TURN\" dtype_id=\"6\">"
    "<const name=\"2&apos;h2\" dtype_id=\"6\"/></enumitem></enumdtype>\n"
    "<structdtype id=\"4\" name=\"record_t\"><memberdtype loc=\"c,10,20,10,21\" id=\"9\" name=\"state\" "
    "sub_dtype_id=\"6\"/>"
    "<memberdtype loc=\"c,10,40,10,41\" id=\"10\" name=\"last\" sub_dtype_id=\"6\"/></structdtype>\n"
    "<refdtype loc=\"c,10,10,10,11\" id=\"11\" name=\"state_t\" sub_dtype_id=\"6\"/>\n"
    "<refdtype loc=\"c,9,10,9,11\" id=\"12\" name=\"state_t\" sub_dtype_id=\"6\"/>\n"
    "<basicdtype id=\"6\" name=\"logic\" left=\"1\" right=\"0\"/>\n"
    "<unpackarraydtype id=\"5\" sub_dtype_id=\"3\"><range><const name=\"32&apos;sh0\"/><const "
    "name=\"32&apos;sh1ff\"/>"
    "</range></unpackarraydtype>\n"
    "<unpackarraydtype id=\"7\" sub_dtype_id=\"6\"><range><const name=\"32&apos;sh0\"/><const "
    "name=\"32&apos;sh3\"/>"
    "</range></unpackarraydtype>\n</typetable>\n</netlist>\n</verilator_xml>\n";

/* As written by 5.024: false is written, bounds are nodes, and names only as in C++. The function has a
 * string. */
static const char old_json[] =
    "{\"type\":\"NETLIST\",\"modulesp\":["
    "{\"type\":\"MODULE\",\"name\":\"top\",\"addr\":\"(E)\",\"origName\":\"top\",\"level\":2,\"stmtsp\":["
    "{\"type\":\"VAR\",\"name\":\"WARPS\",\"dtypep\":\"(1)\",\"origName\":\"WARPS\",\"direction\":\"NONE\","
    "\"varType\":\"GPARAM\",\"isSigPublic\":false,\"valuep\":[{\"type\":\"CONST\",\"name\":\"32'sh10\"}]},"
    "{\"type\":\"VAR\",\"name\":\"PC_BITS\",\"dtypep\":\"(1)\",\"origName\":\"PC_BITS\","
    "\"direction\":\"NONE\",\"varType\":\"LPARAM\",\"isSigPublic\":false,\"valuep\":[{\"type\":\"CONST\","
    "\"name\":\"32'sh8\"}]},"
    "{\"type\":\"VAR\",\"name\":\"clk_i\",\"dtypep\":\"(2)\",\"origName\":\"clk_i\",\"direction\":\"INPUT\","
    "\"varType\":\"PORT\",\"isSigPublic\":false,\"valuep\":[]},"
    "{\"type\":\"VAR\",\"name\":\"pc_i\",\"dtypep\":\"(3)\",\"origName\":\"pc_i\",\"direction\":\"INPUT\","
    "\"varType\":\"PORT\",\"isSigPublic\":false,\"valuep\":[]},"
    "{\"type\":\"VAR\",\"name\":\"record_o\",\"dtypep\":\"(R4)\",\"origName\":\"record_o\","
    "\"direction\":\"OUTPUT\",\"varType\":\"PORT\",\"isSigPublic\":false,\"valuep\":[]},"
    "{\"type\":\"VAR\",\"name\":\"table_q\",\"dtypep\":\"(5)\",\"origName\":\"table_q\","
    "\"direction\":\"NONE\",\"varType\":\"VAR\",\"isSigPublic\":false,\"valuep\":[]},"
    "{\"type\":\"VAR\",\"name\":\"state_q\",\"dtypep\":\"(R8)\",\"origName\":\"state_q\","
    "\"direction\":\"NONE\",\"varType\":\"VAR\",\"isSigPublic\":false,\"valuep\":[]},"
    "{\"type\":\"VAR\",\"name\":\"a.b\",\"dtypep\":\"(2)\",\"origName\":\"a__02eb\","
    "\"direction\":\"NONE\",\"varType\":\"VAR\",\"isSigPublic\":false,\"valuep\":[]},"
    "{\"type\":\"BEGIN\",\"name\":\"part[0]\",\"stmtsp\":[{\"type\":\"CELL\",\"name\":\"inner\","
    "\"modp\":\"(K)\"}]},"
    "{\"type\":\"FUNC\",\"name\":\"f\",\"stmtsp\":[{\"type\":\"VAR\",\"name\":\"text\",\"dtypep\":\"(S)\","
    "\"origName\":\"text\",\"direction\":\"NONE\",\"varType\":\"VAR\",\"isSigPublic\":false,"
    "\"valuep\":[]}]}"
    "]},"
    "{\"type\":\"MODULE\",\"name\":\"leaf__K1\",\"addr\":\"(K)\",\"origName\":\"leaf\",\"level\":3,"
    "\"stmtsp\":["
    "{\"type\":\"VAR\",\"name\":\"states_q\",\"dtypep\":\"(7)\",\"origName\":\"states_q\","
    "\"direction\":\"NONE\",\"varType\":\"VAR\",\"isSigPublic\":false,\"valuep\":[]}"
    "]}"
    "],\"miscsp\":[{\"type\":\"TYPETABLE\",\"typesp\":["
    "{\"type\":\"BASICDTYPE\",\"name\":\"int\",\"addr\":\"(1)\",\"dtypep\":\"(1)\",\"keyword\":\"int\","
    "\"range\":\"31:0\"},"
    "{\"type\":\"BASICDTYPE\",\"name\":\"logic\",\"addr\":\"(2)\",\"dtypep\":\"(2)\",\"keyword\":\"logic\"},"
    "{\"type\":\"BASICDTYPE\",\"name\":\"logic\",\"addr\":\"(3)\",\"dtypep\":\"(3)\",\"keyword\":\"logic\","
    "\"range\":\"31:0\"},"
    "{\"type\":\"BASICDTYPE\",\"name\":\"logic\",\"addr\":\"(6)\",\"dtypep\":\"(6)\",\"keyword\":\"logic\","
    "\"range\":\"1:0\"},"
    "{\"type\":\"BASICDTYPE\",\"name\":\"string\",\"addr\":\"(S)\",\"dtypep\":\"(S)\",\"keyword\":\"string\"}"
    ","
    "{\"type\":\"ENUMDTYPE\",\"name\":\"mine::state_t\",\"addr\":\"(8)\",\"dtypep\":\"(8)\","
    "\"refDTypep\":\"(6)\",\"itemsp\":[{\"type\":\"ENUMITEM\",\"name\":\"IDLE\","
    "\"valuep\":[{\"type\":\"CONST\",\"name\":\"2'h1\"}]},{\"type\":\"ENUMITEM\",\"name\":\"TURN\","
    "\"valuep\":[{\"type\":\"CONST\",\"name\":\"2'h2\"}]}]},"
    "{\"type\":\"REFDTYPE\",\"name\":\"state_t\",\"addr\":\"(R8)\",\"dtypep\":\"(8)\",\"refDTypep\":\"(8)\"},"
    "{\"type\":\"REFDTYPE\",\"name\":\"record_t\",\"addr\":\"(R4)\",\"dtypep\":\"(4)\",\"refDTypep\":\"(4)\"}"
    ","
    "{\"type\":\"STRUCTDTYPE\",\"name\":\"record_t\",\"addr\":\"(4)\",\"dtypep\":\"(4)\",\"packed\":true,"
    "\"membersp\":[{\"type\":\"MEMBERDTYPE\",\"name\":\"state\",\"dtypep\":\"(R8)\",\"refDTypep\":\"(R8)\"},"
    "{\"type\":\"MEMBERDTYPE\",\"name\":\"last\",\"dtypep\":\"(6)\",\"refDTypep\":\"(6)\"}]},"
    "{\"type\":\"UNPACKARRAYDTYPE\",\"name\":\"\",\"addr\":\"(5)\",\"dtypep\":\"(5)\",\"refDTypep\":\"(3)\","
    "\"rangep\":[{\"type\":\"RANGE\",\"leftp\":[{\"type\":\"CONST\",\"name\":\"32'h0\"}],"
    "\"rightp\":[{\"type\":\"CONST\",\"name\":\"32'h1ff\"}]}]},"
    "{\"type\":\"UNPACKARRAYDTYPE\",\"name\":\"\",\"addr\":\"(7)\",\"dtypep\":\"(7)\",\"refDTypep\":\"(R8)\","
    "\"rangep\":[{\"type\":\"RANGE\",\"leftp\":[{\"type\":\"CONST\",\"name\":\"32'h0\"}],"
    "\"rightp\":[{\"type\":\"CONST\",\"name\":\"32'h3\"}]}]}"
    "]}]}";

/* As written by 5.051. */
static const char new_json[] =
    "{\"type\":\"NETLIST\",\"modulesp\":["
    "{\"type\":\"MODULE\",\"name\":\"top\",\"addr\":\"(E)\",\"origName\":\"top\",\"level\":1,\"stmtsp\":["
    "{\"type\":\"VAR\",\"name\":\"WARPS\",\"dtypep\":\"(1)\",\"origName\":\"WARPS\",\"direction\":\"NONE\","
    "\"varType\":\"GPARAM\",\"valuep\":[{\"type\":\"CONST\",\"name\":\"32'sh10\"}]},"
    "{\"type\":\"VAR\",\"name\":\"PC_BITS\",\"dtypep\":\"(1)\",\"origName\":\"PC_BITS\","
    "\"direction\":\"NONE\",\"varType\":\"LPARAM\",\"valuep\":[{\"type\":\"CONST\",\"name\":\"32'sh8\"}]},"
    "{\"type\":\"VAR\",\"name\":\"clk_i\",\"dtypep\":\"(2)\",\"origName\":\"clk_i\",\"direction\":\"INPUT\","
    "\"varType\":\"PORT\",\"valuep\":[]},"
    "{\"type\":\"VAR\",\"name\":\"pc_i\",\"dtypep\":\"(3)\",\"origName\":\"pc_i\",\"direction\":\"INPUT\","
    "\"varType\":\"PORT\",\"valuep\":[]},"
    "{\"type\":\"VAR\",\"name\":\"record_o\",\"dtypep\":\"(R4)\",\"origName\":\"record_o\","
    "\"direction\":\"OUTPUT\",\"varType\":\"PORT\",\"valuep\":[]},"
    "{\"type\":\"VAR\",\"name\":\"table_q\",\"dtypep\":\"(5)\",\"origName\":\"table_q\","
    "\"direction\":\"NONE\",\"varType\":\"VAR\",\"valuep\":[]},"
    "{\"type\":\"VAR\",\"name\":\"state_q\",\"dtypep\":\"(R8)\",\"origName\":\"state_q\","
    "\"direction\":\"NONE\",\"varType\":\"VAR\",\"valuep\":[]},"
    "{\"type\":\"VAR\",\"name\":\"a.b\",\"dtypep\":\"(2)\",\"origName\":\"a__02eb\","
    "\"direction\":\"NONE\",\"varType\":\"VAR\",\"verilogName\":\"\\\\a.b \",\"valuep\":[]},"
    "{\"type\":\"GENBLOCK\",\"name\":\"part[0]\",\"itemsp\":[{\"type\":\"CELL\",\"name\":\"inner\","
    "\"modp\":\"(K)\"}]},"
    "{\"type\":\"FUNC\",\"name\":\"f\",\"stmtsp\":[{\"type\":\"VAR\",\"name\":\"local\",\"dtypep\":\"(2)\","
    "\"origName\":\"local\",\"direction\":\"NONE\",\"varType\":\"VAR\",\"valuep\":[]}]}"
    "]},"
    "{\"type\":\"MODULE\",\"name\":\"leaf__K1\",\"addr\":\"(K)\",\"origName\":\"leaf\",\"level\":2,"
    "\"stmtsp\":["
    "{\"type\":\"VAR\",\"name\":\"states_q\",\"dtypep\":\"(7)\",\"origName\":\"states_q\","
    "\"direction\":\"NONE\",\"varType\":\"VAR\",\"valuep\":[]}"
    "]}"
    "],\"miscsp\":[{\"type\":\"TYPETABLE\",\"typesp\":["
    "{\"type\":\"BASICDTYPE\",\"name\":\"int\",\"addr\":\"(1)\",\"dtypep\":\"(1)\",\"keyword\":\"int\","
    "\"range\":\"31:0\"},"
    "{\"type\":\"BASICDTYPE\",\"name\":\"logic\",\"addr\":\"(2)\",\"dtypep\":\"(2)\",\"keyword\":\"logic\"},"
    "{\"type\":\"BASICDTYPE\",\"name\":\"logic\",\"addr\":\"(3)\",\"dtypep\":\"(3)\",\"keyword\":\"logic\","
    "\"range\":\"31:0\"},"
    "{\"type\":\"BASICDTYPE\",\"name\":\"logic\",\"addr\":\"(6)\",\"dtypep\":\"(6)\",\"keyword\":\"logic\","
    "\"range\":\"1:0\"},"
    "{\"type\":\"BASICDTYPE\",\"name\":\"string\",\"addr\":\"(S)\",\"dtypep\":\"(S)\",\"keyword\":\"string\"}"
    ","
    "{\"type\":\"ENUMDTYPE\",\"name\":\"mine::state_t\",\"addr\":\"(8)\",\"dtypep\":\"(8)\","
    "\"refDTypep\":\"(6)\",\"itemsp\":[{\"type\":\"ENUMITEM\",\"name\":\"IDLE\","
    "\"valuep\":[{\"type\":\"CONST\",\"name\":\"2'h1\"}]},{\"type\":\"ENUMITEM\",\"name\":\"TURN\","
    "\"valuep\":[{\"type\":\"CONST\",\"name\":\"2'h2\"}]}]},"
    "{\"type\":\"REFDTYPE\",\"name\":\"state_t\",\"addr\":\"(R8)\",\"dtypep\":\"(8)\",\"refDTypep\":\"(8)\"},"
    "{\"type\":\"REFDTYPE\",\"name\":\"record_t\",\"addr\":\"(R4)\",\"dtypep\":\"(4)\",\"refDTypep\":\"(4)\"}"
    ","
    "{\"type\":\"STRUCTDTYPE\",\"name\":\"record_t\",\"addr\":\"(4)\",\"dtypep\":\"(4)\",\"packed\":true,"
    "\"membersp\":[{\"type\":\"MEMBERDTYPE\",\"name\":\"state\",\"dtypep\":\"(R8)\",\"refDTypep\":\"(R8)\"},"
    "{\"type\":\"MEMBERDTYPE\",\"name\":\"last\",\"dtypep\":\"(6)\",\"refDTypep\":\"(6)\"}]},"
    "{\"type\":\"UNPACKARRAYDTYPE\",\"name\":\"\",\"addr\":\"(5)\",\"dtypep\":\"(5)\",\"refDTypep\":\"(3)\","
    "\"declRange\":\"[0:511]\",\"rangep\":[{\"type\":\"RANGE\",\"leftp\":[{\"type\":\"CONST\","
    "\"name\":\"32'h0\"}],\"rightp\":[{\"type\":\"CONST\",\"name\":\"32'h1ff\"}]}]},"
    "{\"type\":\"UNPACKARRAYDTYPE\",\"name\":\"\",\"addr\":\"(7)\",\"dtypep\":\"(7)\",\"refDTypep\":\"(R8)\","
    "\"declRange\":\"[0:3]\",\"rangep\":[{\"type\":\"RANGE\",\"leftp\":[{\"type\":\"CONST\","
    "\"name\":\"32'h0\"}],\"rightp\":[{\"type\":\"CONST\",\"name\":\"32'h3\"}]}]}"
    "]}]}";

static const char files[] = "{\"files\":{\"d\":{\"filename\":\"top.sv\",\"realpath\":\"%s/top.sv\"},"
                            "\"a\":{\"filename\":\"<built-in>\",\"realpath\":\"<built-in>\"}}}";

static char *folder;

static int begin(void **state) {
    (void)state;
    folder = spawn_folder();
    char *path = spawn_text("%s/top.sv", folder);
    spawn_write(path, "");
    free(path);
    return 0;
}

static int end(void **state) {
    (void)state;
    spawn_remove_folder(folder);
    return 0;
}

/* Writes a file of the folder; the path, to be freed. */
static char *write_file(const char *name, const char *text) {
    char *path = spawn_text("%s/%s", folder, name);
    spawn_write(path, text);
    return path;
}

static bool read_json(struct verilog_tree *t, const char *text, struct error *e) {
    char *list = spawn_text(files, folder), *tree = write_file("t.json", text),
         *meta = write_file("m.json", list);
    const bool good = verilog_tree_read_json(t, tree, meta, "top", e);
    free(list);
    free(tree);
    free(meta);
    return good;
}

static bool read_xml(struct verilog_tree *t, const char *text, struct error *e) {
    char *path = write_file("t.xml", text);
    const bool good = verilog_tree_read_xml(t, path, e);
    free(path);
    return good;
}

/* --- contents --- */

static void see(void *context, const char *path, const struct verilog_entry *v,
                const struct verilog_type *type, const struct verilog_type *enumeration) {
    FILE *out = context;
    (void)type;
    fprintf(out, "%s%s%s%s\n", path, v->parameter ? " (parameter)" : "", enumeration ? ": " : "",
            enumeration ? enumeration->name : "");
}

/* Returns all paths of the design, as text to be freed. */
static char *paths(const struct verilog_tree *t) {
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    verilog_tree_walk(t, see, out);
    fclose(out);
    return text;
}

static unsigned bits(const struct verilog_tree *t, const char *name) {
    const struct verilog_entry *v = verilog_tree_find(t, name);
    assert_non_null(v);
    return verilog_tree_bits(t, v->type);
}

static void assert_tree(const struct verilog_tree *t) {
    char *wanted = spawn_text("WARPS (parameter)\nPC_BITS (parameter)\nclk_i\npc_i\nrecord_o\n"
                              "record_o state: mine::state_t\nrecord_o last\ntable_q\n"
                              "state_q: mine::state_t\na.b\npart[0] inner states_q: mine::state_t\n");
    char *all = paths(t), *file = spawn_text("%s/top.sv\n", folder);
    assert_string_equal(all, wanted);
    assert_string_equal(t->files, file);
    assert_int_equal(bits(t, "clk_i"), 1);
    assert_int_equal(bits(t, "pc_i"), 32);
    assert_int_equal(bits(t, "record_o"), 4);
    assert_int_equal(bits(t, "state_q"), 2);
    assert_int_equal(bits(t, "table_q"), 0);
    assert_int_equal(verilog_tree_type(t, verilog_tree_find(t, "table_q")->type)->bits, 512);
    assert_int_equal(verilog_tree_find(t, "WARPS")->value, 16);
    assert_false(verilog_tree_find(t, "WARPS")->local);
    assert_int_equal(verilog_tree_find(t, "PC_BITS")->value, 8);
    assert_true(verilog_tree_find(t, "PC_BITS")->local);
    assert_int_equal(verilog_tree_find(t, "pc_i")->direction, 'i');
    assert_int_equal(verilog_tree_find(t, "record_o")->direction, 'o');
    assert_string_equal(verilog_tree_find(t, "a.b")->mangled, "a__02eb");
    assert_null(verilog_tree_find(t, "states_q")); /* not in the top module */
    assert_null(verilog_tree_find(t, "local"));
    free(wanted);
    free(all);
    free(file);
}

static void xml_is_read(void **state) {
    (void)state;
    struct verilog_tree t;
    struct error e = {0};
    char *text = spawn_text(xml, folder);
    assert_true(read_xml(&t, text, &e));
    assert_tree(&t);
    assert_false(verilog_tree_is_dynamic(&t));
    verilog_tree_free(&t);
    free(text);
}

static void json_is_read(void **state) {
    (void)state;
    struct verilog_tree t;
    struct error e = {0};
    assert_true(read_json(&t, new_json, &e));
    assert_tree(&t);
    assert_false(verilog_tree_is_dynamic(&t));
    verilog_tree_free(&t);
    assert_true(read_json(&t, old_json, &e));
    assert_tree(&t);
    assert_true(verilog_tree_is_dynamic(&t)); /* the string of its function */
    verilog_tree_free(&t);
}

/* Each prefix of a dump, and one with bytes changed, is refused or read; it never crashes. */
static void a_dump_cut_short_is_an_error(void **state) {
    (void)state;
    struct verilog_tree t;
    char *whole = spawn_text(xml, folder);
    for (size_t n = 0; n < strlen(whole) - 1; n += 7) {
        struct error e = {0};
        char *text = strndup(whole, n);
        assert_false(read_xml(&t, text, &e));
        assert_non_null(strstr(e.message, "was cut short: is there room on the disk of "));
        verilog_tree_free(&t);
        free(text);
    }
    for (size_t n = 0; n < strlen(new_json) - 1; n += 7) {
        struct error e = {0};
        char *text = strndup(new_json, n);
        assert_false(read_json(&t, text, &e));
        assert_non_null(strstr(e.message, "was cut short"));
        verilog_tree_free(&t);
        free(text);
    }
    for (size_t n = 0; n < strlen(new_json); n += 3) {
        struct error e = {0};
        char *text = strdup(new_json);
        text[n] = 'x';
        read_json(&t, text, &e);
        verilog_tree_is_dynamic(&t);
        free(paths(&t));
        verilog_tree_free(&t);
        free(text);
    }
    free(whole);
}

/* --- VCD --- */

static const char vcd[] =
    "$version by hand $end\n$timescale 1ps $end\n"
    " $scope module rtl $end\n  $var wire 1 ! clk_i $end\n"
    "  $scope module top $end\n   $var wire 1 ! clk_i $end\n"
    "   $var wire 32 # WARPS [31:0] $end\n   $var parameter 32 $ P [31:0] $end\n"
    "   $var wire 40 ab table_q[3] [39:0] $end\n   $var real 64 % r $end\n"
    "   $scope struct record_o $end\n    $var wire 2 ' state [1:0] $end\n   $upscope $end\n"
    "   $scope module part[0] $end\n    $var wire 2 ( states_q[1] [1:0] $end\n"
    "   $upscope $end\n   $var wire 1 ) \\a.b $end\n  $upscope $end\n $upscope $end\n"
    "$enddefinitions $end\n\n#1\n1!\n"
    "b1000000000000000000000000000000000000011 ab\nr0.5 %\nb10 '\nb01 (\n1)\n";

static const struct verilated_enum state_type = {"state_t", 0, NULL, NULL};
static const struct verilated_inside_type known[] = {
    {"WARPS", NULL}, {"record_o state", &state_type}, {"part[0] states_q", &state_type}, {NULL, NULL}};

static const struct verilated_inside *inside(const struct verilated_vcd *v, const char *path) {
    for (unsigned n = 0; n < v->all.count; ++n)
        if (strcmp(v->all.inside[n].path, path) == 0) return &v->all.inside[n];
    fail_msg("there is no %s", path);
    return NULL;
}

static void a_vcd_is_read(void **state) {
    (void)state;
    struct verilated_vcd v;
    double half;
    verilated_vcd_init(&v, "top", known);
    assert_true(verilated_vcd_read(&v, vcd));
    assert_int_equal(v.all.count, 6); /* neither the ports again, nor parameters */
    const struct verilated_inside *row = inside(&v, "table_q[3]"), *r = inside(&v, "r"),
                                  *s = inside(&v, "record_o state"),
                                  *part = inside(&v, "part[0] states_q[1]"), *odd = inside(&v, "a.b");
    assert_int_equal(v.now[row->word], 3);
    assert_int_equal(v.now[row->word + 1], 0x80);
    assert_int_equal(row->bits, 40);
    memcpy(&half, v.now + r->word, sizeof half);
    assert_true(r->real && half == 0.5);
    assert_ptr_equal(s->type, &state_type);
    assert_ptr_equal(part->type, &state_type);
    assert_null(row->type);
    assert_int_equal(v.now[s->word], 2);
    assert_int_equal(v.now[odd->word], 1);
    assert_true(verilated_vcd_read(&v, "#2\n0)\nb11 '\n0unknown\n"));
    assert_int_equal(v.now[odd->word], 0);
    assert_int_equal(v.now[s->word], 3);
    assert_int_equal(v.now[row->word], 3);    /* unchanged */
    assert_true(verilated_vcd_read(&v, vcd)); /* opened again: the same signals */
    assert_int_equal(v.all.count, 6);
    assert_int_equal(v.now[s->word], 2);
    verilated_vcd_free(&v);
}

static void odd_text_is_no_vcd(void **state) {
    (void)state;
    for (size_t n = 0; n < sizeof vcd; ++n) {
        struct verilated_vcd v;
        char *text = strdup(vcd);
        text[n % (sizeof vcd - 1)] = '$';
        verilated_vcd_init(&v, "top", known);
        verilated_vcd_read(&v, text);
        verilated_vcd_free(&v);
        text[n] = '\0';
        verilated_vcd_init(&v, "top", NULL);
        verilated_vcd_read(&v, text);
        verilated_vcd_free(&v);
        free(text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(xml_is_read, begin, end),
        cmocka_unit_test_setup_teardown(json_is_read, begin, end),
        cmocka_unit_test_setup_teardown(a_dump_cut_short_is_an_error, begin, end),
        cmocka_unit_test(a_vcd_is_read),
        cmocka_unit_test(odd_text_is_no_vcd),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
