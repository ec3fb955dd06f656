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
//   - A key that reads as a number is the index of a list: 0 to 999, written plainly, in any order, without
//     gaps. So an object has no key such as 7, 007 or 1e3. The names before the first bracket are free of this,
//     and so are the trees of the names in [Limits].Objects: there is no list in those.
//   - Every key stands in its own brackets and is not empty: a[] is malformed, as are a[, a]b[ and a[b]c[d].
//   - Bytes, fields and depth are bounded by [Limits], and reading takes linear time whatever the names are.
//
// An empty value is kept; that it counts as absent for an optional field is for the caller to say. A raw ; is a
// character like any other, and letters outside ASCII may stand there unescaped.
//
// The order of the fields in the body changes neither the faults nor the tree. All faults are collected, so that
// one answer can name every field. No fault repeats a value.
package bracketform
