"""What leaves Seatwatch in the forms of others: tables, traces, pictures."""
