# Single changes of a Verilog or C source, one a line: LINE-NUMBER, TAB, what was changed, TAB, the changed line.
# Operators, constants, conditions, assignments left out. Not changed: comments, ports and parameters, preprocessor
# lines, error messages; of a header all but inline functions. Usage: awk -v language=verilog|c|header -f scripts/mutate.awk FILE
BEGIN {
    count = split("&& ||\t|| &&\t== !=\t!= ==\t>= >\t<= >\t> >=\t< <=\t+ -\t- +\t& |\t| &\t? &&!1?", pairs, "\t")
    for (n = 1; n <= count; n++) {
        split(pairs[n], pair, " ")
        from[n] = " " pair[1] " "
        to[n] = " " pair[2] " "
    }
    constants = split("1'b0=1'b1 1'b1=1'b0 (1)=(2) (0)=(1) 1=0 '0='1", constant, " ")
    inside = language == "c"
}

function emit(what, text) { print NR "\t" what "\t" text }

# Each occurrence of `old` alone.
function each(old, new,    done, rest, at) {
    done = ""
    rest = code
    while ((at = index(rest, old)) > 0) {
        if (old != "!" || substr(rest, at + 1, 1) != "=")
            emit(old " -> " new, done substr(rest, 1, at - 1) new substr(rest, at + length(old)) comment)
        done = done substr(rest, 1, at + length(old) - 1)
        rest = substr(rest, at + length(old))
    }
}

# The condition of an `if`, up to its closing bracket.
function condition(    start, depth, at, c) {
    if (!match(code, /if \(/)) return
    start = RSTART + RLENGTH
    depth = 1
    for (at = start; depth > 0 && at <= length(code); at++) {
        c = substr(code, at, 1)
        depth += c == "(" ? 1 : c == ")" ? -1 : 0
    }
    emit("condition -> true", substr(code, 1, start - 1) "1" substr(code, at - 1) comment)
    emit("condition -> false", substr(code, 1, start - 1) "0" substr(code, at - 1) comment)
}

{
    code = $0
    comment = ""
    if (at = index(code, language == "verilog" ? "//" : "/*")) {
        comment = substr(code, at)
        code = substr(code, 1, at - 1)
    }
}
language == "verilog" && /^\) *;|^\);/ { inside = 1; next }
language == "header" && /^static inline |^}/ { inside = /^static/; next }
!inside || code ~ /^ *$|^#|^}|invariant|"|\$error|gen_illegal|^ *(logic|static const|const static) |always_|^[a-z].*\{$|^ *[*]/ { next }
{
    clocked = code ~ /[a-z_] <= /
    for (n = 1; n <= count; n++) {
        if (from[n] == " <= " && clocked) continue
        each(from[n], to[n])
    }
    condition()
    each("!", "")
    each("~", "")
    if (language == "verilog") {
        each("'0", "'1"); each("1'b0", "1'b1"); each("1'b1", "1'b0"); each("'(1)", "'(2)")
        each("WARPS - 1", "WARPS - 2"); each(" = 0;", " = 1;")
        if (match(code, /[a-z_]+(\[[a-z]\])? *(<=|=) /) && code ~ /^ *[a-z_]+(\[[a-z]\])? *(<=|=) .*;/) emit("left out", "")
    } else {
        each("1ull", "2ull"); each("2ull", "1ull"); each(" : 0;", " : 1;"); each(" = false", " = true"); each(" - 1", " - 2")
        each(" = 0;", " = 1;"); each("0; k <", "1; k <"); each("++", "--"); each("> 0", "> 1");
        if (code ~ /^ *[a-z*][^()]* ([-+|&]?=) .*;|^ *\+\+.*;/ && code !~ /^ *(const|static|unsigned|uint|return|for|while)/) emit("left out", "    ;")
    }
}
