"""Writes lockstep/_ffi.py, the declarations of our headers for cffi: make_ffi.py OUT.py HEADER..."""

import re
import sys

import cffi


def declarations(path):
    """Returns a header without the preprocessor's lines and what is for C++ only."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    text = re.sub(r"^#ifdef __cplusplus\n.*?^#endif\n", "", text, flags=re.M | re.S)
    return re.sub(r"^#.*\n", "", text, flags=re.M)


ffi = cffi.FFI()
ffi.cdef("\n".join(declarations(path) for path in sys.argv[2:]))
ffi.set_source("lockstep._ffi", None)
ffi.emit_python_code(sys.argv[1])
