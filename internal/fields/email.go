package fields

import "strings"

// Email takes an address that the validator library takes, unless it has a quoted local part or anything beyond ASCII.
var Email = formed(Form{Format: "email"}, Is(func(value string) bool {
	local, host, ok := strings.Cut(value, "@")
	return ok && isMailbox(local) && isMailHost(host)
}, TextInvalid))

// isMailbox accepts words of letters, digits and the signs of RFC 5322 with points between them.
func isMailbox(local string) bool {
	for word := range strings.SplitSeq(local, ".") {
		if word == "" || strings.ContainsFunc(word, notOfWord) {
			return false
		}
	}
	return true
}

func notOfWord(r rune) bool {
	return !isAlphanumeric(r) && !strings.ContainsRune("!#$%&'*+-/=?^_`{|}~", r)
}

// isMailHost accepts names with points between them, of which the last ones begin and end with a letter.
func isMailHost(host string) bool {
	if strings.ContainsFunc(host, notOfMailHost) || strings.Contains(host, "..") {
		return false
	}
	for i := 1; i < len(host)-1; i++ {
		if host[i] == '.' && isAlphanumeric(rune(host[i-1])) && isLetter(rune(host[i+1])) {
			return isAlphanumeric(rune(host[0])) && isLetter(rune(host[len(host)-1]))
		}
	}
	return false
}

func notOfMailHost(r rune) bool { return !isAlphanumeric(r) && !strings.ContainsRune("-.~", r) }

func isAlphanumeric(r rune) bool { return isLetter(r) || r >= '0' && r <= '9' }

func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }
