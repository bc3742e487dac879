"""How often symbol anchors are right: real histories, layout, mutations, a formatter's day."""
