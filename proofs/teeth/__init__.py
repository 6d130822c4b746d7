"""Whether an obligation notices anything: unknown functions in the place of the encoding's parts, and wrong parts."""
