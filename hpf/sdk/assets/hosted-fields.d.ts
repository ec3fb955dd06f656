// Types of the browser library of Hosted Payment Fields, served beside it as hosted-fields.d.ts.

declare namespace HostedFields {
  /** CSS properties, as "font-size" or fontSize. A value may end in !important. Properties that are not allowed are left out, with one message on the console. */
  type Rules = Record<string, string | number>;

  /** Styles by selector. */
  type Style = Looks & { [Selector in States]?: Rules };

  /** States of a field and of its placeholder: ".invalid:focus", ":hover", "input:focus::placeholder". */
  type State = ":hover" | ":focus" | ":disabled";
  type States = `${"" | "input" | ".valid" | ".invalid"}${State}${"" | "::placeholder"}` | `${"input" | ".valid" | ".invalid"}::placeholder`;

  interface Looks {
    input?: Rules;
    "::placeholder"?: Rules;
    /** The body around the field: the whole frame. */
    body?: Rules;
    /** A field whose value is complete. */
    ".valid"?: Rules;
    /** A field that was left, or collected, with a wrong value. */
    ".invalid"?: Rules;
    /** The picture of the card's brand. */
    ".hosted-field-card-brand-logo"?: Rules;
  }

  interface Field {
    /** The id of the element that the frame is put into. */
    id: string;
    placeholder?: string;
    style?: Style;
    /** The field's name for screen readers, in the language of the page. Default: English. */
    label?: string;
    /** The error text of a wrong value, for screen readers and in Result.message. Default: English. */
    error?: string;
  }

  interface Config {
    /** The token of POST /api/v1/session/token. */
    sessionToken: string;
    fields: { card: Field; expiry: Field; cvv: Field };
    /** Style of all fields; a field's own style overrides it. */
    style?: Style;
  }

  interface Result {
    /** "success": the card is saved and the payment may start. "undefined": nothing was saved. */
    result: "success" | "undefined";
    message: string;
  }

  interface Listeners {
    input?: ((data: { valid: boolean }) => void) | null;
    focus?: (() => void) | null;
    blur?: (() => void) | null;
  }
}

declare class HostedFields {
  static cardOn: HostedFields.Listeners;
  static expiryOn: HostedFields.Listeners;
  static cvvOn: HostedFields.Listeners;
  static onSubmitResult: ((data: HostedFields.Result) => void) | null;
  static init(config: HostedFields.Config): Promise<void>;
  static collectIframesData(): void;

  cardOn: HostedFields.Listeners;
  expiryOn: HostedFields.Listeners;
  cvvOn: HostedFields.Listeners;
  /** Gets the result of collectIframesData. */
  onSubmitResult: ((data: HostedFields.Result) => void) | null;
  /**
   * Puts the fields on the page. Throws an Error on a wrong configuration; the promise is fulfilled when all
   * fields are loaded, and rejected when one is not loaded within 15 seconds.
   */
  init(config: HostedFields.Config): Promise<void>;
  /** Sends what was typed to the gateway. Throws an Error before init. */
  collectIframesData(): void;
}

/** The global that the script sets. */
interface Window {
  HostedFields: typeof HostedFields;
}
