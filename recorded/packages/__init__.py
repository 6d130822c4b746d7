"""Compare the model with a client's released package: a Go module, an npm package, or a crate."""
