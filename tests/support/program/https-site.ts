import { OAuth2Server } from "oauth2-mock-server";
import PostalMime from "postal-mime";
import { setTimeout as pause } from "node:timers/promises";

import { openSmtpServer } from "#tests/support/app/smtp-server.ts";
import { createVisitor } from "#tests/support/app/visitor.ts";

import { startProgram } from "./program.ts";

const baseUrl = "https://cards.example.com";
/** What a proxy that terminates TLS sends. */
const proxyHeaders = { host: "meishi.internal:3000", "x-forwarded-for": "198.51.100.7" };

/** A request and its response. */
export type Exchange = { method: string; path: string; response: Response };

export type HttpsSite = Awaited<ReturnType<typeof startHttpsSite>>;

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
  const exchanges: Exchange[] = [];

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
    for (const end = Date.now() + 20_000; Date.now() < end; await pause(50)) {
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
