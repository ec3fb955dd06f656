// Package bracketform reads the form-encoded bodies of S2S requests, whose names may have brackets:
//
//	action=SALE&parameters[cart][items][0][name]=Chair&custom_data[a][b]=c
//
// A name without brackets is a scalar; the others make a tree of objects and lists for the name before the first
// bracket. Common readers guess: they drop what they cannot decode, take the last of several equal fields, fill
// lists with holes or let a scalar hide an object. Here a body has one meaning or is a fault that names its field:
//
//   - Text is valid percent-encoding, valid Unicode and without NUL, in names and in values.
//   - A field that is not a list appears once. It is one value, an object or a list, never two of them.
//   - A key that reads as a number is the index of a list, written plainly. Indexes may begin anywhere and have
//     gaps: the entries keep their order (decision bt). So an object has no key such as 7, 007 or 1e3. This does
//     not apply to the names before the first bracket, nor to the trees of the names in [Limits].Objects, which
//     have no lists.
//   - Empty brackets append: a[] is the entry after the highest index so far, 0 at first. Each a[] is a new entry,
//     as in PHP, so a[][b] and a[][c] make two.
//   - Every key has its own brackets: a[, a]b[ and a[b]c[d] are malformed.
//   - Bytes, fields and depth are bounded by [Limits], and no name makes reading slow.
//
// An empty value is kept; whether it counts as absent for an optional field is the caller's decision. A raw ; is
// an ordinary character, and letters outside ASCII may be unescaped.
//
// Except for what is appended, the order of the fields in the body changes neither the faults nor the tree. All
// faults are collected, so that one answer can name every field. No fault repeats a value.
package bracketform
