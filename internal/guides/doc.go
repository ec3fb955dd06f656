// Package guides runs what the guides and the page about signing tell their readers to run: commands in a shell with
// curl, and endpoints in Go, PHP, Node and Python.
package guides
