"""What a text is worth: signatures, the tier they give, and what is kept from agents."""
