/**
 * Writes an internationalized domain in ASCII, as mail servers require it (RFC 5891): "lena@Müller.example" ->
 * "lena@xn--mller-kva.example". Other text is returned unchanged.
 */
export function toAsciiDomain(address: string): string {
  const at = address.lastIndexOf("@") + 1;
  const domain = address.slice(at);
  // URL would read these characters as the end of the domain, or decode them.
  if (at === 0 || domain.length > 255 || !/[^ -~]/.test(domain) || /[\s\p{Cc}/\\?#:@%[\]<>]/u.test(domain))
    return address;
  const host = URL.parse(`http://${domain}`)?.hostname;
  return host === undefined ? address : `${address.slice(0, at)}${host}`;
}

/** One email address in lower case, with its domain in ASCII; undefined for anything else, such as a list or an unreasonably long one. */
export function parseEmail(value: unknown): string | undefined {
  if (typeof value !== "string" || value.length > 1000) return undefined;
  const typed = value.replace(/^ +| +$/g, "");
  // The lower case of the Kelvin sign is the letter k: "\u212Aim@…" and "kim@…" are two mailboxes.
  if (/[^ -~]/.test(typed.slice(0, typed.lastIndexOf("@")))) return undefined;
  const email = toAsciiDomain(typed.toLowerCase());
  return email.length <= maxEmailLength && isEmail(email) ? email : undefined;
}

/** RFC 5321 §4.5.3.1.3, without the angle brackets. */
const maxEmailLength = 254;

/** Whether a text is one email address in ASCII. Unlike zod's check, it allows internationalized top-level domains (xn--…). */
export function isEmail(text: string): boolean {
  return emailPattern.test(text);
}

const emailPattern =
  /^(?!\.)(?!.*\.\.)[a-z\d_'+.-]*[a-z\d_+-]@(?:[a-z\d][a-z\d-]*\.)+(?:[a-z]{2,}|xn--[a-z\d-]*[a-z\d])$/i;
