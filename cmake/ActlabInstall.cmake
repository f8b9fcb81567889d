# Installation, and find_package(actlab) for programs that add their own activations.
