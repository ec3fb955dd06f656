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

// kernel is what the page asks of *gateway.Gateway. A token that leads nowhere is
// gateway.ErrNoSession in every method.
type kernel interface {
	// NextAction is what the payer should see next.
	NextAction(ctx context.Context, token string) (*gateway.NextAction, error)
	// PaySession starts the attempt that the payer has asked for.
	PaySession(ctx context.Context, token string, s gateway.Submission) (*gateway.NextAction, error)
	// AnswerSession hands on what the payer was asked after the start.
	AnswerSession(ctx context.Context, token string, answers map[string]string) (*gateway.NextAction, error)
	// LeaveSession closes the session because the payer closed the form.
	LeaveSession(ctx context.Context, token string) (*gateway.NextAction, error)
	// Return completes what sent the payer away; url is where the browser goes next, empty where it is
	// not known. With an error it is where the payer would have gone.
	Return(ctx context.Context, token string, back methods.Return) (url string, err error)
	// ReturnPage is the same url for a return that cannot be read: nothing is completed by it.
	ReturnPage(ctx context.Context, token string) (url string, err error)
	// AppleIdentity is who the merchant is to Apple Pay; gateway.ErrWallet where the session cannot be paid so.
	AppleIdentity(ctx context.Context, token string) (*gateway.WalletIdentity, error)
	// Notify takes an acquirer's notification.
	Notify(ctx context.Context, token string, note methods.Note) error
	// PublicURL is where payers reach the page.
	PublicURL() string
}

// pages answers every route.
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
	now        func() time.Time
	log        *slog.Logger
}
