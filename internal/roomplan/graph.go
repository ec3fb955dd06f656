package roomplan

import (
	"maps"
	"slices"
	"strings"
)

// graph is rooms and what each imports. A room may contain several folders.
type graph struct {
	rooms map[string][]string        // the names in a room, by the first of them
	to    map[string]map[string]bool // arrows
}

// graphOf is everything that a host may import and what is below it. Kits for tests are left out, because they
// import everything.
func graphOf(rows []row) *graph {
	g := &graph{rooms: map[string][]string{}, to: map[string]map[string]bool{}}
	top, _ := find(rows, offered)
	for _, pattern := range top.to {
		if !strings.HasPrefix(pattern, "examples") && !strings.HasSuffix(pattern, "test") {
			g.add(rows, pattern)
		}
	}
	return g
}

func (g *graph) add(rows []row, from string) {
	r, ok := find(rows, from)
	if _, known := g.rooms[from]; known || !ok {
		return
	}
	g.rooms[from], g.to[from] = []string{from}, map[string]bool{}
	for _, pattern := range r.to {
		for _, to := range folders(rows, pattern) {
			g.add(rows, to)
			g.to[from][to] = true
		}
	}
}

func (g *graph) names() []string { return slices.Sorted(maps.Keys(g.rooms)) }

// above are the rooms that import a room.
func (g *graph) above(room string) (list []string) {
	for _, from := range g.names() {
		if g.to[from][room] {
			list = append(list, from)
		}
	}
	return list
}

// below are the rooms that a room imports.
func (g *graph) below(room string) []string { return slices.Sorted(maps.Keys(g.to[room])) }

// foldParts draws a folder together with the one above it if nothing else imports it, and an internal folder
// together with the one package that imports it.
func (g *graph) foldParts() {
	for again := true; again; {
		again = false
		for _, part := range g.names() {
			above := slices.DeleteFunc(g.above(part), func(a string) bool { return g.within(a, part) })
			if len(above) == 0 {
				above = g.above(part)
			}
			if len(above) == 1 && (strings.HasPrefix(part, above[0]+"/") || g.within(above[0], part)) {
				g.fold(part, above[0])
				again = true
			}
		}
	}
}

// within reports a package of the folder that a part is internal to.
func (g *graph) within(a, part string) bool {
	i := strings.LastIndex(part, "/internal/")
	return i >= 0 && strings.HasPrefix(a, part[:i]+"/")
}

// fold moves the arrows of a room to another one.
func (g *graph) fold(room, into string) {
	for to := range g.to[room] {
		if to != into {
			g.to[into][to] = true
		}
	}
	for _, from := range g.above(room) {
		delete(g.to[from], room)
		if from != into {
			g.to[from][into] = true
		}
	}
	delete(g.rooms, room)
	delete(g.to, room)
}

// foldTwins draws rooms in one box that import the same and are imported by the same. The root stands alone.
func (g *graph) foldTwins() {
	names := g.names()
	for i, one := range names {
		for _, other := range names[i+1:] {
			if g.rooms[one] == nil || g.rooms[other] == nil || one == "." || !g.twins(one, other) {
				continue
			}
			g.rooms[one] = append(g.rooms[one], g.rooms[other]...)
			g.fold(other, one)
		}
	}
}

func (g *graph) twins(one, other string) bool {
	return maps.Equal(g.to[one], g.to[other]) && slices.Equal(g.above(one), g.above(other))
}

// reduce removes an arrow if others lead to its end as well.
func (g *graph) reduce() {
	for _, from := range g.names() {
		for _, to := range g.below(from) {
			for _, by := range g.below(from) {
				if by != to && g.reaches(by, to) {
					delete(g.to[from], to)
				}
			}
		}
	}
}

func (g *graph) reaches(from, to string) bool {
	return g.to[from][to] || slices.ContainsFunc(g.below(from), func(by string) bool { return g.reaches(by, to) })
}
