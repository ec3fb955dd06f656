package gateway

import (
	"github.com/tollgatepay/gateway/internal/links"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// authentication says who authenticates the payer: nobody where he is not there (decision t).
func (c *charge) authentication() string {
	switch {
	case c.recurring, store.IsMOTO(c.Payment.MOTOType):
		return string(methods.AuthOff)
	case c.mpi != nil, authenticates(c.hand):
		return string(methods.AuthExternal)
	case c.Payment.PayerPresent == payerAway:
		return string(methods.AuthOff)
	}
	return string(methods.AuthPlatform)
}

// link is the secret of the page the payer sees on the way.
func (c *charge) link() []byte {
	if c.session != nil {
		return c.session.Secret
	}
	return links.PageSecret(c.Secret)
}

// back is the page the payer comes back to; empty for one that his return link opens.
func (c *charge) back() string {
	if c.session != nil {
		return c.session.Page
	}
	return ""
}

func cardFacts(card *methods.Card) *store.CardFacts {
	if card == nil {
		return nil
	}
	return &store.CardFacts{Mask: card.PAN.Mask(), Expiry: card.Expiry, Brand: string(card.PAN.Brand())}
}

func notificationURL(m *store.Merchant, test bool, own string) string {
	switch {
	case own != "":
		return own
	case test && m.TestNotificationURL != "":
		return m.TestNotificationURL
	default:
		return m.NotificationURL
	}
}
