package store

import "strings"

// ring walks once over the keys of a prefix, beginning behind one of them and ending with that one.
type ring struct {
	r       Reader
	prefix  []byte
	from    []byte // first key to read
	end     string // the last key of the second half; empty without a second half
	wrapped bool
}

func (g *ring) begin(last string) {
	*g = ring{r: g.r, prefix: g.prefix}
	if strings.HasPrefix(last, string(g.prefix)) {
		g.from, g.end = append([]byte(last), 0), last
	}
}

// next returns the parts of the next key, and the key; nil after the last.
func (g *ring) next() (parts []string, key string, err error) {
	for entry := range g.r.Scan(Range{Prefix: g.prefix, From: g.from, Limit: 1}) {
		if entry.Err != nil {
			return nil, "", entry.Err
		}
		key = string(entry.Key)
	}
	switch {
	case key != "" && (!g.wrapped || key <= g.end):
		g.from = append([]byte(key), 0)
		parts, err = SplitKey([]byte(key))
		return parts, key, err
	case g.wrapped || g.end == "":
		return nil, "", nil
	}
	g.wrapped, g.from = true, nil
	return g.next()
}
