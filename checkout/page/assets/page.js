// The page works without this file, which formats and checks what is typed and goes on by itself.
(function () {
  "use strict";

  var byId = function (id) { return document.getElementById(id); };

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

  var checks = {
    card_number: function (value) {
      var digits = digitsOf(value), brand = brandOf(digits);
      return digits.length >= brand[2] && digits.length <= brand[3] && luhn(digits);
    },
    expiry: function (value) {
      var m = /^(\d\d)\/(\d\d)$/.exec(wholeDate(value) || value);
      if (!m || Number(m[1]) < 1 || Number(m[1]) > 12) { return false; }
      return Date.UTC(2000 + Number(m[2]), Number(m[1]), 1, 12) > Date.now();
    },
    cvv: function (value) { return /^\d{3,4}$/.test(fold(value).replace(/\s/g, "")); },
    name: function (value) {
      return value.trim().length <= 32 && /\S\s+\S/.test(value.trim()) && !/\d/.test(value);
    }
  };

  // checkOf is the check of a field; what a method asks for has to be there and fit its pattern.
  function checkOf(input) {
    return checks[input.id] || function (value) { return value.trim() !== "" && !input.validity.patternMismatch; };
  }

  function mark(input, live) {
    var ok = checkOf(input)(input.value), error = byId(input.id + "-error");
    var text = ok ? "" : (!input.value.trim() && input.dataset.blank) || input.dataset.error;
    if (ok) { input.removeAttribute("aria-invalid"); } else { input.setAttribute("aria-invalid", "true"); }
    if (error.textContent !== text) {
      error.textContent = text;
      if (live && text) { live.textContent = text; }
    }
    return ok;
  }

  // inSight holds for the fields of the method that is chosen; all of them where there is no choice.
  function inSight(input) {
    var section = input.closest(".section");
    return !section || section.getClientRects().length > 0;
  }

  function setUpCard(form, number, expiry, code) {
    var hint = byId("cvv-hint");

    function showBrand() {
      var brand = brandOf(digitsOf(number.value));
      form.querySelectorAll("[data-brand]").forEach(function (img) { img.hidden = img.dataset.brand !== brand[0]; });
      hint.textContent = brand[5] === 4 ? hint.dataset.four : hint.dataset.three;
    }
    function onNumber(event) {
      if (event.isComposing) { return; }
      put(number, groupNumber(number.value));
      showBrand();
    }
    function onExpiry(event) {
      if (event.isComposing) { return; }
      var deleting = /^delete/.test(event.inputType || "");
      var typing = event.inputType === "insertText" && event.data && event.data.length === 1;
      put(expiry, (!typing && !deleting && wholeDate(expiry.value)) || slashDate(expiry.value, deleting));
    }
    function copyDigits(event) {
      var picked = number.value.slice(number.selectionStart, number.selectionEnd);
      if (event.clipboardData && picked) {
        event.clipboardData.setData("text/plain", digitsOf(picked));
        event.preventDefault();
      }
    }
    number.addEventListener("input", onNumber);
    number.addEventListener("beforeinput", hop);
    number.addEventListener("copy", copyDigits);
    expiry.addEventListener("input", onExpiry);
    expiry.addEventListener("beforeinput", hop);
    expiry.addEventListener("blur", function () { var whole = wholeDate(expiry.value); if (whole) { expiry.value = whole; } });
    code.addEventListener("input", function (event) { if (!event.isComposing) { put(code, digitsOf(code.value).slice(0, 4)); } });
    showBrand();
  }

  function setUpForm(form) {
    var live = byId("live"), sent = false, fields = Array.from(form.querySelectorAll('input[type="text"]'));
    if (byId("card_number")) { setUpCard(form, byId("card_number"), byId("expiry"), byId("cvv")); }
    fields.forEach(function (input) {
      if (input.className === "ask" && input.inputMode === "numeric") {
        input.addEventListener("input", function (event) { if (!event.isComposing) { put(input, digitsOf(input.value)); } });
      }
      input.addEventListener("blur", function () { if (input.value) { mark(input, live); } });
      input.addEventListener("input", function () {
        if (input.getAttribute("aria-invalid") && checkOf(input)(input.value)) { mark(input, live); }
      });
    });

    form.addEventListener("submit", function (event) {
      if (sent) { event.preventDefault(); return; }
      var wrong = fields.filter(inSight).filter(function (input) { return !mark(input, null); });
      if (wrong.length) {
        event.preventDefault();
        live.textContent = byId(wrong[0].id + "-error").textContent;
        wrong[0].focus();
        return;
      }
      sent = true;
      fields.forEach(function (input) { input.disabled = !inSight(input); }); // is not sent
      measure(form);
      form.setAttribute("aria-busy", "true");
      form.querySelector("button").disabled = true;
      live.textContent = form.dataset.sending;
    });
    window.addEventListener("pageshow", function (event) { if (event.persisted) { location.reload(); } });
    watchExpiry(byId("until"), live);
  }

  // measure fills in what 3-D Secure asks about the browser.
  function measure(form) {
    var facts = {
      javascript_enabled: true, java_enabled: false, language: navigator.language, platform: navigator.platform,
      color_depth: screen.colorDepth, screen_width: screen.width, screen_height: screen.height,
      timezone_offset: new Date().getTimezoneOffset()
    };
    Object.keys(facts).forEach(function (name) {
      var field = form.elements["browser_" + name];
      if (field) { field.value = String(facts[name]); }
    });
  }

  // watchExpiry tells the payer's own time, warns once, and goes on when time is over.
  function watchExpiry(until, live) {
    var end = until ? Date.parse(until.dateTime) : NaN;
    if (isNaN(end)) { return; }
    var day = new Date(end).toDateString() === new Date().toDateString() ? undefined : "long";
    until.textContent = new Date(end).toLocaleString(document.documentElement.lang + "-u-nu-latn", { dateStyle: day, timeStyle: "short" });
    var after = function (ms, what) { if (ms > 0 && ms < 2e9) { setTimeout(what, ms); } };
    after(end - Date.now() - 120000, function () { live.textContent = until.dataset.soon; });
    after(end - Date.now() + 1000, function () {
      live.textContent = until.dataset.over;
      if (!byId("pay").getAttribute("aria-busy")) { location.replace(location.pathname.replace(/\/answer$/, "")); }
    });
  }

  if (byId("pay")) { setUpForm(byId("pay")); }
})();
