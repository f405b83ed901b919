# Compute capability 9.0 by its number: the default device.
base = doppel
