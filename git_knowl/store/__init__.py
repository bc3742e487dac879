"""Floor 3: knowledge on refs: layout, snapshot, transaction, inbox, history and derived cache."""
