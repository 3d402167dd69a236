/** Path and query of the first address in a mail. */
export function linkIn(text = ""): string {
  const { pathname, search } = new URL(/https?:\S+/.exec(text)?.[0] ?? "http://no.link.invalid");
  return pathname + search;
}

/** The message that an answer leaves for the next page. */
export function toastOf(response: Response): unknown {
  const cookie = response.headers.getSetCookie().find((line) => line.startsWith("meishi.toast="));
  return JSON.parse(Buffer.from(/=([^;]*)/.exec(cookie ?? "")?.[1] ?? "", "base64url").toString() || "null");
}

/** Two pages that differ only in what is random in them are one page. */
export function withoutRandom(page: string): string {
  return page.replace(/name="pending" value="[^"]+"/g, "").replace(/nonce="[^"]+"/g, "");
}
