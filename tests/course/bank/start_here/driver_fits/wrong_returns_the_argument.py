# Returns what `and` leaves: None or text's truth.


def driver_fits(build, driver):
    """Whether a PyTorch built for CUDA `build` can use a GPU through a driver that offers CUDA `driver`."""
    return build and driver and int(driver.partition(".")[0]) >= int(build.partition(".")[0])
