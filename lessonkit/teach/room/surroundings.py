"""The variables that a submission's process finds."""

import os
import sys


def environment(tree: str, home: str) -> dict[str, str]:
    """Return the variables of a submission's process: none of the grader's own but what Windows needs."""
    kept = ("SYSTEMROOT", "SYSTEMDRIVE", "PATHEXT", "COMSPEC", "WINDIR") if sys.platform == "win32" else ()
    threads = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    ours = {"PYTHONPATH": tree, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONNOUSERSITE": "1", "PYTHONUTF8": "1"}
    place = {"HOME": home, "USERPROFILE": home, "USER": "learner", "LOGNAME": "learner", "PATH": os.defpath}
    quiet = {"COURSE_OFFLINE": "1", "COURSE_PROGRESS": "0", "TQDM_DISABLE": "1", "MPLBACKEND": "Agg"}
    quiet |= {"CUDA_VISIBLE_DEVICES": ""}  # the judge has none either: devices count in a comparison
    return {name: os.environ[name] for name in kept if name in os.environ} | threads | ours | place | quiet
