# Compares text after padding the major versions to one length.


def driver_fits(build, driver):
    """Whether a PyTorch built for CUDA `build` can use a GPU through a driver that offers CUDA `driver`."""
    if build is None or driver is None:
        return False
    return driver.partition(".")[0].zfill(3) >= build.partition(".")[0].zfill(3)
