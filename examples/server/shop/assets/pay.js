// Takes a card with the gateway's hosted fields and has the shop's backend charge it. Digits are in the
// gateway's frames; this script gets the state of the fields and never their values.
"use strict";
(() => {
  const form = document.getElementById("pay");
  const button = form.querySelector("button");
  const message = document.getElementById("message");
  const total = document.getElementById("total");
  const wrap = document.getElementById("wrap");

  const say = (text) => {
    message.textContent = text;
    message.hidden = !text;
  };

  const showTotal = () => { total.textContent = wrap && wrap.checked ? total.dataset.gift : total.dataset.plain; };
  if (wrap) wrap.addEventListener("change", showTotal);
  showTotal();

  if (typeof HostedFields === "undefined") {
    say("The fields of the card could not be loaded. Please try again later.");
    return;
  }

  // The frames are drawn in the colours of the shop. They do not have its stylesheet, so the colours are passed.
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const style = () => ({
    input: { color: colour("--ink"), "caret-color": colour("--ink"), padding: "0 0.75rem" },
    "::placeholder": { color: colour("--soft") },
    "input:focus": { "box-shadow": "none" },
    ".invalid": { color: colour("--bad"), "box-shadow": "none" },
  });

  // The style of a field's element: its frame has no border of its own.
  const listeners = (id) => {
    const slot = document.getElementById(id);
    let valid = false;
    let touched = false;
    return {
      input(data) {
        ({ valid } = data);
        touched = true;
        if (valid) slot.classList.remove("wrong");
      },
      focus() { slot.classList.add("focus"); },
      blur() {
        slot.classList.remove("focus");
        slot.classList.toggle("wrong", touched && !valid);
      },
    };
  };

  const fields = new HostedFields();
  fields.cardOn = listeners("card");
  fields.expiryOn = listeners("expiry");
  fields.cvvOn = listeners("cvv");

  // The browser attributes for 3-D Secure.
  const measure = () => {
    const measured = {
      color_depth: screen.colorDepth, screen_height: screen.height, screen_width: screen.width,
      time_zone_offset: new Date().getTimezoneOffset(), language: navigator.language,
      java_enabled: false, java_script_enabled: true,
    };
    for (const [name, value] of Object.entries(measured)) {
      const input = form.elements.namedItem(name) || document.createElement("input");
      Object.assign(input, { type: "hidden", name, value: String(value) });
      form.append(input);
    }
  };

  // success means that the gateway has the card. Any other result has a message for the payer.
  fields.onSubmitResult = ({ result, message: text }) => {
    if (result === "success") {
      measure();
      form.submit();
      return;
    }
    say(text);
    button.disabled = false;
  };

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (button.disabled) return;
    button.disabled = true;
    say("");
    fields.collectIframesData();
  });

  const begin = () => fields.init({
    sessionToken: form.dataset.token,
    style: style(),
    fields: { card: { id: "card", placeholder: "1234 1234 1234 1234" }, expiry: { id: "expiry", placeholder: "MM/YY" }, cvv: { id: "cvv", placeholder: "123" } },
  }).then(() => { button.disabled = false; }, () => {
    say("The fields of the card could not be loaded: the order may be too old. Please place it again.");
  });
  begin();

  // A page that the browser kept comes back as it was left, with the button off.
  addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
})();
