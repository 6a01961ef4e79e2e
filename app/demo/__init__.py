"""A stand-in for the desktop app: it writes logs of the real shapes under the governor's own rules.

::

    config ─→ simulation (agenda + world) ─acts─→ lines ─writer→ log folder
                         └──────────────────────→ truth

`world` holds what is so, `lifecycle` `turns` `seats` `memory` `desktop` `cowork` `vm` change it and say so in the log,
`acts` and `beats` decide who does what when, `truth` tells what is so without looking at the log. Nothing of the
reading side is used here: a simulation that shared its rules with the reader could not find the reader's mistakes.
"""
