/**
 * How Stripe counts amounts: in cents, except for the currencies of https://docs.stripe.com/currencies#zero-decimal, which have no smaller
 * unit, and those with three decimals.
 */
const withoutDecimals = words("bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf");
const withThreeDecimals = words("bhd jod kwd omr tnd");
/** They have no smaller unit either, but Stripe counts them in hundredths, for compatibility ("Special cases" on the same page). */
const countedInHundredths = words("isk ugx");

function words(text: string): readonly string[] {
  return text.split(" ");
}

/**
 * An amount as Stripe counts it, in the reader's way of writing numbers: 799 "usd" -> "$7.99", 500 "jpy" -> "¥500", 5120 "kwd" ->
 * "KWD 5.120".
 */
export function formatAmount(amount: number, currency: string, locale = "en-US"): string {
  const code = currency.toLowerCase();
  const decimals = withoutDecimals.includes(code) ? 0 : withThreeDecimals.includes(code) ? 3 : 2;
  const shown = countedInHundredths.includes(code) ? 0 : decimals;
  return new Intl.NumberFormat(locale, {
    style: "currency",
    currency: code.toUpperCase(),
    minimumFractionDigits: shown,
    maximumFractionDigits: shown,
  }).format(amount / 10 ** decimals);
}

type Amounts = { status: string; amount_due: number; amount_paid: number };

/** What was paid, or is to be paid. */
export function invoiceAmount({ status, amount_due, amount_paid }: Amounts): number {
  return status === "paid" ? amount_paid : amount_due;
}

/** The status of an invoice at Stripe, for its reader. */
export function invoiceStatus(status: string): { label: string; tone: "success" | "warning" | "muted" } {
  if (status === "paid") return { label: "Paid", tone: "success" };
  if (status === "open") return { label: "Not paid yet", tone: "warning" };
  if (status === "uncollectible") return { label: "Not paid", tone: "warning" };
  return { label: status === "void" ? "Void" : status, tone: "muted" };
}

/** The page of the list in the query parameter `invoices`; the first when it is missing or unusable. */
export function readInvoicePage(search: URLSearchParams): number {
  const page = /^\d{1,4}$/.exec(search.get("invoices") ?? "");
  return page ? Math.max(1, Number(page[0])) : 1;
}

/** The address that opens an invoice at Stripe, or its PDF. */
export function invoicePath(id: string, file?: "pdf"): string {
  return `/account/invoices/${id}${file ? `/${file}` : ""}`;
}
