"""The four reports beside our results: a list of measurements, the files they are written to, and the page made of them."""
