# Asks for forgiveness where there is no version.


def driver_fits(build, driver):
    """Whether a PyTorch built for CUDA `build` can use a GPU through a driver that offers CUDA `driver`."""
    try:
        return int(build.split(".")[0]) <= int(driver.split(".")[0])
    except AttributeError:
        return False
