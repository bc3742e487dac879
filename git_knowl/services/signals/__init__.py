"""What a commit says that is worth a flag: pure rules first, then the flags made by them."""
