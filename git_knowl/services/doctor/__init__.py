"""What is wrong with a clone, how it is found and the way out of each."""
