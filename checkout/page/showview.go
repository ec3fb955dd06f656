package page

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html/template"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tollgatepay/gateway/checkout/page/internal/clean"
	"github.com/tollgatepay/gateway/checkout/page/internal/policy"
	"github.com/tollgatepay/gateway/checkout/page/internal/qrcode"
	"github.com/tollgatepay/gateway/checkout/page/texts"
	"github.com/tollgatepay/gateway/store"
)

// ShowView is a QR code or details to pay by.
type ShowView struct {
	Message Message
	Code    *CodeView    // nil without one
	Details []DetailView // none after the expiry
	Until   time.Time    // zero for never
	UntilAt string       // the same as text
	Left    string       // the time left in words
	Expired bool
	Mark    string // changes with the content; the script compares it
}

// CodeView is a QR code.
type CodeView struct {
	URL  string       // of the picture; empty when the content is too long for one
	Side int          // of the picture, in CSS pixels
	Text string       // the content
	Link template.URL // the content if it is a link: checked, http or https
}

// DetailView is one line of payment details.
type DetailView struct {
	Label, Value string
	Link         template.URL // the value if it is a link: checked, http or https
	Whole        bool         // the value has no space for a line break
}

func showView(t *Texts, s *store.Display, token string, now time.Time) *ShowView {
	if s == nil {
		s = &store.Display{}
	}
	v := &ShowView{Until: s.Until, Expired: expired(s, now)}
	v.Mark = mark(s, v.Expired)
	if v.Expired {
		v.Message = t.ShowExpired
		return v
	}
	if !s.Until.IsZero() {
		v.UntilAt, v.Left = untilAt(s.Until, now), timeLeft(t, s.Until.Sub(now))
	}
	v.Code = codeView(s.QR, token)
	for _, d := range s.Details {
		v.Details = append(v.Details, detailView(t, d))
	}
	switch {
	case v.Code != nil:
		v.Message = Message{Title: t.ScanTitle, Text: t.ScanText}
	case len(v.Details) > 0:
		v.Message = Message{Title: t.DetailsTitle, Text: t.DetailsText}
	default:
		v.Message = Message{Title: t.ConfirmTitle, Text: t.ConfirmText}
	}
	return v
}

func codeView(content, token string) *CodeView {
	if content == "" {
		return nil
	}
	v := &CodeView{Text: clean.Lines(content), Link: link(content)}
	if code, ok := qrcode.Of(content); ok {
		v.URL, v.Side = fromForm+token+"/qr.png", code.Side()
	}
	return v
}

func detailView(t *Texts, d store.Detail) DetailView {
	v := DetailView{Label: texts.Word(t, clean.Shown(d.Label)), Value: clean.Shown(d.Value), Link: link(d.Value)}
	if d.Label == texts.ToDo {
		v.Value = texts.Word(t, v.Value)
	}
	v.Whole = !strings.Contains(v.Value, " ") && utf8.RuneCountInString(v.Value) == len(v.Value)
	return v
}

func expired(s *store.Display, now time.Time) bool { return !s.Until.IsZero() && !now.Before(s.Until) }

// mark returns a short hash of the content: the script reloads the page when it changes.
func mark(s *store.Display, expired bool) string {
	text, _ := json.Marshal(s)
	sum := sha256.Sum256(fmt.Appendf(text, "%t", expired))
	return hex.EncodeToString(sum[:6])
}

// link returns a value that is a web URL and nothing else.
func link(value string) template.URL {
	u, ok := policy.WebURL(value)
	if !ok || value != clean.Shown(value) {
		return ""
	}
	return template.URL(policy.ASCII(u.String()))
}

// untilAt names the day only if it is not within the next hours.
func untilAt(until, now time.Time) string {
	if until.Sub(now) > 12*time.Hour {
		return until.UTC().Format("2006-01-02 15:04 UTC")
	}
	return until.UTC().Format("15:04 UTC")
}

// timeLeft writes the time left in words up to two hours; for a longer time the time of day is clearer.
func timeLeft(t *Texts, left time.Duration) string {
	switch minutes := int(left.Round(time.Minute).Minutes()); {
	case left < time.Minute:
		return t.LeftSoon
	case minutes == 1:
		return t.LeftMinute
	case minutes <= 120:
		return fmt.Sprintf(t.LeftMinutes, minutes)
	}
	return ""
}
