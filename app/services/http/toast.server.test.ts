import { expect, test } from "vitest";

import { createTextSigner } from "#app/services/base/signed-token.server.ts";

import { createToastCookies, hasToast, redirectWithToast } from "./toast.server.ts";
import type { ToastMessage } from "./toast.server.ts";

const saved: ToastMessage = { title: "Saved", text: "Your card is public.", tone: "success" };
const open = (baseUrl = "http://localhost:3000", secret = "secret") =>
  createToastCookies({ config: { baseUrl }, sign: createTextSigner(secret) });
const cookieFor = (cookies: ReturnType<typeof open>, toast = saved) =>
  cookies.takeCookie(redirectWithToast("/", toast).headers) ?? "";
const pairOf = (cookie: string) => cookie.split(";")[0] ?? "";

test("a toast cookie brings the message to the next page, among other cookies", () => {
  const pair = pairOf(cookieFor(open()));
  expect(open().read(`theme=dark; ${pair}; other=1`)).toEqual(saved);
  expect(hasToast(`theme=dark; ${pair}`)).toBe(true);
  // The cookie takes the place of the header that a route left.
  const { headers } = redirectWithToast("/profile", saved);
  expect(open().takeCookie(headers)).toContain("Max-Age=30");
  expect([...headers.keys()]).toEqual(["location"]);
  expect(open().takeCookie(headers)).toBeUndefined();
});

test("a toast cookie is ignored when it is unsigned, changed or signed with another secret", () => {
  const pair = pairOf(cookieFor(open()));
  const [name = "", value = ""] = pair.split("=");
  const [payload = ""] = value.split(".");
  for (const one of [payload, `${payload}.`, `${value}x`, "", "%%%"])
    expect(open().read(`${name}=${one}`)).toBeUndefined();
  expect(open(undefined, "another secret").read(pair)).toBeUndefined();
  expect(open().read(undefined)).toBeUndefined();
});

test("a toast cookie is bound to this host over HTTPS, and out of reach of scripts", () => {
  const cookies = open("https://cards.example");
  const cookie = cookieFor(cookies);
  expect(cookie).toMatch(/^__Host-meishi\.toast=/);
  for (const one of [cookie, cookies.clearingCookie])
    expect(one).toMatch(/; Path=\/; Max-Age=\d+; SameSite=Lax; Secure; HttpOnly$/);
  expect(cookies.read(pairOf(cookie))).toEqual(saved);
  expect(hasToast(pairOf(cookie))).toBe(true);
  expect(cookies.read(pairOf(cookie).replace("__Host-", ""))).toBeUndefined();
});
