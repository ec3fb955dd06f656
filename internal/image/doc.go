// Package image holds the Dockerfile against a linter, and runs what goes into the image: it is built as the file says,
// is one static program, and answers its own health check. So it does with what else is made of all modules: the list
// of Dependabot, and the versions that they require.
package image
