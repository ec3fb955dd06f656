package page

import (
	"github.com/tollgatepay/gateway/checkout/page/internal/locale"
	"github.com/tollgatepay/gateway/checkout/page/texts"
)

// Texts is everything the page says, in one language. Like View it is not covered by docs/compatibility.md.
type Texts = texts.Texts

// Message is a heading and a sentence.
type Message = texts.Message

// SubscriptionTexts are the texts about later payments.
type SubscriptionTexts = texts.SubscriptionTexts

// Interval is how often something happens: each unit, or every few units.
type Interval = texts.Interval

// Plural is a text with a number, in the forms that its language has for whole numbers.
type Plural = texts.Plural

// localeOf returns the format of amounts and dates of a language.
func localeOf(t *Texts) locale.Locale { return locale.Of(t.Lang, t.Dir) }
