package methods

// cartSets returns the sets of SPEC2, "Shipping, cart, payments and marketplace set". Its conditional parameters
// are required when the MID lists them (decision w).
func cartSets() []Set {
	return []Set{
		{Name: "shipping", Title: "Shipping", Doc: "Where and how the order is delivered.", Rows: shippingRows()},
		{Name: "cart", Title: "Cart items", Doc: "What is bought, with the recipient of each item.", Rows: append(itemRows(), recipientRows()...)},
		{Name: "cart-payments", Title: "Cart payments", Doc: "Other payments of the same order.", Rows: []Row{
			opt("cart.payments[].name", an(255), "Name of the payment."),
			opt("cart.payments[].type", one("GIFTCARD", "PROMOTION"), "Kind of the payment."),
			opt("cart.payments[].amount", dec(10, 2), "Amount."),
			opt("cart.payments[].currency", alpha(3), "Currency of the amount."),
			opt("cart.payments[].status", one("pending", "authorized", "captured"), "State of the payment."),
			opt("cart.payments[].brand", an(255), "Brand of the payment."),
			opt("cart.payments[].primary", is(RuleBoolean), "Whether it is the main payment."),
		}},
		{Name: "marketplace", Title: "Marketplace sellers", Doc: "Who sells what on a marketplace.", Rows: []Row{
			opt("marketPlace.sellers[].id", an(255), "Seller."),
			opt("marketPlace.sellers[].amount", num(13), "The seller's part."),
		}},
	}
}

func shippingRows() []Row {
	return []Row{
		need("shipping.street1", an(100), "Street."),
		need("shipping.street2", an(100), "Street, second line."),
		opt("shipping.houseNumber1", an(100), "House number."),
		opt("shipping.houseNumber2", an(100), "House number, second part."),
		need("shipping.city", an(80), "City."),
		need("shipping.state", an(50), "State."),
		need("shipping.postcode", an(16), "Postcode."),
		need("shipping.country", is(RuleCountry), "Country."),
		need("shipping.method", an(30), "Method of delivery."),
		need("shipping.cost", num(13), "Cost of delivery."),
		need("shipping.comment", an(160), "Comment."),
		opt("shipping.expectedDate", an(10), "Expected day of delivery."),
		opt("shipping.logisticsProvider", an(255), "Carrier."),
		opt("shipping.trackingNumber", an(255), "Tracking number."),
		opt("shipping.returnTrackingNumber", an(255), "Tracking number of the return."),
		opt("shipping.normalized", an(255), "Whether the address was normalized."),
		opt("shipping.validationStatus", an(255), "Result of the address check."),
		opt("shipping.warehouse", an(100), "Warehouse."),
		opt("shipping.preference", an(21), "Preference of delivery."),
		opt("shipping.middleName", text(), "Middle name of the receiver; no length is given."),
		opt("shipping.companyName", an(60), "Company of the receiver."),
		opt("shipping.phone", an(25), "Phone."),
		opt("shipping.workPhone", an(25), "Phone at work."),
		opt("shipping.mobile", an(25), "Mobile phone."),
		opt("shipping.email", an(128), "E-mail address."),
		opt("shipping.type", one("return", "shipment"), "Direction."),
	}
}

func itemRows() []Row {
	return []Row{
		need("cart.items[].name", an(255), "Name of the item."),
		need("cart.items[].merchantItemId", an(255), "The merchant's id of the item."),
		need("cart.items[].quantity", num(5), "Quantity."),
		need("cart.items[].type", an(255), "Kind of the item."),
		opt("cart.items[].sku", an(255), "Stock keeping unit."),
		need("cart.items[].currency", alpha(3), "Currency of the prices."),
		need("cart.items[].description", an(2048), "Description."),
		opt("cart.items[].commodityCode", num(8), "Commodity code."),
		opt("cart.items[].commodityDescription", an(50), "Description of the commodity."),
		opt("cart.items[].originalPrice", an(255), "Price without tax and discount."),
		need("cart.items[].price", num(13), "Price with tax and discount."),
		need("cart.items[].totalAmount", num(13), "Total amount."),
		need("cart.items[].taxAmount", num(13), "Tax of one."),
		need("cart.items[].totalTaxAmount", num(13), "Tax of all."),
		need("cart.items[].tax", an(6), "Tax as a percentage."),
		need("cart.items[].taxCategory", an(2), "Tax category."),
		need("cart.items[].shipping", dec(10, 2), "Cost of shipping."),
		need("cart.items[].discount", num(13), "Discount as a percentage."),
		opt("cart.items[].giftMessage", an(255), "Message to go with a gift."),
		opt("cart.items[].shippingMethod", an(255), "Method of delivery."),
		opt("cart.items[].shippingInstructions", an(255), "Instructions for delivery."),
		opt("cart.items[].shippingTrackingNumber", an(255), "Tracking number."),
		opt("cart.items[].quantityUnit", one("M", "CM", "KG", "G", "COUNT"), "Unit of the quantity.").defaults("COUNT"),
		opt("cart.items[].productUrl", is(RuleURL), "Page of the product."),
		opt("cart.items[].imageUrl", is(RuleURL), "Picture of the product."),
		opt("cart.items[].totalDiscountAmount", dec(10, 2), "Discount of all."),
		opt("cart.items[].productCode", an(30), "Product code."),
		opt("cart.items[].partNumber", an(30), "Part number."),
		opt("cart.items[].itemNumber", num(3), "Number of the item in the order."),
		opt("cart.items[].vatReferenceNumber", an(30), "VAT reference."),
		opt("cart.items[].sellerId", an(255), "Seller."),
		opt("cart.items[].deliveryDate", an(10), "Day of delivery."),
	}
}

func recipientRows() []Row {
	return []Row{
		opt("cart.items[].recipient.salutation", an(5), "Recipient's salutation."),
		opt("cart.items[].recipient.firstName", an(48), "Recipient's first name."),
		opt("cart.items[].recipient.middleName", an(50), "Recipient's middle name."),
		opt("cart.items[].recipient.lastName", an(48), "Recipient's last name."),
		opt("cart.items[].recipient.apartment", an(100), "Recipient's apartment."),
		opt("cart.items[].recipient.street", an(100), "Recipient's street."),
		opt("cart.items[].recipient.address", an(100), "Recipient's address."),
		opt("cart.items[].recipient.city", an(80), "Recipient's city."),
		opt("cart.items[].recipient.state", an(50), "Recipient's state."),
		opt("cart.items[].recipient.postcode", an(16), "Recipient's postcode."),
		opt("cart.items[].recipient.country", is(RuleCountries), "Recipient's country."),
		opt("cart.items[].recipient.phone", num(25), "Recipient's phone."),
		opt("cart.items[].recipient.email", an(128), "Recipient's e-mail address."),
	}
}
