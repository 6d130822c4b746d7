"""Reports of claims about ordered consumption."""
