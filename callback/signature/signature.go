package signature

// room is the length up to which a text needs no allocation; a Checkout session is seldom longer.
const room = 512

// Sign returns the hash as this platform sends it, in lower-case hex: capitals of ASCII only, and the password
// unchanged if the formula has it outside the capitals. It is "" for an unknown formula or mode.
func Sign(formula Formula, mode Mode, inputs Inputs, password string) string {
	r := formula.row()
	if r == nil || mode > SHA256 {
		return ""
	}
	d := r.sign(mode, &inputs, password)
	return string(d.hex[:d.size])
}

func (r *row) sign(mode Mode, in *Inputs, password string) digest {
	var space [room]byte
	text := r.text(space[:0], in, password)
	capitalASCII(text)
	if r.after {
		text = append(text, password...)
	}
	return sum(mode, r.outer, text)
}

// Verify reports whether hash is the result of one of the accepted readings of the formula (see the package
// comment). Hex must be lower-case, without any other character.
//
// The work depends on the inputs and the password alone: every reading is computed, and compared in constant time,
// whether hash is right, wrong, malformed or of another length. An empty password verifies nothing but costs the
// same. So it can be used for an unknown merchant, and a merchant without a password does not accept every
// request.
func Verify(formula Formula, mode Mode, inputs Inputs, password, hash string) bool {
	g := given(hash)
	return verify(formula, mode, &inputs, password, &g) == 1
}

// VerifyAny is Verify for a request that several formulas may have signed, such as Card2 and APMTrans
// (decision a). All of them are computed. Without formulas nothing verifies.
func VerifyAny(formulas []Formula, mode Mode, inputs Inputs, password, hash string) bool {
	g := given(hash)
	found := 0
	for _, formula := range formulas {
		found |= verify(formula, mode, &inputs, password, &g)
	}
	return found == 1
}

func verify(formula Formula, mode Mode, in *Inputs, password string, g *digest) int {
	r := formula.row()
	if r == nil || mode > SHA256 {
		return 0
	}
	found := r.find(mode, in, password, g)
	if password == "" {
		return 0
	}
	return found
}

// find tries every reading. For ASCII both kinds of capitals are the same, so it tries one.
func (r *row) find(mode Mode, in *Inputs, password string, g *digest) int {
	var space, secret [room]byte
	text := r.text(space[:0], in, password)
	capital := append(secret[:0], password...)
	found := 0
	if !ascii(text) || !ascii(password) {
		found = r.compare(mode, capitalUnicode(text), password, capitalUnicode(capital), g)
	}
	capitalASCII(text)
	capitalASCII(capital)
	return found | r.compare(mode, text, password, capital, g)
}

// compare completes a text with the password, unchanged and in capitals, unless the text has it already.
func (r *row) compare(mode Mode, text []byte, password string, capital []byte, g *digest) int {
	if !r.after {
		d := sum(mode, r.outer, text)
		return d.equal(g)
	}
	asIs := sum(mode, r.outer, append(text, password...))
	upper := sum(mode, r.outer, append(text, capital...))
	return asIs.equal(g) | upper.equal(g)
}
