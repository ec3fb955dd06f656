package postgres

import "github.com/tollgatepay/gateway/store"

// seen is what was read: keys, each once, with or without a value. The zero value is empty.
type seen struct {
	list []store.Pair
	at   map[string]int // where a key is in the list; nil for few
}

// fewSeen is how many pairs are faster to look through than to have in a map.
const fewSeen = 16

// placeIn returns where a key is in what was read.
func placeIn[K string | []byte](s *seen, key K) (int, bool) {
	if s.at != nil {
		i, found := s.at[string(key)]
		return i, found
	}
	for i, pair := range s.list {
		if pair.Key() == string(key) {
			return i, true
		}
	}
	return 0, false
}

// pairIn returns what was read under a key.
func pairIn[K string | []byte](s *seen, key K) (store.Pair, bool) {
	i, found := placeIn(s, key)
	if !found {
		return "", false
	}
	return s.list[i], true
}

// put adds a pair, or replaces the one of its key.
func (s *seen) put(pair store.Pair) {
	i, found := placeIn(s, pair.Key())
	if found {
		s.list[i] = pair
		return
	}
	if s.list == nil {
		s.list = make([]store.Pair, 0, fewSeen/2)
	}
	s.list = append(s.list, pair)
	switch n := len(s.list); {
	case n < fewSeen:
	case s.at != nil:
		s.at[pair.Key()] = n - 1
	default:
		s.at = make(map[string]int, 2*n)
		for i, one := range s.list {
			s.at[one.Key()] = i
		}
	}
}
