package store_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/release"
)

var rewrite = flag.Bool("rewrite", false, "write docs/options.md again")

const optionsFile = "../docs/options.md"

// TestOptionsPage checks that docs/options.md says what the comments of the records say. `go generate ./store`
// writes it again.
func TestOptionsPage(t *testing.T) {
	t.Parallel()
	page, faults := optionsPage(optionStructs(t))
	require.Empty(t, faults)
	if *rewrite {
		require.NoError(t, os.WriteFile(optionsFile, []byte(page), 0o644))
	}
	written, err := os.ReadFile(optionsFile)
	require.NoError(t, err)
	require.Equal(t, page, string(written), "docs/options.md differs from the comments: run go generate ./store")
}

// A comment that says too little is a fault, and each fault has its own text.
func TestOptionsPageCanFail(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, field, fault string }{
		{"whole", "// A does. (SPEC1, Events; default 3)\nA int `json:\"a\"`", ""},
		{"of a later release", "// A does. (ours; since 0.2.0; default 3)\nA int `json:\"a\"`", ""},
		{"no comment", "A int `json:\"a\"`", "T.A: its comment names no source"},
		{"no source", "// A does.\nA int `json:\"a\"`", "T.A: its comment names no source"},
		{"a source that is none", "// A does. (see there)\nA int `json:\"a\"`", `T.A: "see there" is no source`},
		{"no name", "// A does. (ours)\nA int", "T.A: no name in JSON"},
		{"a type without words", "// A does. (ours)\nA chan int `json:\"a\"`", "T.A: a type without words"},
		{"two in one", "// A does. (ours)\nA, B int `json:\"a\"`", "T: a field of its own for each name"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			source := "package store\n\n// T is one.\ntype T struct {\n" + c.field + "\n}\n"
			file, err := parser.ParseFile(token.NewFileSet(), "", source, parser.ParseComments)
			require.NoError(t, err)
			_, faults := optionsOf("T", structsOf(file)["T"].Type.(*ast.StructType))
			if c.fault == "" {
				require.Empty(t, faults)
				return
			}
			require.Equal(t, []string{c.fault}, faults)
		})
	}
}

const optionsHead = `<!-- Written by go generate ./store from the comments of its records. Do not edit. -->

# Options

What a host sets with ` + "`SaveMerchant`, `SaveMapping`, `SaveMID` and `SaveWallets`" + `: every field of the four
records, with its name in Go and in JSON. Values are checked when a record is saved, and the error names every fault.

The source is where the option comes from: SPEC1 or SPEC2 are the platform's two specification documents, a name
that ends in .md is a page of [docs/protocol](protocol/README.md) on what else is published, and a decision is one of
[ours](decisions.md) between sources that disagree. "Our reading" stands where a document only names the option; "ours"
where it does not.
`

// optionRecords are the records in the order of the page, with the file that declares each.
var optionRecords = []struct{ name, file string }{
	{"Merchant", "merchant"},
	{"Mapping", "mapping"}, {"MappingLimits", "mapping"}, {"PreRoute", "mapping"}, {"Additions", "mapping"},
	{"MID", "mid"}, {"Limits", "mid"},
	{"Wallets", "wallets"}, {"AppleWallet", "wallets"}, {"GoogleWallet", "wallets"},
}

func optionStructs(t *testing.T) map[string]*ast.TypeSpec {
	t.Helper()
	all := map[string]*ast.TypeSpec{}
	for _, record := range optionRecords {
		file, err := parser.ParseFile(token.NewFileSet(), record.file+".go", nil, parser.ParseComments)
		require.NoError(t, err)
		for name, spec := range structsOf(file) {
			all[name] = spec
		}
	}
	return all
}

// structsOf returns the structs of a file by name, each with its comment.
func structsOf(file *ast.File) map[string]*ast.TypeSpec {
	found := map[string]*ast.TypeSpec{}
	for _, decl := range file.Decls {
		gen, ok := decl.(*ast.GenDecl)
		if !ok || gen.Tok != token.TYPE {
			continue
		}
		spec := gen.Specs[0].(*ast.TypeSpec)
		if _, ok := spec.Type.(*ast.StructType); ok {
			spec.Doc = gen.Doc
			found[spec.Name.Name] = spec
		}
	}
	return found
}

func optionsPage(structs map[string]*ast.TypeSpec) (page string, faults []string) {
	page = optionsHead
	for _, record := range optionRecords {
		spec := structs[record.name]
		about, _, _ := strings.Cut(spec.Doc.Text(), "\n\n")
		page += fmt.Sprintf("\n## %s\n\n%s\n\n", record.name, oneLine(about))
		page += "| Field | JSON | Type | Default | What it does | Source | Since |\n|---|---|---|---|---|---|---|\n"
		rows, wrong := optionsOf(record.name, spec.Type.(*ast.StructType))
		page += rows
		faults = append(faults, wrong...)
	}
	return page, faults
}

func optionsOf(record string, fields *ast.StructType) (rows string, faults []string) {
	for _, field := range fields.Fields.List {
		if len(field.Names) != 1 {
			faults = append(faults, record+": a field of its own for each name")
			continue
		}
		row, fault := optionRow(field)
		if fault != "" {
			faults = append(faults, record+"."+field.Names[0].Name+": "+fault)
		}
		rows += row
	}
	return rows, faults
}

var (
	// The text of an option, and in the last parentheses its source, its release and its default.
	optionComment = regexp.MustCompile(`^(.+) \(([^();]+)(?:; since ([0-9.]+))?(?:; ([^()]+))?\)$`)
	optionSource  = regexp.MustCompile(`^(our reading of )?(SPEC[12]\b|[a-z0-9_]+\.md, )|^decision [a-z]+$|^ours$`)
)

func optionRow(field *ast.Field) (row, fault string) {
	name := field.Names[0].Name
	said := optionComment.FindStringSubmatch(oneLine(field.Doc.Text()))
	kind, empty := typeWords(field.Type)
	switch {
	case said == nil:
		return "", "its comment names no source"
	case !optionSource.MatchString(said[2]):
		return "", strconv.Quote(said[2]) + " is no source"
	case kind == "":
		return "", "a type without words"
	case jsonName(field) == "":
		return "", "no name in JSON"
	}
	source := said[2]
	switch text, isDefault := strings.CutPrefix(said[4], "default "); {
	case isDefault:
		empty = text
	case said[4] == "required":
		empty = "required"
	case said[4] != "":
		source += "; " + said[4]
	}
	return fmt.Sprintf("| %s | `%s` | %s | %s | %s | %s | %s |\n", name, jsonName(field), kind, empty, said[1], source,
		release.Since(said[3])), ""
}

func jsonName(field *ast.Field) string {
	if field.Tag == nil {
		return ""
	}
	tag, _ := strconv.Unquote(field.Tag.Value) // the parser has checked it
	name, _, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
	return name
}

// typeWords returns how the page calls a type, and the default of an option of that type. A type of store that is
// not listed is one of the records above.
func typeWords(expr ast.Expr) (kind, empty string) {
	switch e := expr.(type) {
	case *ast.StarExpr:
		return typeWords(e.X)
	case *ast.SelectorExpr:
		if e.Sel.Name == "Time" {
			return "time, RFC 3339", "none"
		}
	case *ast.ArrayType:
		kind, _ = typeWords(e.Elt)
		return "list of " + kind, "empty"
	case *ast.MapType:
		kind, _ = typeWords(e.Value)
		return kind + " by name", "empty"
	case *ast.Ident:
		switch e.Name {
		case "bool":
			return "switch", "off"
		case "string", "Brand", "Mode", "Operation", "Protocol", "WalletEnvironment":
			return "text", "none"
		case "int":
			return "number", "0"
		case "Secret":
			return "secret", "none"
		}
		return fmt.Sprintf("[%s](#%s)", e.Name, strings.ToLower(e.Name)), "none"
	}
	return "", ""
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
