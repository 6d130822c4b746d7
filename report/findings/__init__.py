"""The findings page of the docs: failures that users can meet, each with a picture of its smallest example."""
