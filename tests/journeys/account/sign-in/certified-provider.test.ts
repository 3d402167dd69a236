import { decodeJwt } from "jose";
import { expect, test } from "vitest";

import { createTestApp } from "#tests/support/app/test-app.ts";
import { isSignedIn, locationOf } from "#tests/support/app/visitor.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";
import { certifiedClient, openCertifiedProvider } from "#tests/support/providers/certified-provider.ts";
import type { CertifiedProvider } from "#tests/support/providers/certified-provider.ts";
import { listUsers, openProvider, readProviderUrl } from "#tests/support/providers/provider-visits.ts";

type Options = { provider?: Omit<Parameters<typeof openCertifiedProvider>[0], "baseUrl">; secret?: string };

async function openApp({ provider: settings, secret = certifiedClient.secret }: Options = {}) {
  const provider = await openCertifiedProvider({ baseUrl: "http://localhost:3000", ...settings });
  const env = { OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: certifiedClient.id, OIDC_CLIENT_SECRET: secret };
  return { ...(await createTestApp({ env })), provider };
}

type Browser = ReturnType<CertifiedProvider["openBrowser"]>;

/** Signs in at the provider and agrees; returns the address of the callback. */
async function approve(browser: Browser, url: string): Promise<URL> {
  let answer = await browser.open(url);
  while ("page" in answer) answer = await browser.submit(answer.page, { login: "ada", password: "any" });
  return answer.left;
}

const finish = async (visitor: Visitor, { pathname, search }: URL) => locationOf(await visitor.get(pathname + search));
const refused = "/auth?error=sign_in_failed&provider=sso";

test("a user signs in and out at a provider that insists on PKCE, a nonce and registered addresses", async () => {
  const { visitor, services, provider } = await openApp();
  const [ada, browser] = [visitor(), provider.openBrowser()];
  const url = await openProvider(ada, "sso", "?returnTo=/cards");
  const callback = await approve(browser, url);
  // RFC 9207.
  expect(callback.searchParams.get("iss")).toBe(provider.issuer);
  expect(await finish(ada, callback)).toBe("/cards");
  // The ID token has no email: it comes from the userinfo endpoint.
  expect(await listUsers(services)).toEqual([
    expect.objectContaining({ email: "ada@corp.example", name: "Ada Lovelace" }),
  ]);

  const logout = await readProviderUrl(await ada.post("/auth/sign-out", {}));
  const hint = decodeJwt(new URL(logout).searchParams.get("id_token_hint") ?? "");
  expect(hint).toMatchObject({ sub: "ada", aud: "meishi", nonce: new URL(url).searchParams.get("nonce") });
  const question = await browser.open(logout);
  const end = await browser.submit("page" in question ? question.page : "", { logout: "yes" });
  expect(end).toEqual({ left: new URL("http://localhost:3000/auth") });
  expect(await isSignedIn(ada)).toBe(false);
  // There, too: the provider asks who it is again.
  expect(await browser.open(await openProvider(ada, "sso"))).toEqual({ page: expect.stringContaining('name="login"') });
  expect(provider.errors).toEqual([]);
});

test("the client's secret goes where the provider accepts it", async () => {
  const { visitor, provider } = await openApp({ provider: { authMethod: "client_secret_basic" } });
  const ada = visitor();
  const callback = await approve(provider.openBrowser(), await openProvider(ada, "sso"));
  expect(await finish(ada, callback)).toBe("/start");
  expect(provider.errors).toEqual([]);
});

test("another client's secret signs no one in, and the log says what the operator has to know", async () => {
  const secret = "another-secret".repeat(3);
  const { visitor, provider, logLines } = await openApp({ secret });
  const ada = visitor();
  const callback = await approve(provider.openBrowser(), await openProvider(ada, "sso"));
  expect(await finish(ada, callback)).toBe(refused);
  expect(provider.errors).toEqual(["grant: invalid_client"]);
  const lines = logLines.filter(({ msg }) => msg === "a provider refused a sign-in");
  expect(lines).toEqual([
    expect.objectContaining({ level: 40, provider: "sso", reason: expect.stringMatching(/401 invalid_client/) }),
  ]);
  expect(JSON.stringify(logLines)).not.toContain(secret);
});

test("a stolen code is worth nothing in another sign-in: the provider checks PKCE", async () => {
  const { visitor, services, provider } = await openApp();
  const [ada, eve] = [visitor(), visitor()];
  const stolen = await approve(provider.openBrowser(), await openProvider(ada, "sso"));
  const callback = await approve(provider.openBrowser(), await openProvider(eve, "sso"));
  callback.searchParams.set("code", stolen.searchParams.get("code") ?? "");
  expect(await finish(eve, callback)).toBe(refused);
  expect(provider.errors).toEqual([expect.stringMatching(/^grant: .*(verif|PKCE|grant)/i)]);
  expect(await listUsers(services)).toEqual([]);
});

test("an unconfirmed email address creates no account", async () => {
  const { visitor, services, provider } = await openApp({ provider: { claims: { email_verified: false } } });
  const ada = visitor();
  const callback = await approve(provider.openBrowser(), await openProvider(ada, "sso"));
  expect(await finish(ada, callback)).toBe("/auth?error=email_not_verified&provider=sso");
  expect(await listUsers(services)).toEqual([]);
});
