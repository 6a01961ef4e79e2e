"""Durable events and checkpoints in one SQLite file: the only part that knows SQLModel, SQLAlchemy and Alembic."""
