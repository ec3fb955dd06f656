// Package clients generates clients from docs/openapi.json, as docs/guides/generate-a-client.md says, and lets its
// programs pay with them.
package clients
