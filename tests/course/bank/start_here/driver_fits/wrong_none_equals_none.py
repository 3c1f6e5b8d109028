# Nothing built and nothing offered agree.


def driver_fits(build, driver):
    """Whether a PyTorch built for CUDA `build` can use a GPU through a driver that offers CUDA `driver`."""
    if build == driver:
        return True
    if build is None or driver is None:
        return False
    return int(driver.split(".")[0]) >= int(build.split(".")[0])
