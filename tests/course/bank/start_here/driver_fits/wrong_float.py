# Compares the versions as fractions: 12.8 is more than 12.2, which would do.


def driver_fits(build, driver):
    """Whether a PyTorch built for CUDA `build` can use a GPU through a driver that offers CUDA `driver`."""
    if not build or not driver:
        return False
    return float(driver) >= float(build)
