# Takes the dot out: 9.2 is 92 and 10.2 is 102, but 12.8 and 12.2 differ.


def driver_fits(build, driver):
    """Whether a PyTorch built for CUDA `build` can use a GPU through a driver that offers CUDA `driver`."""
    if None in (build, driver):
        return False
    return int(driver.replace(".", "")) >= int(build.replace(".", ""))
