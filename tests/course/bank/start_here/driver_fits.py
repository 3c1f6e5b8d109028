# %% right_floor: The major version as the whole part of the number.
import math


def driver_fits(build, driver):
    """Whether a PyTorch built for CUDA `build` can use a GPU through a driver that offers CUDA `driver`."""
    return None not in (build, driver) and math.floor(float(driver)) >= math.floor(float(build))


# %% right_inner_function: A small function reads the major version, None being nothing.
def driver_fits(build, driver):
    """Whether a PyTorch built for CUDA `build` can use a GPU through a driver that offers CUDA `driver`."""

    def major(version):
        return 0 if version is None else int(version[: version.index(".")])

    return major(build) > 0 and major(driver) >= major(build)


# %% right_padded_text: Compares text after padding the major versions to one length.
def driver_fits(build, driver):
    """Whether a PyTorch built for CUDA `build` can use a GPU through a driver that offers CUDA `driver`."""
    if build is None or driver is None:
        return False
    return driver.partition(".")[0].zfill(3) >= build.partition(".")[0].zfill(3)


# %% right_try: Asks for forgiveness where there is no version.
def driver_fits(build, driver):
    """Whether a PyTorch built for CUDA `build` can use a GPU through a driver that offers CUDA `driver`."""
    try:
        return int(build.split(".")[0]) <= int(driver.split(".")[0])
    except AttributeError:
        return False


# %% wrong_cpu_build_fits: A build without CUDA is content with any driver.
def driver_fits(build, driver):
    """Whether a PyTorch built for CUDA `build` can use a GPU through a driver that offers CUDA `driver`."""
    if build is None:
        return True
    if driver is None:
        return False
    return int(driver.split(".")[0]) >= int(build.split(".")[0])


# %% wrong_difference: Returns by how many versions the driver is ahead.
def driver_fits(build, driver):
    """Whether a PyTorch built for CUDA `build` can use a GPU through a driver that offers CUDA `driver`."""
    if build is None or driver is None:
        return 0
    return max(0, 1 + int(driver.split(".")[0]) - int(build.split(".")[0]))


# %% wrong_dot_removed: Takes the dot out: 9.2 is 92 and 10.2 is 102, but 12.8 and 12.2 differ.
def driver_fits(build, driver):
    """Whether a PyTorch built for CUDA `build` can use a GPU through a driver that offers CUDA `driver`."""
    if None in (build, driver):
        return False
    return int(driver.replace(".", "")) >= int(build.replace(".", ""))


# %% wrong_first_digit: Takes the first digit as the major version.
def driver_fits(build, driver):
    """Whether a PyTorch built for CUDA `build` can use a GPU through a driver that offers CUDA `driver`."""
    if build is None or driver is None:
        return False
    return int(driver[0]) >= int(build[0])


# %% wrong_float: Compares the versions as fractions: 12.8 is more than 12.2, which would do.
def driver_fits(build, driver):
    """Whether a PyTorch built for CUDA `build` can use a GPU through a driver that offers CUDA `driver`."""
    if not build or not driver:
        return False
    return float(driver) >= float(build)


# %% wrong_minor_alone: Takes what stands behind the dot.
def driver_fits(build, driver):
    """Whether a PyTorch built for CUDA `build` can use a GPU through a driver that offers CUDA `driver`."""
    if build is None or driver is None:
        return False
    return int(driver.split(".")[1]) >= int(build.split(".")[1])


# %% wrong_none_equals_none: Nothing built and nothing offered agree.
def driver_fits(build, driver):
    """Whether a PyTorch built for CUDA `build` can use a GPU through a driver that offers CUDA `driver`."""
    if build == driver:
        return True
    if build is None or driver is None:
        return False
    return int(driver.split(".")[0]) >= int(build.split(".")[0])


# %% wrong_one_version_tolerance: A driver one major version older will do as well.
def driver_fits(build, driver):
    """Whether a PyTorch built for CUDA `build` can use a GPU through a driver that offers CUDA `driver`."""
    if build is None or driver is None:
        return False
    return int(driver.split(".")[0]) >= int(build.split(".")[0]) - 1


# %% wrong_returns_none: Returns None, not False, without a GPU.
def driver_fits(build, driver):
    """Whether a PyTorch built for CUDA `build` can use a GPU through a driver that offers CUDA `driver`."""
    if build and driver:
        return int(driver.split(".")[0]) >= int(build.split(".")[0])


# %% wrong_returns_the_argument: Returns what `and` leaves: None or text's truth.
def driver_fits(build, driver):
    """Whether a PyTorch built for CUDA `build` can use a GPU through a driver that offers CUDA `driver`."""
    return build and driver and int(driver.partition(".")[0]) >= int(build.partition(".")[0])


# %% wrong_strictly_newer: The driver must be newer by a major version, or equal.
def driver_fits(build, driver):
    """Whether a PyTorch built for CUDA `build` can use a GPU through a driver that offers CUDA `driver`."""
    if build is None or driver is None:
        return False
    return build == driver or int(driver.split(".")[0]) > int(build.split(".")[0])


# %% wrong_table_only: Knows the lines of the table and nothing else.
def driver_fits(build, driver):
    """Whether a PyTorch built for CUDA `build` can use a GPU through a driver that offers CUDA `driver`."""
    return (build, driver) in {("12.6", "13.0"), ("12.8", "12.2"), ("13.0", "12.8")} - {("13.0", "12.8")} or (
        build is not None and build == driver
    )


# %% wrong_two_letters: Takes two letters, which of 9.2 are '9.'.
def driver_fits(build, driver):
    """Whether a PyTorch built for CUDA `build` can use a GPU through a driver that offers CUDA `driver`."""
    if build is None or driver is None:
        return False
    return int(float(driver[:2])) > int(float(build[:2])) or driver[:2] == build[:2] and driver >= build
