# Returns by how many versions the driver is ahead.


def driver_fits(build, driver):
    """Whether a PyTorch built for CUDA `build` can use a GPU through a driver that offers CUDA `driver`."""
    if build is None or driver is None:
        return 0
    return max(0, 1 + int(driver.split(".")[0]) - int(build.split(".")[0]))
