"""Symptoms of a misbehaving group and their possible causes, for people and for tools."""
