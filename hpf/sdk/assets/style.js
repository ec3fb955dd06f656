// Styles that the merchant's page gives to a field. Only these selectors, these properties and values of
// this grammar are allowed. They are set property by property through the CSSOM, so that no value can end
// its declaration, and neither an inline style nor 'unsafe-inline' is needed.
const hostedStyle = (function () {
  "use strict";

  const logo = ".hosted-field-card-brand-logo";

  // The field itself, its states, its placeholder, the body it stands in, and the brand's picture. The field that
  // only helps browsers to fill in stays hidden, whatever the style of inputs is.
  const field = /^(input)?(\.valid|\.invalid)?((?::hover|:focus|:disabled)*)(::placeholder)?$/;
  function located(selector) {
    if (selector === logo || selector === "body" || selector === "body:hover") { return selector; }
    const parts = selector && field.exec(selector);
    return parts ? (parts[1] ? "input:where(:not(.sr))" : ":where(input:not(.sr))") + (parts[2] || "") + parts[3] + (parts[4] || "") : "";
  }

  const sides = "(-(top|right|bottom|left|inline|block)(-(start|end))?)?";
  const properties = new RegExp("^(" + [
    "color", "background-color", "caret-color", "accent-color", "color-scheme", "opacity",
    "font(-(family|size|size-adjust|style|weight|stretch|variant|variant-numeric|kerning))?",
    "-webkit-font-smoothing", "-moz-osx-font-smoothing",
    "line-height", "letter-spacing", "word-spacing",
    "text-(align|indent|transform|shadow|rendering|overflow|decoration)",
    "padding" + sides, "margin" + sides,
    "(min-|max-)?(width|height)", "box-sizing", "box-shadow", "vertical-align",
    "border" + sides + "(-(color|style|width))?", "border-((top|bottom)-(left|right)-)?radius", "border-(start|end)-(start|end)-radius",
    "outline(-(color|style|width|offset))?", "cursor",
    "transition(-(property|duration|timing-function|delay))?"
  ].join("|") + ")$");
  const logoOnly = /^(top|right|bottom|left|display|visibility|object-fit)$/;

  // A value is a list of words, numbers, colours, quoted names of fonts and the functions named here, which
  // hold numbers only. There is no way to write url(), var(), attr(), an escape, a comment, a semicolon, a
  // brace or an at sign, and the two old words that once ran code are excluded.
  const part = new RegExp("(?:" + [
    "#[0-9a-f]{3,8}",
    "[-+]?(?:\\d+\\.?\\d*|\\.\\d+)(?:%|[a-z]{1,5})?",
    "(?:rgb|hsl)a?\\([\\d\\s.,%/+-]*\\)|cubic-bezier\\([\\d\\s.,+-]*\\)|steps\\(\\d+\\)",
    "\"[\\w ,-]*\"|'[\\w ,-]*'",
    "-?[a-z][a-z\\d-]*"
  ].join("|") + ")(?:\\s*[,/]\\s*|\\s+|$)", "iy");

  const important = /\s*!\s*important\s*$/i;

  function allowedValue(whole) {
    const value = typeof whole === "string" ? whole.replace(important, "") : "";
    if (value.length > 200 || /expression|behaviou?r|binding|javascript|import/i.test(value)) { return false; }
    const text = value.trim();
    if (!text || /[,/]$/.test(text)) { return false; }
    part.lastIndex = 0;
    while (part.lastIndex < text.length) {
      if (!part.test(text)) { return false; } // a miss sets lastIndex to 0
    }
    return true;
  }

  // cssName turns fontSize into font-size.
  function cssName(name) { return name.replace(/[A-Z]/g, function (c) { return "-" + c.toLowerCase(); }); }

  function allowed(selector, property, value) {
    const known = located(selector) !== "" && (properties.test(property) || (selector === logo && logoOnly.test(property)));
    return known && allowedValue(value);
  }

  // apply adds what is allowed and returns the rest, as "selector { property }".
  function apply(style) {
    const refused = [], sheet = new CSSStyleSheet();
    Object.keys(style).forEach(function (selector) {
      const at = located(selector), rule = at ? sheet.cssRules[sheet.insertRule(at + " {}", sheet.cssRules.length)] : null;
      Object.entries(style[selector] || {}).forEach(function (entry) {
        const name = cssName(entry[0]), value = entry[1];
        if (rule && allowed(selector, name, value)) {
          // A payer who prefers less motion gets it, so nothing is important there.
          rule.style.setProperty(name, value.replace(important, ""), important.test(value) && !/^transition/.test(name) ? "important" : "");
        } else { refused.push(selector + " { " + entry[0] + " }"); }
      });
    });
    document.adoptedStyleSheets = document.adoptedStyleSheets.concat(sheet);
    return refused;
  }

  return { allowed, apply };
})();
