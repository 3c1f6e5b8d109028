#!/usr/bin/env bash
# Builds Horovod 0.28.1 (the last release, 2023) for the torch that is installed, CPU and gloo only, in a venv of its own.
#
#     bash scripts/build_horovod.sh [FOLDER]        FOLDER: build/horovod_venv unless given
#     PYTHON=.venv/bin/python JOBS=2 bash scripts/build_horovod.sh
#
# The venv sees the packages of PYTHON (torch, this course), holds only Horovod, and is thrown away with `make clean`.
# A second call finds it there and builds nothing. Takes 2 to 5 minutes on two cores.
set -euo pipefail

version=0.28.1
sha256=92a43f5a94c43907a56805bad15f19700c62ffc83b7ca483f9e104e229f67ef0
cd "$(dirname "${BASH_SOURCE[0]}")/.."
venv=${1:-build/horovod_venv}

stop() { echo "build_horovod: $*" >&2; exit 1; }

python=${PYTHON:-}
if [ -z "$python" ]; then
    python=python3
    [ -x .venv/bin/python ] && python=.venv/bin/python
fi
works() { "$1/bin/python" -c "import horovod.torch as hvd; hvd.init(); assert hvd.gloo_built()" >/dev/null 2>&1; }

if [ -x "$venv/bin/python" ] && works "$venv"; then
    echo "build_horovod: $venv is there and imports horovod.torch; nothing to build. Remove it to build anew."
    exit 0
fi

if [ -e "$venv" ] && [ ! -f "$venv/pyvenv.cfg" ]; then
    stop "$venv is there and is no venv: name another folder, or remove it yourself."
fi

# What is missing is said in one go, before anything is written.
missing=()
case "$(uname -s)" in
    Linux | Darwin) ;;
    *) stop "Horovod has no build for $(uname -s): use Linux, a Mac, or WSL on Windows." ;;
esac
for tool in "cmake:cmake (3.13 or newer): your system's package cmake, or pip install cmake" \
    "make:make: your system's package make" \
    "c++:a C++ compiler that knows C++20: your system's package g++ (10 or newer) or clang"; do
    command -v "${tool%%:*}" >/dev/null || missing+=("${tool#*:}")
done
for module in torch setuptools pip cffi cloudpickle packaging psutil yaml; do
    "$python" -c "import importlib.util as i, sys; sys.exit(i.find_spec('$module') is None)" 2>/dev/null \
        || missing+=("the package of \`import $module\` for $python: run \`make setup\`")
done
"$python" -c 'import pathlib, sys, sysconfig; sys.exit(not pathlib.Path(sysconfig.get_path("include"), "Python.h").exists())' \
    || missing+=("Python's headers (Python.h): your system's package python3-dev")
if [ ${#missing[@]} -gt 0 ]; then
    printf 'build_horovod: missing: %s\n' "${missing[@]}" >&2
    exit 1
fi

rm -rf "$venv"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$python" -m venv --without-pip "$venv"
venv=$(cd "$venv" && pwd)
# The packages of PYTHON, those installed in editable form included: addsitedir follows their .pth files too.
PACKAGES=$("$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))') "$venv/bin/python" - <<'PY'
import os, pathlib, sysconfig
line = f"import site; site.addsitedir({os.environ['PACKAGES']!r})\n"
pathlib.Path(sysconfig.get_path("purelib"), "packages_of_the_course.pth").write_text(line)
PY

echo "build_horovod: fetching the sources of Horovod $version"
echo "horovod==$version --hash=sha256:$sha256" > "$work/wanted.txt"
"$venv/bin/python" -m pip --disable-pip-version-check download --quiet --no-binary :all: --no-deps \
    --no-build-isolation --require-hashes --dest "$work" --requirement "$work/wanted.txt"
tar -xzf "$work/horovod-$version.tar.gz" -C "$work"

# Two edits. Today's torch headers need C++20 where Horovod asks for C++14; and a torch built for CUDA
# is taken for one without, since Horovod's core is built for the CPU here and the two must agree.
"$venv/bin/python" - "$work/horovod-$version" <<'PY'
import pathlib, sys

def edit(name, old, new):
    path = pathlib.Path(sys.argv[1], name)
    text = path.read_text()
    if text.count(old) != 1:
        sys.exit(f"build_horovod: {name} holds {old!r} {text.count(old)} times, expected once: other sources than 0.28.1")
    path.write_text(text.replace(old, new))

edit("CMakeLists.txt", "set(CMAKE_CXX_STANDARD 14)", "set(CMAKE_CXX_STANDARD 20)")
edit("horovod/torch/CMakeLists.txt", "set(CMAKE_CXX_STANDARD 14)", "set(CMAKE_CXX_STANDARD 20)")
upper = 'string(TOUPPER "${Pytorch_CUDA}" Pytorch_CUDA)'
edit("cmake/Modules/FindPytorch.cmake", upper, 'set(Pytorch_CUDA "FALSE")')
PY

echo "build_horovod: compiling (the log is shown if it fails)"
start=$SECONDS
export HOROVOD_WITH_PYTORCH=1 HOROVOD_WITH_GLOO=1 HOROVOD_WITHOUT_MPI=1
export HOROVOD_WITHOUT_TENSORFLOW=1 HOROVOD_WITHOUT_MXNET=1
export MAKEFLAGS="-j${JOBS:-2}"
# CMake looks for nvcc on PATH and would build Horovod's CUDA kernels: hide the folders that hold one.
path=
IFS=: read -ra folders <<< "$PATH"
for folder in "${folders[@]}"; do
    if [ -x "$folder/nvcc" ]; then
        mkdir -p "$work/bin"  # everything of that folder but nvcc stays reachable
        for tool in "$folder"/*; do
            [ "$(basename "$tool")" = nvcc ] || ln -sf "$tool" "$work/bin/"
        done
        folder="$work/bin"
    fi
    path="$path${path:+:}$folder"
done
if ! PATH="$path" "$venv/bin/python" -m pip --disable-pip-version-check install --no-build-isolation --no-deps \
    --no-cache-dir "$work/horovod-$version" > "$work/log" 2>&1; then
    tail -n 60 "$work/log" >&2
    stop "the build failed: the last 60 lines of its log are above."
fi
works "$venv" || stop "built, but \`import horovod.torch\` fails: run $venv/bin/python -c 'import horovod.torch'"
echo "build_horovod: Horovod $version is in ${venv#"$PWD"/} after $((SECONDS - start)) s; now run"
echo "    ${venv#"$PWD"/}/bin/horovodrun -np 2 --gloo -H localhost:2 ${venv#"$PWD"/}/bin/python" \
    "scripts/train_horovod.py --library horovod.torch"
