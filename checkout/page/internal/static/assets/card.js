// The fields of a card work without this file. It applies the rules (rules.js) while the payer types, shows the
// brand and reports faults to page.js.
(function () {
  "use strict";

  var byId = function (id) { return document.getElementById(id); };

  var rules = cardRules, put = rules.put, digitsOf = rules.digitsOf, wholeDate = rules.wholeDate;

  var checks = {
    number: rules.checks.number,
    expiry: rules.checks.expiry,
    code: rules.checks.code,
    name: function (value) {
      return value.trim().length <= 200 && /\S\s+\S/.test(value.trim()) && !/\d/.test(value);
    }
  };

  function setUpNumber(number, onBrand) {
    function showBrand() {
      var brand = rules.brandOf(digitsOf(number.value));
      number.parentNode.querySelectorAll("[data-brand]").forEach(function (img) { img.hidden = img.dataset.brand !== brand[0]; });
      if (onBrand) { onBrand(brand[5]); }
    }
    number.addEventListener("input", function (event) {
      if (event.isComposing) { return; }
      put(number, rules.groupNumber(number.value));
      showBrand();
    });
    number.addEventListener("beforeinput", rules.hop);
    number.addEventListener("copy", function (event) {
      var picked = number.value.slice(number.selectionStart, number.selectionEnd);
      if (event.clipboardData && picked) {
        event.clipboardData.setData("text/plain", digitsOf(picked));
        event.preventDefault();
      }
    });
    showBrand();
    return showBrand;
  }

  function setUpExpiry(expiry) {
    expiry.addEventListener("input", function (event) {
      if (event.isComposing) { return; }
      var deleting = /^delete/.test(event.inputType || "");
      var typing = event.inputType === "insertText" && event.data && event.data.length === 1;
      put(expiry, (!typing && !deleting && wholeDate(expiry.value)) || rules.slashDate(expiry.value, deleting));
    });
    expiry.addEventListener("beforeinput", rules.hop);
    expiry.addEventListener("blur", function () { var whole = wholeDate(expiry.value); if (whole) { expiry.value = whole; } });
  }

  // setUpCard also shows where the code is: on the typed card, or on the chosen saved card.
  function setUpCard(number, code) {
    var hint = byId("cvv-hint");
    var again = setUpNumber(number, function (digits) {
      var saved = document.querySelector(".kept:checked");
      digits = saved ? Number(saved.dataset.digits) : digits;
      if (hint) { hint.textContent = digits === 4 ? hint.dataset.four : hint.dataset.three; }
    });
    document.querySelectorAll('input[name="saved"]').forEach(function (radio) { radio.addEventListener("change", again); });
    if (code) {
      code.addEventListener("input", function (event) { if (!event.isComposing) { put(code, digitsOf(code.value).slice(0, 4)); } });
    }
  }

  if (byId("card_number")) { setUpCard(byId("card_number"), byId("cvv")); }
  if (byId("expiry")) { setUpExpiry(byId("expiry")); } // a payout to a saved card has only this field
  if (byId("payee_card")) { setUpNumber(byId("payee_card"), null); }

  // page.js sends "check" before it reads the validity of a field.
  document.querySelectorAll("[data-card]").forEach(function (input) {
    input.addEventListener("check", function () {
      input.setCustomValidity(!input.value || checks[input.dataset.card](input.value) ? "" : "bad");
    });
  });
})();
