# A comma at the end makes a tuple of it.
bottleneck = ("aten::_linalg_svd",)
