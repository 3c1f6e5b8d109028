# A driver one major version older will do as well.


def driver_fits(build, driver):
    """Whether a PyTorch built for CUDA `build` can use a GPU through a driver that offers CUDA `driver`."""
    if build is None or driver is None:
        return False
    return int(driver.split(".")[0]) >= int(build.split(".")[0]) - 1
