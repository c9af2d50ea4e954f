"""The shared library, its errors, and the kernel compiler."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any, Union

from ._ffi import ffi

SONAME = "liblockstep.so.0"
_here = Path(__file__).resolve().parent
# Where the module was built, and an installation: PREFIX/lib/python3/dist-packages/lockstep.
_build, _prefix = _here.parents[1], _here.parents[3]


class Error(Exception):
    """What a function of the library, or the compiler, has to say."""


def _open() -> Any:
    for folder in (_build, _prefix / "lib"):
        if (folder / SONAME).exists():
            return ffi.dlopen(str(folder / SONAME))
    return ffi.dlopen(SONAME)


library = _open()


def message() -> str:
    return ffi.string(library.lockstep_error()).decode(errors="replace")


def check(result: Any) -> Any:
    """Returns what a function of the library returned, if that is neither false, 0 nor NULL."""
    if not result:
        raise Error(message())
    return result


def version() -> str:
    """Returns the library's version and the commit that it was built from."""
    return ffi.string(library.lockstep_version()).decode()


def _compiler() -> str:
    for path in (_build / "lockstep-cc", _prefix / "bin" / "lockstep-cc"):
        if os.access(path, os.X_OK):
            return str(path)
    found = shutil.which("lockstep-cc")
    if not found:
        raise Error("lockstep-cc is missing: it is not on PATH; install Lockstep's commands")
    return found


def build(source: Union[str, os.PathLike], image: Union[str, os.PathLike, None] = None, options: str = "",
          flags: str = "") -> str:
    """Compiles OpenCL C to an image for Machine and returns its path: by default beside the source, FILE.img.

    options: as for clBuildProgram. flags: options of lockstep-cc ("--mode=simt --warp-size=16"). Error has the
    compiler's messages."""
    path = os.fspath(source)
    out = os.fspath(image) if image is not None else os.path.splitext(path)[0] + ".img"
    done = subprocess.run([_compiler(), "-o", out, f"--options={options}", *shlex.split(flags), "--name=" + path, path],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode:
        raise Error(done.stderr.strip() or f"lockstep-cc ended with {done.returncode}")
    return out
