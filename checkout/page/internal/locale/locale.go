// Package locale owns how each language writes amounts and dates, and how an amount is read.
package locale

import (
	"strconv"
	"strings"
	"time"
)

// Locale is a language with its direction, and how it writes amounts and dates.
type Locale struct {
	lang, dir string
	marks
}

// marks are the marks and patterns of a language for amounts and dates.
type marks struct {
	point, group string // before the decimals, and between the thousands
	grouped      int    // digits that a number needs before its first separator of thousands
	money        string // # is the number, ¤ the symbol of the currency
	date         string // D is the day, M the month, Y the year
	months       string // names of the months in a date; empty for numbers
}

// locales are those of the Unicode CLDR 48 (copyright Unicode, Inc., under the Unicode License V3), with
// Western digits: standard pattern of currencies, long format of dates. The tables of golang.org/x/text are of
// CLDR 32 and do not say where the symbol of a currency stands.
var locales = map[string]marks{
	"en": {".", ",", 1, "¤#", "M D, Y",
		"January February March April May June July August September October November December"},
	"es": {",", ".", 2, "#\u00a0¤", "D de M de Y",
		"enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"},
	"ar": {".", ",", 1, "\u200f#\u00a0¤", "D M Y",
		"يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر"},
	"az": {",", ".", 1, "#\u00a0¤", "D M Y",
		"yanvar fevral mart aprel may iyun iyul avqust sentyabr oktyabr noyabr dekabr"},
	"fr": {",", "\u202f", 1, "#\u00a0¤", "D M Y",
		"janvier février mars avril mai juin juillet août septembre octobre novembre décembre"},
	"nb": {",", "\u00a0", 1, "#\u00a0¤", "D. M Y",
		"januar februar mars april mai juni juli august september oktober november desember"},
	"zh-Hans":    {".", ",", 1, "¤#", "Y年M月D日", ""},
	"zh-Hant-TW": {".", ",", 1, "¤#", "Y年M月D日", ""},
	"kk": {",", "\u00a0", 1, "#\u00a0¤", "Y\u202fж. D M",
		"қаңтар ақпан наурыз сәуір мамыр маусым шілде тамыз қыркүйек қазан қараша желтоқсан"},
	"de": {",", ".", 1, "#\u00a0¤", "D. M Y",
		"Januar Februar März April Mai Juni Juli August September Oktober November Dezember"},
	"it": {",", ".", 2, "#\u00a0¤", "D M Y",
		"gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre"},
	"hr": {",", ".", 1, "#\u00a0¤", "D. M Y.",
		"siječnja veljače ožujka travnja svibnja lipnja srpnja kolovoza rujna listopada studenoga prosinca"},
	"cs": {",", "\u00a0", 1, "#\u00a0¤", "D. M Y",
		"ledna února března dubna května června července srpna září října listopadu prosince"},
	"hu": {",", "\u00a0", 2, "#\u00a0¤", "Y. M D.",
		"január február március április május június július augusztus szeptember október november december"},
	"pl": {",", "\u00a0", 2, "#\u00a0¤", "D M Y",
		"stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia"},
	"pt": {",", ".", 1, "¤\u00a0#", "D de M de Y",
		"janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro"},
	"ro": {",", ".", 1, "#\u00a0¤", "D M Y",
		"ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie"},
	"ja": {".", ",", 1, "¤#", "Y年M月D日", ""},
	"nl": {",", ".", 1, "¤\u00a0#", "D M Y",
		"januari februari maart april mei juni juli augustus september oktober november december"},
	"bg": {",", "\u00a0", 2, "#\u00a0¤", "D M Y\u202fг.",
		"януари февруари март април май юни юли август септември октомври ноември декември"},
	"ru": {",", "\u00a0", 1, "#\u00a0¤", "D M Y\u202fг.",
		"января февраля марта апреля мая июня июля августа сентября октября ноября декабря"},
}

// Of returns the locale of a language by its BCP 47 tag; dir is its direction: ltr or rtl.
func Of(lang, dir string) Locale { return Locale{lang, dir, locales[lang]} }

// Day writes a date in the format of the language.
func (l Locale) Day(at time.Time) string {
	month := strconv.Itoa(int(at.Month()))
	if l.months != "" {
		month = strings.Fields(l.months)[at.Month()-1]
	}
	return strings.NewReplacer("D", strconv.Itoa(at.Day()), "M", month, "Y", strconv.Itoa(at.Year())).Replace(l.date)
}
