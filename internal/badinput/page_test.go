package badinput_test

import "slices"

// onPage makes rows of the page's message beside a field: 422, and the form again.
func onPage(n int, text, field string, values ...string) (rows []row) {
	for _, value := range values {
		rows = append(rows, shows(n, 422, text, set(field, value)))
	}
	return rows
}

const (
	pageNumber = "Invalid card number"
	pageExpiry = "The expiration date of card is expired and not valid."
	pageCode   = "Invalid security code"
	pageName   = "The name on card field (must contain first and last name; hyphen, apostrophe, diacritics allowed)"
	foreigner  = "This request did not come from our page"
	notFound   = "Page not found"
)

// ownForms is refused by each of our forms: 52, 58, 89, and unknown links.
var ownForms = []row{
	shows(89, 403, foreigner, header("Origin", "https://evil.example")),
	shows(89, 403, foreigner, header("Sec-Fetch-Site", "cross-site")),
	shows(89, 403, foreigner, header("Sec-Fetch-Site", "same-site")), shows(89, 403, foreigner, header("Origin", "null")),
	shows(52, 413, "Something went wrong", edit{"body of 65537 bytes", padForm}),
	shows(58, 400, "Something went wrong", spoiled("with %zz", func(v string) string { return v + "&x=%zz" })),
}

func lost(before, after string) []row {
	return []row{
		shows(35, 404, notFound, path(before+nobody+after)), shows(35, 404, notFound, path(before+"{link}x"+after)),
		shows(35, 404, notFound, path(before+times(300, "a")+after)),
		shows(35, 404, notFound, path(before+"%00"+after)), shows(35, 404, notFound, path(before+"%2e%2e%2fm-test"+after)),
		shows(35, 404, notFound, path(before+"%3Cscript%3E"+after)),
	}
}

var pageRows = slices.Concat(
	everywhere([]string{"page", "page cancel", "page answer"}, ownForms...),
	list("page", lost("/auth/", "")...), list("page cancel", lost("/auth/", "/cancel")...),
	list("page answer", lost("/auth/", "/answer")...),
	list("page shown", lost("/auth/", "")...), list("return", lost("/return/", "")...),
	list("page", slices.Concat(
		onPage(82, pageNumber, "card_number", "4111111111111112", "4222222222222", "41111111111111111111", "00000000000000",
			"4111x11111111111", "", "٤١١١١١١١١١١١١١١٢"),
		onPage(83, pageExpiry, "expiry", "00/30", "13/30", "02/27", "12/99", "soon"),
		onPage(83, "Expiry date is required.", "expiry", "", " \u200e"),
		onPage(83, pageCode, "cvv", "12", "12345", "12a", ""),
		onPage(84, pageName, "name", "4111 1111", "John", "John <b>Doe", "", times(100, "a")+" "+times(100, "b")),
		onPage(0, "Please choose how to pay.", "method", "no-such-method"),
	)...),
	list("return", shows(52, 413, "Something went wrong", edit{"body of 65537 bytes", padForm}),
		shows(58, 400, "Something went wrong", spoiled("with %zz", func(v string) string {
			return v + "&x=%zz"
		}))),
	list("notify", noted()...),
)

// noted are notifications that no acquirer sent: the answer is empty and nothing changes.
func noted() (rows []row) {
	for _, e := range []edit{path("/notify/" + nobody), path("/notify/" + times(300, "a")), path("/notify/%00")} {
		rows = append(rows, row{n: 35, edits: []edit{e}, status: 404, html: true})
	}
	return append(rows, row{n: 52, edits: []edit{{"body of a megabyte", func(_ *world, r *request) {
		text := times(1<<20, "x")
		r.raw = &text
	}}}, status: 413, html: true})
}
