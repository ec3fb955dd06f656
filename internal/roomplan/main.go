// Command roomplan draws docs/rooms.svg, the packages of a program with Tollgate in it, from the table of imports in
// arrows_test.go: go generate ./internal/roomplan.
package main

import (
	"log"
	"os"
)

//go:generate go run .

// Where the table is and the picture goes, from this folder.
const (
	tableFile   = "../../arrows_test.go"
	pictureFile = "../../docs/rooms.svg"
)

func main() {
	picture, err := draw(tableFile)
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(pictureFile, []byte(picture), 0o644); err != nil {
		log.Fatal(err)
	}
}

// draw makes the picture of a table.
func draw(file string) (string, error) {
	rows, err := readTable(file)
	if err != nil {
		return "", err
	}
	g := graphOf(rows)
	g.foldParts()
	g.foldTwins()
	g.reduce()
	return svg(place(g)), nil
}
