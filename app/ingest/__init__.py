"""From files to records: finds the log folder, watches it, follows each file through every rotation. It only reads."""
