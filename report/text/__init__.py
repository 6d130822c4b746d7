"""Texts and drawings that several reports share: numbers, lines, colours and groups."""
