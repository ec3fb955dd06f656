package keystest

import (
	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store/keys"
)

func rotationChecks() []check {
	return []check{
		{"after a rotation the new key wraps and older keys open", needs{rotate: true}, checkRotation},
		{"a restart opens what every key wrapped", needs{reopen: true}, checkReopen},
		{"other processes open what a newer key wrapped", needs{rotate: true, reopen: true}, checkRotatedElsewhere},
		{"a destroyed key is ErrGone", needs{rotate: true, destroy: true}, checkDestroy},
		{"a destroyed key stays gone after a restart", needs{rotate: true, destroy: true, reopen: true}, checkStaysGone},
		{"an id is never given to another key", needs{rotate: true}, checkIDs},
	}
}

// made is a data key and its wrapped form.
type made struct {
	dataKey []byte
	wrapped keys.Wrapped
}

func (p *probe) make() made {
	dataKey, w := p.wrapped()
	return made{dataKey, w}
}

// opensAll requires that every one of them opens.
func (p *probe) opensAll(all []made, why string) {
	for _, m := range all {
		p.opens(m.wrapped, m.dataKey, why)
	}
}

func checkRotation(p *probe) {
	all := []made{p.make()}
	for range 4 {
		before := all[len(all)-1].wrapped.KeyID
		p.Rotate(p.tb, p.provider)
		all = append(all, p.make())
		require.NotEqual(p.tb, before, all[len(all)-1].wrapped.KeyID, "Wrap uses the new current key")
		p.opensAll(all, "after a rotation")
	}
}

func checkReopen(p *probe) {
	all := []made{p.make()}
	if p.Rotate != nil {
		p.Rotate(p.tb, p.provider)
		all = append(all, p.make())
	}
	again := p.on(p.Reopen(p.tb, p.provider))
	again.opensAll(all, "after a restart")
	p.opensAll([]made{again.make()}, "by the process that ran before")
}

func checkRotatedElsewhere(p *probe) {
	other := p.on(p.Reopen(p.tb, p.provider))
	other.opensAll([]made{p.make()}, "in another process")
	p.Rotate(p.tb, p.provider)
	other.opensAll([]made{p.make()}, "under a key that another process made current")
}

func checkDestroy(p *probe) {
	first := p.make()
	p.Rotate(p.tb, p.provider)
	second := p.make()
	p.Rotate(p.tb, p.provider)
	third := p.make()
	p.Destroy(p.tb, p.provider, second.wrapped.KeyID)
	p.refuses(second.wrapped, keys.ErrGone, "under a destroyed key")
	p.opensAll([]made{first, third, p.make()}, "under the other keys")
}

func checkStaysGone(p *probe) {
	first := p.make()
	p.Rotate(p.tb, p.provider)
	second := p.make()
	p.Destroy(p.tb, p.provider, first.wrapped.KeyID)
	again := p.on(p.Reopen(p.tb, p.provider))
	again.refuses(first.wrapped, keys.ErrGone, "under a destroyed key, after a restart")
	again.opensAll([]made{second}, "under the other key, after a restart")
}

// checkIDs also destroys each older key, if it can: the id must not become free.
func checkIDs(p *probe) {
	seen := map[string]bool{}
	for range 8 {
		id := p.make().wrapped.KeyID
		require.False(p.tb, seen[id], "the id %.64q was used a second time", id)
		seen[id] = true
		p.Rotate(p.tb, p.provider)
		if p.Destroy != nil {
			p.Destroy(p.tb, p.provider, id)
		}
	}
}
