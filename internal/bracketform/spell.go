package bracketform

import "strconv"

// Spell returns a path that counts the entries of lists from 0, as the trees do, with the indexes that the sender
// wrote. What the form does not have stays as it is.
func (f *Form) Spell(path string) string {
	keys, sound := split(nil, path, 16)
	if !sound {
		return path
	}
	at, text := f.find(keys[0]), keys[0]
	for _, key := range keys[1:] {
		if at = f.below(at, key); at > 0 {
			key = f.nodes[at].key
		}
		text += "[" + key + "]"
	}
	return text
}

// below finds the child of a node by its key, of a list by its position; 0 without one.
func (f *Form) below(at int32, key string) int32 {
	if at == 0 {
		return 0
	}
	if f.nodes[at].numbers == 0 {
		return f.table.slots[f.table.slot(f.nodes, at, key)]
	}
	n, err := strconv.Atoi(key)
	if err != nil || n < 0 {
		return 0
	}
	child := f.nodes[at].first
	for ; child != 0 && n > 0; n-- {
		child = f.nodes[child].next
	}
	return child
}
