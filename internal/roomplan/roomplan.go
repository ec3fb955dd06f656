// Package roomplan draws docs/rooms.svg, the packages of a program with Tollgate in it, from the table of imports in
// arrows_test.go.
package roomplan

//go:generate go test . -run ^TestPicture$ -rewrite

// Draw makes the picture of the table `arrows` in a Go file.
func Draw(file string) (string, error) {
	rows, err := readTable(file)
	if err != nil {
		return "", err
	}
	g := graphOf(rows)
	g.foldParts()
	g.foldTwins()
	g.foldParts()
	g.reduce()
	return svg(place(g)), nil
}
