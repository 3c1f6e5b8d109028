"""nbval's kernels end as a learner's do: told to, with time for it. nbval itself kills them where they stand."""

from nbval.kernel import RunningKernel

PATIENCE = 60  # seconds


def stop(self):
    """What `RunningKernel.stop` does, but that the kernel is asked first."""
    self.kc.stop_channels()
    self.km.shutdown_wait_time = PATIENCE
    self.km.shutdown_kernel()
    del self.km


def kernels_end_in_order():
    """From now on, in this process."""
    RunningKernel.stop = stop
