# Takes two letters, which of 9.2 are '9.'.


def driver_fits(build, driver):
    """Whether a PyTorch built for CUDA `build` can use a GPU through a driver that offers CUDA `driver`."""
    if build is None or driver is None:
        return False
    return int(float(driver[:2])) > int(float(build[:2])) or driver[:2] == build[:2] and driver >= build
