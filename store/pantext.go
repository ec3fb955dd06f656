package store

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// HoldsPAN reports whether a text has a card number in it: digits of any script, across spaces, dots, dashes and
// invisible characters, with the prefix, the length and the check digit of a network (decision ba). It is found beside
// other numbers too, in the groups in which card numbers are written.
func HoldsPAN(text string) bool {
	if !mayHoldPAN(text) { // most texts
		return false
	}
	for run := range digitRuns(text) {
		run.dropIBAN(text)
		if run.holdsPAN() {
			return true
		}
	}
	return false
}

// mayHoldPAN reports whether a text has bytes enough that are digits, or parts of digits of other scripts.
func mayHoldPAN(text string) bool {
	left := MinPANDigits
	for i := 0; i < len(text) && left > 0; i++ {
		if c := text[i]; c >= utf8.RuneSelf || c >= '0' && c <= '9' {
			left--
		}
	}
	return left == 0
}

// HideDigits replaces every digit that could be of a card number by an asterisk. It is for texts from outside.
func HideDigits(text string) string {
	var b strings.Builder
	end := 0
	for run := range digitRuns(text) {
		if len(run.digits) >= MinPANDigits {
			b.WriteString(text[end:run.from] + hidden)
			end = run.to
		}
	}
	return b.String() + text[end:]
}

// digitRun is a sequence of digits with only separators between them.
type digitRun struct {
	digits   []byte // as ASCII
	groups   []int  // where each group begins among the digits
	from, to int    // in the text
}

// digitRuns returns the runs of a text in turn. A run is valid until the next one.
func digitRuns(text string) func(yield func(*digitRun) bool) {
	return func(yield func(*digitRun) bool) {
		var digits [32]byte // room that most texts do not need more of
		var groups [8]int
		run, apart := digitRun{digits: digits[:0], groups: groups[:0]}, true
		for at, r := range text {
			digit, is := digitOf(r)
			switch {
			case is:
				run.add(digit, apart, at, at+utf8.RuneLen(r))
				apart = false
			case unseen(r):
			case separates(r):
				apart = true
			default:
				if len(run.digits) > 0 && !yield(&run) {
					return
				}
				run.digits, run.groups, apart = run.digits[:0], run.groups[:0], true
			}
		}
		if len(run.digits) > 0 {
			yield(&run)
		}
	}
}

func (run *digitRun) add(digit byte, apart bool, from, to int) {
	if len(run.digits) == 0 {
		run.from = from
	}
	if apart {
		run.groups = append(run.groups, len(run.digits))
	}
	run.digits, run.to = append(run.digits, digit), to
}

// holdsPAN reports whether groups of the run that stand together are a card number.
func (run *digitRun) holdsPAN() bool {
	for first, from := range run.groups {
		for last := first; last < len(run.groups); last++ {
			to := run.groups[last] + run.size(last)
			if to-from > MaxPANDigits {
				break
			}
			if isCardNumber(run.digits[from:to]) && run.standsAlone(first, last) {
				return true
			}
		}
	}
	return false
}

// size returns the number of digits of a group.
func (run *digitRun) size(group int) int {
	if group+1 < len(run.groups) {
		return run.groups[group+1] - run.groups[group]
	}
	return len(run.digits) - run.groups[group]
}

// isCardNumber reports whether digits have the prefix, the length and the check digit of a known network.
func isCardNumber(digits []byte) bool {
	n := len(digits)
	return n >= MinPANDigits && n <= MaxPANDigits && brandOf(string(digits)).issues(n) && luhn(string(digits))
}

// digitOf returns the value of a digit of any script, in ASCII. Unicode has the ten digits of a script in a row,
// zero first.
func digitOf(r rune) (byte, bool) {
	if r <= unicode.MaxASCII {
		return byte(r), r >= '0' && r <= '9'
	}
	if !unicode.Is(unicode.Nd, r) {
		return 0, false
	}
	for _, block := range unicode.Nd.R16 {
		if r <= rune(block.Hi) {
			return '0' + byte((r-rune(block.Lo))%10), true
		}
	}
	for _, block := range unicode.Nd.R32 {
		if r <= rune(block.Hi) {
			return '0' + byte((r-rune(block.Lo))%10), true
		}
	}
	return 0, false
}

// unseen reports whether a character is invisible between two digits: format characters (zero-width, soft hyphen,
// bidi marks), controls other than blanks, combining marks, fillers.
func unseen(r rune) bool {
	switch {
	case unicode.IsSpace(r):
		return false
	case r <= unicode.MaxASCII:
		return r < ' ' || r == 0x7f
	}
	return unicode.In(r, unicode.Cf, unicode.Cc, unicode.M, unicode.Other_Default_Ignorable_Code_Point)
}

// separates reports whether a character separates the groups of a number: spaces, dots and dashes.
func separates(r rune) bool {
	if r <= unicode.MaxASCII {
		return unicode.IsSpace(r) || r == '.' || r == '-' || r == '_'
	}
	return unicode.IsSpace(r) || unicode.In(r, unicode.Z, unicode.Pd) || strings.ContainsRune("·•․‧∙⋅。．｡・−⁃", r)
}
