import {
  choice,
  matching,
  oneOf,
  parseMailAddresses,
  parseHeaderName,
  parseNetworks,
  settingIn,
} from "./setting-values.ts";

/** Who runs the program, who may use it, and what is around it: a proxy, logs, monitoring. */
export const operationSettings = {
  adminEmails: settingIn()("ADMIN_EMAILS", parseMailAddresses, {
    default: "",
    doc: "Emails of the accounts that may open `/admin`, separated by commas. They must be confirmed and use two-step verification.",
  }),
  signUp: settingIn("Sign-up")("SIGN_UP", oneOf("open", "invite", "closed"), {
    default: "open",
    doc: "Who may create an account: `open` everyone, `invite` only those whom an operator invites at `/admin/invitations` or with `npm run account -- invite <email>`, `closed` no one. See [docs/sign-in.md](sign-in.md#who-can-sign-up).",
  }),
  planForEveryone: settingIn()("PLAN_FOR_EVERYONE", choice("premium", "free"), {
    default: "free",
    doc: "`premium` gives every account Premium and removes prices and the pricing page, as for a team of your own.",
  }),
  googleContacts: settingIn("Google Contacts")("GOOGLE_CONTACTS", choice("on", "off"), {
    default: "off",
    doc: "`on` offers owners to copy their leads to Google Contacts, with the client of `GOOGLE_CLIENT_ID`. See [docs/integrations.md](integrations.md#google-and-microsoft).",
  }),
  trustedProxy: settingIn("Reverse proxy")("TRUSTED_PROXY", parseNetworks, {
    default: "",
    doc: "IP addresses of your reverse proxies, separated by commas: `10.0.0.2, ::1`. Only their `X-Forwarded-For` is trusted. If you list a network (`10.0.9.0/24`), no visitor may be in it.",
  }),
  countryHeader: settingIn()("COUNTRY_HEADER", parseHeaderName, {
    without: "none: visits are counted without a country",
    doc: "Request header in which your proxy names the visitor's country by its two letters, such as `CF-IPCountry`. Only a `TRUSTED_PROXY` is believed, which must set or remove it on each request.",
  }),
  logLevel: settingIn()("LOG_LEVEL", oneOf("debug", "info", "warn", "error"), {
    default: "info",
    doc: "The least important lines of the log. With `warn`, requests aren’t logged.",
  }),
  metricsToken: settingIn("Monitoring")(
    "METRICS_TOKEN",
    matching(/^[\w.~+/=-]{16,}$/, "must be 16 or more letters, digits or - . _ ~ + / =."),
    {
      without: "none: no metrics",
      doc: "Token with which Prometheus reads `/metrics`. See [docs/operators.md](operators.md#metrics-and-alerts).",
    },
  ),
};
