package keyfile

import (
	"fmt"
	"maps"
)

// Rotate adds a new key, makes it the current one and returns its id. Older keys stay and open what they wrapped.
// The file is complete before the new key is used. While another process changes the file it returns an error and
// changes nothing.
func (k *Keys) Rotate() (string, error) {
	id := newID()
	err := k.change(func(next *ring) error {
		if len(next.keys) >= maxKeys {
			return fmt.Errorf("keyfile: %s holds %d keys, which is the most; destroy old ones", k.path, maxKeys)
		}
		next.keys[id] = newKey()
		next.current = id
		return nil
	})
	if err != nil {
		return "", err
	}
	return id, nil
}

// Destroy removes an old key for good: what it wrapped can never be opened again, except by processes
// that have the key in memory and by copies of the file. The current key is refused. The blocks of the
// old file are freed and not overwritten; disk encryption covers those.
func (k *Keys) Destroy(id string) error {
	return k.change(func(next *ring) error {
		if _, known := next.keys[id]; !known {
			return fmt.Errorf("keyfile: %s has no key %.64q; it has %s", k.path, id, next.ids())
		}
		if id == next.current {
			return fmt.Errorf("keyfile: %q is the current key of %s; rotate the keys before you destroy it", id, k.path)
		}
		delete(next.keys, id)
		return nil
	})
}

// Reload reads the file again, after another process or a person has changed it. On an error the keys are
// unchanged.
func (k *Keys) Reload() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.reload()
}

func (k *Keys) reload() error {
	found, err := read(k.path)
	if err != nil {
		return err
	}
	if found.lookup != k.ring.lookup {
		return fmt.Errorf("keyfile: the lookup key of %s has changed while in use; restore the old one, "+
			"because stored cards are not found under another", k.path)
	}
	k.ring = found
	return nil
}

// change edits a fresh copy of the file's content under the file's lock, so that no process ever
// overwrites a key that another has just begun to use.
func (k *Keys) change(edit func(*ring) error) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	unlock, err := lock(k.path)
	if err != nil {
		return err
	}
	defer unlock()
	if err := k.reload(); err != nil {
		return err
	}
	next := &ring{current: k.ring.current, keys: maps.Clone(k.ring.keys), lookup: k.ring.lookup}
	if err := edit(next); err != nil {
		return err
	}
	if err := replace(k.path, next); err != nil {
		return err
	}
	k.ring = next
	return nil
}
