package share

import "hash/crc32"

// Apart has an instance choose behind the head of a lane, because another one has taken what it had chosen there. The
// zero value chooses at the head.
type Apart struct {
	claims int    // how many more
	drawn  uint32 // from an id that it lost or claimed, which no two instances share
}

// Instances choose apart for so many claims, and so many entries of a lane at most.
const (
	apartFor    = 32
	apartWithin = 512
)

// After counts a claim, by one of its ids that another instance had taken, and one that it took itself; empty for none.
func (a *Apart) After(lost, claimed string) {
	switch {
	case lost != "":
		a.claims, a.drawn = apartFor, crc32.ChecksumIEEE([]byte(lost))
	case a.claims > 0 && claimed != "":
		a.claims, a.drawn = a.claims-1, crc32.ChecksumIEEE([]byte(claimed))
	}
}

// Skip returns how many entries of a lane are left to others.
func (a *Apart) Skip() int {
	if a.claims == 0 {
		return 0
	}
	return int(a.drawn % apartWithin)
}
