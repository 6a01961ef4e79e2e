"""what the probes saw.

Revision 0003, after 0002, 2026-11-30. Nothing was kept before it.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

MEASURES = (
    "total_mb", "available_mb", "available_low_mb", "swap_mb", "compressed_mb", "claude_mb", "cowork_mb", "others_mb",
    "processes", "ports", "ports_high", "ports_claude",
)  # fmt: skip


def upgrade() -> None:
    op.create_table(
        "samples",
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("at", sa.Integer(), nullable=False),
        *(sa.Column(name, sa.Integer(), nullable=True) for name in MEASURES),
        sa.PrimaryKeyConstraint("step", "at", name=op.f("pk_samples")),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    op.drop_table("samples")
