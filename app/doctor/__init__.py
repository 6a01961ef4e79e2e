"""``seatwatch doctor``: what Seatwatch finds on this machine and what to do about it, without changing anything.

``places → findings → printed | JSON | bundle``. `app.doctor.examine` looks, `app.doctor.findings` is what it says,
`app.doctor.bundle` writes of it what may be sent to others.
"""
