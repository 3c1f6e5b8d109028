# A small function reads the major version, None being nothing.


def driver_fits(build, driver):
    """Whether a PyTorch built for CUDA `build` can use a GPU through a driver that offers CUDA `driver`."""

    def major(version):
        return 0 if version is None else int(version[: version.index(".")])

    return major(build) > 0 and major(driver) >= major(build)
