"""How each kind of event changes the state, one module for each part of the state it mostly touches."""
