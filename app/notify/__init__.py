"""Notifications: ``snapshot → core.notices → web.telling → courier → desktop | services``, off until asked for."""
