"""What a recorded run shows: read twice, never read, two listeners at once, pauses, offsets that were set back."""
