package callback

import "hash/crc32"

// apart has a desk choose behind the head of a lane, because another instance has taken what it had chosen there.
type apart struct {
	claims int    // how many more
	drawn  uint32 // from an id that it lost or claimed, which no two instances share
}

// Instances choose apart for so many claims, and so many entries of a lane at most.
const (
	apartFor    = 32
	apartWithin = 512
)

// after counts a claim, by the last of its ids that was lost and the first that was not; empty for none.
func (a *apart) after(lost, claimed string) {
	switch {
	case lost != "":
		a.claims, a.drawn = apartFor, crc32.ChecksumIEEE([]byte(lost))
	case a.claims > 0 && claimed != "":
		a.claims, a.drawn = a.claims-1, crc32.ChecksumIEEE([]byte(claimed))
	}
}

// skip returns how many entries of a lane are left to others.
func (a *apart) skip() int {
	if a.claims == 0 {
		return 0
	}
	return int(a.drawn % apartWithin)
}
