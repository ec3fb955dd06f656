package callback

import "github.com/tollgatepay/gateway/store"

// Dead callbacks have marks, so that they can be listed: few die.

// keyOfDead is the key of the mark of a dead callback; without an id it is the prefix of them all.
func keyOfDead(id ...string) []byte { return store.Key(append([]string{"cd"}, id...)...) }

// Unlist takes a callback off the list that Dead returns, because it is sent again or deleted.
func Unlist(tx store.Tx, id string) error { return tx.Delete(keyOfDead(id)) }
