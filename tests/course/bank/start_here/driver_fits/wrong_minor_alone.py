# Takes what stands behind the dot.


def driver_fits(build, driver):
    """Whether a PyTorch built for CUDA `build` can use a GPU through a driver that offers CUDA `driver`."""
    if build is None or driver is None:
        return False
    return int(driver.split(".")[1]) >= int(build.split(".")[1])
