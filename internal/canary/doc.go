// Package canary runs every flow of the gateway with cards whose numbers and security codes stand nowhere
// else, keeps all that leaves the kernel in one folder, and searches every byte of it. It has nothing but
// tests:
//
//	go test ./internal/canary                  the folder is gone with the test
//	go test ./internal/canary -keep /tmp/x     the folder stays, to be looked at
//
// In the folder are the stores of the gateway and of the test acquirer, with copies of both at every
// restart, the log at its lowest level, all callbacks, and all answers with their headers.
//
// A card number has 15 or 16 digits, so it is searched for anywhere, in many spellings. A security code has
// four, which stand in any larger file by chance. It is therefore searched for in three ways. In text it
// must stand by itself, with no letter or digit beside it. In the files of stores it must stand as a value
// does: in quotes, behind an equals sign or a colon, and so in every spelling. And the sealed values, where
// it would not be seen from outside, are opened with the keys of the test and read: a number has to be in
// them, which shows that the reading works, and a code never.
package canary
