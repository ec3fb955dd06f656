package page

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout/page/internal/applepay"
	"github.com/tollgatepay/gateway/internal/asset"
	"github.com/tollgatepay/gateway/methods"
)

// kernel is what the page needs of *gateway.Gateway. Every method returns gateway.ErrNoSession for an unknown
// token.
type kernel interface {
	// NextAction returns what the payer should see next.
	NextAction(ctx context.Context, token string) (*gateway.NextAction, error)
	// PaySession starts the attempt that the payer has submitted.
	PaySession(ctx context.Context, token string, s gateway.Submission) (*gateway.NextAction, error)
	// AnswerSession passes on the payer's answers to prompts after the start.
	AnswerSession(ctx context.Context, token string, answers map[string]string) (*gateway.NextAction, error)
	// LeaveSession closes the session because the payer closed the form.
	LeaveSession(ctx context.Context, token string) (*gateway.NextAction, error)
	// Return completes the operation that sent the payer away. url is where the browser goes next; empty when it is
	// not known. With an error, url is where the payer would have gone.
	Return(ctx context.Context, token string, back methods.Return) (url string, err error)
	// ReturnPage returns the same url for a return that cannot be read: it completes nothing.
	ReturnPage(ctx context.Context, token string) (url string, err error)
	// AppleIdentity returns the merchant's identity for Apple Pay; gateway.ErrWallet when the session cannot be paid
	// with it.
	AppleIdentity(ctx context.Context, token string) (*gateway.WalletIdentity, error)
	// Notify processes an acquirer's notification.
	Notify(ctx context.Context, token string, note methods.Note) error
	// PublicURL returns the address at which payers reach the page.
	PublicURL() string
	Now() time.Time
}

// pages serves every route.
type pages struct {
	gw         kernel
	views      templates
	forms      map[string]templates // by form_id
	assets     asset.Set
	proxies    []netip.Prefix
	origin     *http.CrossOriginProtection
	wallet     applepay.Client
	domainFile []byte // of Apple Pay
	strict     time.Duration
	log        *slog.Logger
}
