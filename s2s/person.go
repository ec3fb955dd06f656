package s2s

import (
	"slices"
	"strings"

	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/store"
)

// person is a block of parameters about the payer or the payee. In all documents they have the same names and
// nearly the same lengths.
type person struct {
	prefix    string // payer_ or payee_
	required  string // of the parameters below, without the prefix
	mapped    bool   // Protocol Mapping may require some of them
	city, zip int    // characters
}

// fields returns the parameters in the order of the documents' tables. Some of the payer's are required when the
// merchant's Protocol Mapping says so (SPEC1, version history 6.7.0).
func (p person) fields() []field {
	list := []field{
		p.field("first_name", atMost(32)),
		p.field("last_name", atMost(32)),
		p.field("middle_name", atMost(32)),
		p.field("birth_date", isDate),
		p.field("address", atMost(255)),
		p.field("address2", atMost(255)),
		p.field("house_number", atMost(9), isHouse),
		p.field("country", isCountry),
		p.field("state", isState(p.prefix)),
		p.field("city", atMost(p.city)),
		p.field("district", atMost(32)),
		p.field("zip", atMost(p.zip)),
		p.field("email", atMost(256), isEmail),
		p.field("phone", atMost(32)),
		p.field("phone_country_code", atMost(10), isPhoneCode),
	}
	if p.prefix == payer {
		list = append(list, p.field("ip", isIP), p.field("language", atMost(1024)).Says("of the payer's pages"))
	}
	return list
}

func (p person) field(name string, rules ...rule) field {
	return needed(p.needs(name), p.prefix+name, rules...)
}

const (
	payer = "payer_"
	payee = "payee_"
)

func (p person) needs(name string) need {
	switch {
	case slices.Contains(strings.Fields(p.required), name):
		return always
	case p.mapped && slices.Contains([]string{"address", "country", "city", "zip"}, name):
		return fields.If("where the Protocol Mapping requires it", func(r *reading) bool {
			return slices.Contains(r.client.Mapping(r.protocol).Required, payer+name)
		})
	}
	return never
}

// personNames are the names of the parameters that say who a person is.
type personNames struct {
	first, middle, last, email, birth, ip                                           string
	country, state, city, address, address2, house, zip, phone, phoneCode, district string
}

var payerNames, payeeNames = namesOf(payer), namesOf(payee)

func namesOf(prefix string) *personNames {
	return &personNames{
		first: prefix + "first_name", middle: prefix + "middle_name", last: prefix + "last_name",
		email: prefix + "email", birth: prefix + "birth_date", ip: prefix + "ip",
		country: prefix + "country", state: prefix + "state", city: prefix + "city", address: prefix + "address",
		address2: prefix + "address2", house: prefix + "house_number", zip: prefix + "zip", phone: prefix + "phone",
		phoneCode: prefix + "phone_country_code", district: prefix + "district",
	}
}

// person reads a person. An action without such a block has none, whatever was sent.
func (r *reading) person(names *personNames) store.Payer {
	if !r.takes(names.first) {
		return store.Payer{}
	}
	p := store.Payer{
		FirstName: r.text(names.first), MiddleName: r.text(names.middle), LastName: r.text(names.last),
		Email: r.text(names.email), BirthDate: r.text(names.birth), IP: r.text(names.ip),
		Address: store.Address{
			Country: r.text(names.country), State: r.text(names.state), City: r.text(names.city),
			Address: r.text(names.address), Address2: r.text(names.address2), HouseNumber: r.text(names.house),
			Zip: r.text(names.zip), Phone: r.text(names.phone), PhoneCountryCode: r.text(names.phoneCode),
			District: r.text(names.district),
		},
	}
	p.Address.State = fields.State(p.Address.Country, p.Address.State)
	return p
}

// payee returns the person who receives the money; nil when the request does not name one.
func (r *reading) payee() *store.Payer {
	p := r.person(payeeNames)
	if p == (store.Payer{}) {
		return nil
	}
	named := p // only then it has to outlive this call
	return &named
}
