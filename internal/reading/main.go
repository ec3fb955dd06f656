// Command reading writes the documents of the repository as pages with navigation and search. They need no server: open
// index.html of the folder, or serve it as it is.
//
//	go run ./internal/reading -out DIR
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
)

func main() {
	out := flag.String("out", "", "the folder to write; its files of the same names are replaced")
	root := flag.String("root", ".", "the folder of the repository")
	flag.Parse()
	if *out == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	site, err := read(os.DirFS(*root))
	if err == nil {
		err = site.write(*out)
	}
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(filepath.Join(*out, "index.html"))
}
