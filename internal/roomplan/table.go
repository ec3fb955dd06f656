package roomplan

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// row is what one folder may import of ours.
type row struct {
	from string
	to   []string
}

// offered is the row of what a program of a host may import: the picture begins with that.
const offered = "examples/..."

// readTable reads the literal table `arrows` of a Go file, with the constants it is made of.
func readTable(file string) ([]row, error) {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	values := map[string]ast.Expr{}
	for _, decl := range f.Decls {
		gen, ok := decl.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range gen.Specs {
			if v, ok := spec.(*ast.ValueSpec); ok && len(v.Names) == len(v.Values) {
				for i, name := range v.Names {
					values[name.Name] = v.Values[i]
				}
			}
		}
	}
	table, ok := values["arrows"].(*ast.CompositeLit)
	if !ok {
		return nil, errors.New("roomplan: no table arrows in " + file)
	}
	return rowsOf(table, values)
}

func rowsOf(table *ast.CompositeLit, values map[string]ast.Expr) (rows []row, err error) {
	for _, element := range table.Elts {
		lit, ok := element.(*ast.CompositeLit)
		if !ok {
			return nil, fmt.Errorf("roomplan: a row that is a %T", element)
		}
		var r row
		for _, field := range lit.Elts {
			pair, ok := field.(*ast.KeyValueExpr)
			if !ok {
				return nil, errors.New("roomplan: a field without its name")
			}
			text, err := textOf(pair.Value, values)
			if err != nil {
				return nil, err
			}
			switch pair.Key.(*ast.Ident).Name {
			case "from":
				r.from = text
			case "to":
				r.to = strings.Fields(text)
			}
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// textOf evaluates a text: a literal, a constant, or a sum of them.
func textOf(e ast.Expr, values map[string]ast.Expr) (string, error) {
	switch e := e.(type) {
	case *ast.BasicLit:
		return strconv.Unquote(e.Value)
	case *ast.Ident:
		if value, ok := values[e.Name]; ok {
			return textOf(value, values)
		}
	case *ast.BinaryExpr:
		left, err := textOf(e.X, values)
		if err != nil {
			return "", err
		}
		right, err := textOf(e.Y, values)
		return left + right, err
	}
	return "", fmt.Errorf("roomplan: a text that is a %T", e)
}

// folders are the rows' own folders that a pattern stands for.
func folders(rows []row, pattern string) (list []string) {
	base, below := strings.CutSuffix(pattern, "/...")
	for _, r := range rows {
		if r.from == base || below && strings.HasPrefix(r.from, base+"/") {
			list = append(list, strings.TrimSuffix(r.from, "/..."))
		}
	}
	return list
}

// find is the row of a folder.
func find(rows []row, from string) (row, bool) {
	i := slices.IndexFunc(rows, func(r row) bool { return r.from == from })
	if i < 0 {
		return row{}, false
	}
	return rows[i], true
}
