// Package bracketform reads the form-encoded bodies of S2S requests, whose names may carry brackets:
//
//	action=SALE&parameters[cart][items][0][name]=Chair&custom_data[a][b]=c
//
// A name without brackets is a scalar; the others make a tree of objects and lists for the name before the first
// bracket. The readers at hand are made to guess: they drop what they can not decode, take the last of several
// equal fields, fill lists with holes or let a scalar hide an object. Here a body has one meaning or is a fault
// that names its field:
//
//   - Text is sound percent-encoding, valid Unicode and without NUL, in names and in values.
//   - A field that is not a list stands there once. It is one value, an object or a list, never two of them.
//   - A key that reads as a number is the index of a list, written plainly. Indexes may begin anywhere and have
//     gaps: the entries stand in their order (decision bt). So an object has no key such as 7, 007 or 1e3. The
//     names before the first bracket are free of this, and so are the trees of the names in [Limits].Objects:
//     there is no list in those.
//   - Empty brackets append: a[] is the entry behind the highest index that stood there so far, 0 at first. Each
//     a[] is an entry of its own, as PHP has it, so that a[][b] and a[][c] are of two.
//   - Every key stands in its own brackets: a[, a]b[ and a[b]c[d] are malformed.
//   - Bytes, fields and depth are bounded by [Limits], and no name makes reading slow.
//
// An empty value is kept; that it counts as absent for an optional field is for the caller to say. A raw ; is a
// character like any other, and letters outside ASCII may stand there unescaped.
//
// But for what is appended, the order of the fields in the body changes neither the faults nor the tree. All faults are collected, so that
// one answer can name every field. No fault repeats a value.
package bracketform
