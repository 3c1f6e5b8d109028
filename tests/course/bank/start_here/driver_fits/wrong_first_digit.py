# Takes the first digit as the major version.


def driver_fits(build, driver):
    """Whether a PyTorch built for CUDA `build` can use a GPU through a driver that offers CUDA `driver`."""
    if build is None or driver is None:
        return False
    return int(driver[0]) >= int(build[0])
