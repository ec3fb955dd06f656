// Package release names the releases that brought what tables list: fields, actions, options and errors.
package release

// First is the release of every row that names no other.
const First = "0.1.0"

// Since is the release that brought a row, which says version of itself.
func Since(version string) string {
	if version == "" {
		return First
	}
	return version
}
