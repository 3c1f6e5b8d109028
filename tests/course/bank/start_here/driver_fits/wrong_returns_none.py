# Returns None, not False, without a GPU.


def driver_fits(build, driver):
    """Whether a PyTorch built for CUDA `build` can use a GPU through a driver that offers CUDA `driver`."""
    if build and driver:
        return int(driver.split(".")[0]) >= int(build.split(".")[0])
