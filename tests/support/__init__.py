"""What tests share: builders of real repositories, a clock, the command line, transcripts."""
