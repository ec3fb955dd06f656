package hpf

import "github.com/tollgatepay/gateway/internal/envelope"

// forbidden returns the answer to an invalid token, and to a browser: 403 and a page (SPEC1, "Authentication").
func forbidden() envelope.Response {
	return envelope.Response{Status: 403, ContentType: "text/html; charset=utf-8", Body: []byte(forbiddenPage)}
}

const forbiddenPage = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Not available</title>
</head>
<body>
<main>
<h1>Not available</h1>
<p>This payment session is unknown or has ended, or this address was opened where it is of no use.</p>
<p>Please go back to the shop and start the payment again.</p>
</main>
</body>
</html>
`
