module example.com/outside

go 1.26.0

require github.com/tollgatepay/gateway v0.0.0

replace github.com/tollgatepay/gateway => ../..
