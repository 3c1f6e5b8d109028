#!/bin/sh
# Starts start.py with a Python that the wheels of this folder fit.
for python in {names} python3 python; do
    if "$python" -c 'import sys; sys.exit("%d.%d" % sys.version_info[:2] not in "{versions}".split())' 2>/dev/null
    then
        exec "$python" "$(dirname "$0")/start.py" "$@"
    fi
done
echo "This course needs {words}, and none was found. Install it, then start this again." >&2
exit 1
