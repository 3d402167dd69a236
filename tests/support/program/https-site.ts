import { setTimeout as pause } from "node:timers/promises";

import { OAuth2Server } from "oauth2-mock-server";
import PostalMime from "postal-mime";

import { firstLink } from "#tests/support/app/responses.ts";
import { openSmtpServer } from "#tests/support/app/smtp-server.ts";
import { createVisitor } from "#tests/support/app/visitor.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";
import { codeOf } from "#tests/support/fixtures/authenticator-app.ts";
import { expireProofs } from "./database.ts";
import { startProgram } from "./program.ts";

const baseUrl = "https://cards.example.com";
/** What a proxy that terminates TLS sends. */
const proxyHeaders = { host: "meishi.internal:3000", "x-forwarded-for": "198.51.100.7" };

type HttpsSite = Awaited<ReturnType<typeof startHttpsSite>>;

/** The built program as in production: an https address, requests as from a proxy that terminates TLS, a mail server and single sign-on. */
export async function startHttpsSite() {
  const mail = await openSmtpServer();
  const identityProvider = await startIdentityProvider();
  const program = await startProgram({
    BASE_URL: baseUrl,
    TRUSTED_PROXY: "127.0.0.1",
    DEMO: "on",
    WEB3_SIGN_IN: "on",
    SMTP_URL: mail.url,
    OIDC_ISSUER: identityProvider.issuer.url ?? "",
    OIDC_CLIENT_ID: "meishi",
    OIDC_CLIENT_SECRET: "the-secret-of-the-client",
  });
  const exchanges: { method: string; path: string; response: Response }[] = [];

  /** A browser. Its exchanges are kept. */
  function visitor() {
    const record = async (input: string, init?: RequestInit) => {
      const path = input.slice(baseUrl.length);
      const headers = { ...(init?.headers as Record<string, string>), ...proxyHeaders };
      const response = await fetch(`http://127.0.0.1:${program.port}${path}`, { ...init, headers });
      exchanges.push({ method: init?.method ?? "GET", path, response: response.clone() });
      return response;
    };
    return createVisitor({ request: record }, baseUrl);
  }

  /** The text of the first mail that matches. */
  async function findMail(to: string, subject: RegExp): Promise<string> {
    for (const end = Date.now() + 120_000; Date.now() < end; await pause(50)) {
      const mails = await Promise.all(mail.received.map((raw) => PostalMime.parse(raw)));
      const found = mails.findLast((one) => one.to?.[0]?.address === to && subject.test(one.subject ?? ""));
      if (found) return found.text ?? "";
    }
    throw new Error(`No mail to ${to} about ${subject}`);
  }

  async function close() {
    await program.remove();
    await mail[Symbol.asyncDispose]();
    await identityProvider.stop();
  }

  return { program, exchanges, visitor, findMail, approve, close };
}

/** What the browser does at the provider of single sign-on. Returns the path of the callback. */
async function approve(page: Response): Promise<string> {
  const url = /content="0; url=([^"]+)"/.exec(await page.text())?.[1] ?? "";
  const answer = await fetch(url.replaceAll("&#38;", "&"), { redirect: "manual" });
  const callback = new URL(answer.headers.get("location") ?? "");
  return callback.pathname + callback.search;
}

/** An OpenID provider that we didn't write, on localhost. */
async function startIdentityProvider() {
  const server = new OAuth2Server();
  await server.issuer.keys.generate("RS256");
  await server.start(0, "localhost");
  const claims = { aud: "meishi", sub: "ada-1", email: "ada@corp.example", email_verified: true, name: "Ada Lovelace" };
  server.service.on("beforeTokenSigning", (token: { payload: object }) => Object.assign(token.payload, claims));
  return server;
}

const email = "ada.lovelace@example.com";
const newEmail = "countess@example.com";
const passwords = ["tea with Charles", "a fresh cup of tea", "the analytical engine"] as const;
const wrongPassword = "a password that is wrong";

/** What no log, no Referer and no other visitor may learn. */
type Secrets = { texts: Set<string>; codes: Set<string> };

type Journey = { site: HttpsSite; secrets: Secrets };

/** One account's life through every sign-in method: sign-up, reset, mailed link and code, two-step verification, single sign-on, changes, deletion. */
export async function liveThroughEverything(site: HttpsSite): Promise<Secrets> {
  const texts = [email, newEmail, ...passwords, wrongPassword, "the-secret-of-the-client"];
  const journey = { site, secrets: { texts: new Set(texts), codes: new Set<string>() } };
  await signUp(journey);
  await resetPassword(journey);
  await signInByMail(journey);
  const { codes, user } = await useSecondFactor(journey);
  await openEveryPage(user);
  await connectAndSignInThere(journey, { user, codes });
  await changeEverything(journey, { user, codes });
  for (const { path, response } of site.exchanges) noteSecrets(journey, path, response);
  return journey.secrets;
}

/** Opens a link from a mail, and presses its button. */
async function follow({ site, secrets }: Journey, user: Visitor, { form = {}, ...mail }: Mail) {
  const link = firstLink(await site.findMail(mail.to, mail.subject));
  secrets.texts.add(new URLSearchParams(link.slice(link.indexOf("?"))).get("token") ?? "");
  await expectStatus(user.get(link), 200);
  return user.post(link, form);
}

/** `codes`: the backup codes. */
type SecondFactor = { user: Visitor; codes: string[] };

type Mail = { to: string; subject: RegExp; form?: Record<string, string> };

async function signUp(journey: Journey) {
  const ada = journey.site.visitor();
  await expectStatus(ada.get("/"), 200);
  await expectStatus(ada.post("/theme", { theme: "light" }), 303);
  await expectStatus(ada.post("/keep", { name: "Ada Lovelace", title: "Analyst", company: "" }), 303);
  for (const path of ["/auth", "/auth?tab=signup", "/forgot-password", "/signup?tier=free"]) await ada.get(path);
  await expectStatus(ada.post("/auth?tab=signup", { intent: "sign-up", email, password: "123456" }), 400);
  await expectStatus(ada.post("/auth?tab=signup", { intent: "sign-up", email, password: passwords[0] }), 200);
  await expectStatus(follow(journey, ada, { to: email, subject: /Confirm your email/ }), 302);
  await expectStatus(ada.get("/profile"), 200);
  await expectStatus(ada.post("/auth/sign-out", {}), 302);
  await ada.get("/auth");
  await expectStatus(ada.post("/auth", { intent: "log-in", email, password: wrongPassword }), 400);
  await expectStatus(ada.post("/auth/here", { email, password: passwords[0] }), 200);
}

async function resetPassword(journey: Journey) {
  const ada = journey.site.visitor();
  await expectStatus(ada.post("/forgot-password", { email }), 200);
  const form = { password: passwords[1], confirm: passwords[1] };
  await expectStatus(follow(journey, ada, { to: email, subject: /Set a new password/, form }), 302);
  await expectStatus(ada.get("/reset-password?token=made-up"), 200);
}

async function signInByMail(journey: Journey) {
  const { site, secrets } = journey;
  const asked = site.visitor();
  await expectStatus(asked.post("/auth", { intent: "email-sign-in", email }), 302);
  const code = /\b\d{6}\b/.exec(await site.findMail(email, /Sign in to/))?.[0] ?? "";
  secrets.codes.add(code);
  await expectStatus(asked.get("/auth/code"), 200);
  await expectStatus(asked.post("/auth/code", { code: code === "100000" ? "100001" : "100000" }), 400);
  await expectStatus(
    follow(journey, site.visitor(), { to: email, subject: /Sign in to/, form: { browser: "other" } }),
    302,
  );
  await asked.post("/auth/code", { code });
  const withWallet = site.visitor();
  await withWallet.post("/auth/wallet", { purpose: "sign-in", address: "0x52908400098527886E0F7030069857D2E4169EE7" });
  await withWallet.post("/auth/with-wallet", { signature: `0x${"1b".repeat(65)}` });
}

async function useSecondFactor({ site, secrets }: Journey) {
  const user = site.visitor();
  await expectStatus(user.post("/auth", { intent: "log-in", email, password: passwords[1] }), 302);
  await expectStatus(user.post("/account/two-step", { intent: "start-app" }), 302);
  const page = await (await user.get("/account/two-step/app")).text();
  const key = (/<code[^>]*>([A-Z2-7 ]+)<\/code>/.exec(page)?.[1] ?? "").replaceAll(" ", "");
  const used = codeOf(key);
  const list = await (await user.post("/account/two-step/app", { code: used })).text();
  const codes = [...list.matchAll(/<li[^>]*>([0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4})<\/li>/g)].map(([, one = ""]) => one);
  await expectStatus(user.post("/auth/sign-out", {}), 302);
  await expectStatus(user.post("/auth", { intent: "log-in", email, password: passwords[1] }), 302);
  await expectStatus(user.get("/auth/verify"), 200);
  await expectStatus(user.post("/auth/passkey", { purpose: "sign-in" }), 200);
  await expectStatus(user.post("/auth/with-passkey", { credential: "{}" }), 400);
  await expectStatus(user.post("/auth/verify", { code: used }), 400);
  const next = codeOf(key, 30);
  await expectStatus(user.post("/auth/verify", { code: next, trust: "on" }), 302);
  for (const text of [key, ...codes, ...codes.map((one) => one.replaceAll("-", ""))]) secrets.texts.add(text);
  for (const one of [used, next]) secrets.codes.add(one);
  return { user, codes };
}

async function openEveryPage(user: Visitor) {
  const paths = `
    /account /account/sessions /account/two-step /account/two-step/app /account/preferences /account/security-log
    /account/connections /account/delete /account/export /account/verify /account/nothing /auth/demo /auth/nothing
    /start/name /profile /profile.data /cards /cards/edit /share/profile /my-qr /admin`;
  for (const path of paths.trim().split(/\s+/)) await user.get(path);
}

async function connectAndSignInThere({ site }: Journey, { user, codes }: SecondFactor) {
  const begun = await user.post("/account/connections/sso", { intent: "connect", returnTo: "/profile" });
  await expectStatus(user.get(await site.approve(begun)), 302);
  await user.get("/profile");
  await user.get("/account/connections");
  const elsewhere = site.visitor();
  // For an app, which opens it in a browser.
  await expectStatus(elsewhere.get("/auth/v1/authorize?provider=sso"), 302);
  const callback = await site.approve(await elsewhere.post("/auth/with/sso", {}));
  await expectStatus(elsewhere.get(callback), 302);
  await expectStatus(elsewhere.post("/auth/verify", { kind: "backup-code", code: codes[0] ?? "" }), 302);
  await expectStatus(elsewhere.get("/account"), 200);
  // A callback that is opened again, and one of a sign-in that its user canceled.
  await elsewhere.get(callback);
  await elsewhere.get("/api/auth/callback/sso?error=access_denied&state=made-up-state-of-a-stranger");
}

async function changeEverything(journey: Journey, { user, codes }: SecondFactor) {
  const current = passwords[1];
  expireProofs(journey.site.program);
  await expectStatus(user.post("/webhooks/new", { url: "https://crm.example.com/in", "card.saved": "on" }), 302);
  await expectStatus(user.post("/account/verify", { intent: "password", password: current }), 400);
  await expectStatus(
    user.post("/account/verify", { intent: "password", password: current, factor: codes[1] ?? "" }),
    302,
  );
  await expectStatus(user.post("/account", { intent: "change-email", email: newEmail, current: wrongPassword }), 400);
  await expectStatus(user.post("/account", { intent: "change-email", email: newEmail, current }), 302);
  await expectStatus(follow(journey, user, { to: newEmail, subject: /Confirm your new email/ }), 302);
  const ada = journey.site.visitor();
  const restored = await follow(journey, ada, { to: email, subject: /email was changed/ });
  const resetLink = restored.headers.get("location") ?? "";
  await expectStatus(ada.get(resetLink), 200);
  await expectStatus(ada.post(resetLink, { password: passwords[2], confirm: passwords[2] }), 302);
  await expectStatus(ada.post("/auth", { intent: "log-in", email, password: passwords[2] }), 302);
  await expectStatus(ada.post("/account/verify", { intent: "password", password: passwords[2] }), 302);
  await exportData(ada);
  await expectStatus(ada.post("/account/delete", { intent: "delete", confirm: "DELETE" }), 302);
}

async function exportData(user: Visitor) {
  await expectStatus(user.post("/account/export", {}), 302);
  const isRunning = async () =>
    ((await (await user.get("/account/export/progress")).json()) as { isRunning: boolean }).isRunning;
  for (const end = Date.now() + 120_000; (await isRunning()) && Date.now() < end;) await pause(200);
  await expectStatus(user.get("/account/export/download"), 200);
}

async function expectStatus(request: Promise<Response>, status: number): Promise<Response> {
  const response = await request;
  if (response.status === status) return response;
  const at = `${response.status} instead of ${status}, ${response.headers.get("location")}`;
  throw new Error(`${at}\n${(await response.text()).replaceAll(/<(style|script)[\s\S]*?<\/\1>|<[^>]+>|\s+/g, " ")}`);
}

/** The values of cookies and of parameters in addresses. */
function noteSecrets({ secrets }: Journey, path: string, response: Response) {
  const values = response.headers.getSetCookie().map((line) => /^[^=]+=([^;]*)/.exec(line)?.[1] ?? "");
  const query = new URL(path, "https://x.example").searchParams;
  const location = new URL(response.headers.get("location") ?? "", "https://x.example").searchParams;
  const found = ["token", "code", "state"].flatMap((name) => [query.get(name) ?? "", location.get(name) ?? ""]);
  // The first part of a signed cookie is enough to know a session by.
  const parts = values.map(decodeURIComponent).flatMap((value) => [value, ...value.split(".")]);
  for (const text of [...values, ...parts, ...found]) if (text.length > 8) secrets.texts.add(text);
}
