"""The pure core: values in, values out. No I/O, clock, logging, async or third party lives here."""
