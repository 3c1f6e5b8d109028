# A build without CUDA is content with any driver.


def driver_fits(build, driver):
    """Whether a PyTorch built for CUDA `build` can use a GPU through a driver that offers CUDA `driver`."""
    if build is None:
        return True
    if driver is None:
        return False
    return int(driver.split(".")[0]) >= int(build.split(".")[0])
