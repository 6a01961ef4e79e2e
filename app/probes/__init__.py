"""What the logs do not say: memory of the machine, processes, connections.

Each probe has a ``look(at)`` that gives a sample of `app.core.samples`, never raises, and only reads: no signal is
sent, nothing is closed. What differs between systems is behind `app.probes.system.System`; what could not be read is
in the sample as unknown, with the reason. A look blocks for some milliseconds, so it belongs into a thread.
"""
