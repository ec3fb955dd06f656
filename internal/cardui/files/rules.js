// The rules of card fields: brands and groups, check digit, dates, caret.
const cardRules = (function () {
  "use strict";

  // Brands: pattern, least and most digits, where the gaps are, digits of the code. A number that fits
  // none for certain has none.
  var brands = [
    ["amex", /^3[47]/, 15, 15, [4, 10], 4],
    ["diners", /^3(?:0[0-5]|[689])/, 14, 19, [4, 10], 3],
    ["jcb", /^35(?:2[89]|[3-8])/, 16, 19, [4, 8, 12, 16], 3],
    ["visa", /^4/, 16, 19, [4, 8, 12, 16], 3],
    ["mastercard", /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, 16, 16, [4, 8, 12], 3],
    ["discover", /^(?:6011|64[4-9]|65)/, 16, 19, [4, 8, 12, 16], 3],
    ["unionpay", /^62/, 16, 19, [4, 8, 12, 16], 3],
    ["maestro", /^(?:50|5[6-8]|6304|67)/, 14, 19, [4, 8, 12, 16], 3]
  ];
  var unknown = ["", null, 14, 19, [4, 8, 12, 16], 0];

  function brandOf(digits) {
    for (var i = 0; i < brands.length; i++) { if (brands[i][1].test(digits)) { return brands[i]; } }
    return unknown;
  }

  // Digits of other scripts count as digits.
  function fold(text) {
    return text.replace(/[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\uff10-\uff19]/g, function (c) {
      var code = c.charCodeAt(0);
      return String((code - (code >> 7 === 18 ? 6 : 0)) & 15);
    });
  }
  function digitsOf(text) { return fold(text).replace(/[^0-9]/g, ""); }

  function luhn(digits) {
    var sum = 0;
    for (var i = 0; i < digits.length; i++) {
      var n = Number(digits[digits.length - 1 - i]);
      if (i % 2) { n *= 2; if (n > 9) { n -= 9; } }
      sum += n;
    }
    return sum % 10 === 0;
  }

  function groupNumber(text) {
    var digits = digitsOf(text), brand = brandOf(digits), out = "";
    digits = digits.slice(0, brand[3]);
    for (var i = 0; i < digits.length; i++) { out += (brand[4].indexOf(i) >= 0 ? " " : "") + digits[i]; }
    return out;
  }

  function pad(month) { return month.length < 2 ? "0" + month : month; }

  // Password managers give whole dates; typing gives one digit after the other.
  function wholeDate(text) {
    var t = fold(text).trim(), m;
    if ((m = /^(20\d\d)\s*[-/. ]?\s*(\d{1,2})$/.exec(t)) && Number(m[2]) <= 12 && t.length > 5) { return pad(m[2]) + "/" + m[1].slice(2); }
    if ((m = /^(\d{1,2})\s*[-/. ]\s*(?:20)?(\d\d)$/.exec(t))) { return pad(m[1]) + "/" + m[2]; }
    if ((m = /^(\d\d)20(\d\d)$/.exec(t))) { return m[1] + "/" + m[2]; }
    return "";
  }
  function slashDate(text, deleting) {
    var folded = fold(text), digits = folded.replace(/[^0-9]/g, "");
    if (!deleting && (/^[2-9]/.test(digits) || /^\d[^0-9]/.test(folded))) { digits = "0" + digits; }
    digits = digits.slice(0, 6);
    if (digits.length > 2) { return digits.slice(0, 2) + "/" + digits.slice(2); }
    return digits.length === 2 && !deleting ? digits + "/" : digits;
  }

  // put writes a value and leaves the caret behind the same digit as before.
  function put(input, value) {
    if (input.value === value) { return; }
    var caret = input.selectionStart, atEnd = caret === input.value.length;
    var before = digitsOf(input.value.slice(0, caret)).length, at = 0;
    input.value = value;
    if (atEnd || document.activeElement !== input) { return; }
    while (at < value.length && before > 0) { if (/\d/.test(value[at])) { before--; } at++; }
    input.setSelectionRange(at, at);
  }

  // hop lets a deletion next to a separator take the digit behind it.
  function hop(event) {
    var input = event.target, at = input.selectionStart;
    if (at !== input.selectionEnd) { return; }
    if (event.inputType === "deleteContentBackward" && /[ /]/.test(input.value[at - 1] || "")) {
      input.setSelectionRange(at - 1, at - 1);
    } else if (event.inputType === "deleteContentForward" && /[ /]/.test(input.value[at] || "")) {
      input.setSelectionRange(at + 1, at + 1);
    }
  }

  // What a value must be to be sent on.
  var checks = {
    number: function (value) {
      var digits = digitsOf(value), brand = brandOf(digits);
      return digits.length >= brand[2] && digits.length <= brand[3] && luhn(digits);
    },
    expiry: function (value) {
      var m = /^(\d\d)\/(\d\d)$/.exec(wholeDate(value) || value);
      if (!m || Number(m[1]) < 1 || Number(m[1]) > 12) { return false; }
      return Date.UTC(2000 + Number(m[2]), Number(m[1]), 1, 12) > Date.now();
    },
    code: function (value) { return /^\d{3,4}$/.test(fold(value).replace(/\s/g, "")); }
  };

  return { brandOf, digitsOf, groupNumber, wholeDate, slashDate, put, hop, checks };
})();
