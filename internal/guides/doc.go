// Package guides runs what the pages of docs/guides and docs/reference/signing.md tell their readers to run: commands in
// a shell with curl, and endpoints in Go, PHP, Node and Python.
package guides
