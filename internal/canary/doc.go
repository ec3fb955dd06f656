// Package canary runs every flow of the gateway with cards whose numbers and security codes are used nowhere
// else, keeps everything that leaves the kernel in one folder, and searches every byte of it. It holds tests
// only:
//
//	go test ./internal/canary                  deletes the folder after the test
//	go test ./internal/canary -keep /tmp/x     keeps the folder
//
// The folder contains the stores of the gateway and of the test acquirer, with copies of both at every
// restart, the log at its lowest level, all callbacks, and all answers with their headers.
//
// A card number has 15 or 16 digits, so it is searched for anywhere, in many spellings. A security code has
// four, which any larger file contains by chance. It is therefore searched for in three ways. In text it
// counts only without a letter or digit next to it. In the files of stores it counts only as a value: in
// quotes, after an equals sign or a colon, in every spelling. And the sealed values, which hide their content,
// are opened with the keys of the test and read: they must contain a number, which shows that the reading
// works, and never a code.
package canary
