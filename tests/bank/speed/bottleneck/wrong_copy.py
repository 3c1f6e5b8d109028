# Names the copy to the CPU.
bottleneck = "aten::copy_"
