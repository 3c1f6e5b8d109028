# The major version as the whole part of the number.
import math


def driver_fits(build, driver):
    """Whether a PyTorch built for CUDA `build` can use a GPU through a driver that offers CUDA `driver`."""
    return None not in (build, driver) and math.floor(float(driver)) >= math.floor(float(build))
