import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { connect } from "node:tls";

import { z } from "zod";

import { formatDate } from "#app/services/base/format.ts";
import { createTextSigner, signedText } from "#app/services/base/signed-token.server.ts";
import type { Config } from "#app/services/config/config.server.ts";
import { programVersion } from "#app/services/config/version.ts";
import type { MailService } from "#app/services/mail/mail.server.ts";

import { doctorHeader, doctorPurpose } from "../health.server.ts";
import type { SeenRequest } from "../health.server.ts";
import type { Check } from "./run-checks.server.ts";

const timeoutMs = 10_000;
const dayMs = 24 * 60 * 60_000;

/** `testAddress`: gets a test email. */
export function mailCheck({ smtpUrl }: Config, mail: MailService, testAddress: string | undefined): Check {
  return {
    name: "Email",
    fix: "Check SMTP_URL: docs/operators.md has examples.",
    async run() {
      if (!mail.isConfigured)
        return { error: "SMTP_URL isn't set, so no one can sign up or reset a password.", fix: "Set SMTP_URL." };
      await mail.check();
      if (testAddress === undefined) return smtpUrl ? "The mail server accepts us." : "Stored in DATA_DIR/mail.";
      const text = "This is the test email that you asked for with `npm run doctor`. Email works.\n";
      await mail.send({ to: testAddress, subject: "Test email from Meishi", text });
      return `The test email to ${testAddress} was accepted.`;
    },
  };
}

/** Any other site: what webhooks, chats and providers need. */
export function outgoingCheck(probeUrl = "https://example.com/"): Check {
  return {
    name: "Outgoing HTTPS",
    fix: "",
    async run() {
      const { hostname } = new URL(probeUrl);
      const fix =
        "Open port 443 to the internet, and DNS, for webhooks, chats, sign-in providers, payments and passes.";
      const response = await fetch(probeUrl, { method: "HEAD", signal: AbortSignal.timeout(timeoutMs) }).catch(
        reasonOf,
      );
      if (typeof response === "string") return { warning: `${hostname} can't be reached: ${response}.`, fix };
      const time = Date.parse(response.headers.get("date") ?? "");
      const seconds = Math.round((Date.now() - time) / 1_000);
      if (Math.abs(seconds) > maxClockSeconds)
        return {
          error: `This clock is ${seconds} seconds from that of ${hostname}.`,
          fix: "Synchronize it (NTP): authenticator apps and signatures need the time.",
        };
      return `${hostname} answers.`;
    },
  };
}

const maxClockSeconds = 60;

type Proof = { secret: string | undefined; now: number };

/** BASE_URL as visitors reach it. */
export function reachChecks(config: Config, { secret, now }: Proof): Check[] {
  const url = new URL(config.baseUrl);
  const start = "Start Meishi, and its proxy.";
  return [
    {
      name: "BASE_URL",
      fix: `Add a DNS record for ${url.hostname} with the address of this server or its proxy.`,
      async run() {
        const addresses = await lookup(url.hostname, { all: true });
        const text = `${config.baseUrl}, at ${addresses.map(({ address }) => address).join(", ")}.`;
        if (config.isLocal || url.protocol === "https:") return text;
        return {
          warning: `${text} Without HTTPS, passwords can be read on their way.`,
          fix: "Put a proxy with HTTPS in front: docs/operators.md.",
        };
      },
    },
    ...(url.protocol === "https:" ? [{ name: "Certificate", fix: start, run: () => checkCertificate(url, now) }] : []),
    {
      name: "This installation",
      fix: `${start} BASE_URL has to lead to it.`,
      async run() {
        const seen = await askHealth(config.baseUrl, secret, now);
        if (!seen)
          return {
            error: `What answers at ${config.baseUrl} is another installation, or has other secrets.`,
            fix: "Check BASE_URL, the proxy and DATA_DIR.",
          };
        if (seen.version === programVersion) return `Meishi ${seen.version} is running.`;
        return { warning: `Meishi ${seen.version} is running, and this is ${programVersion}.`, fix: "Restart it." };
      },
    },
  ];
}

/** What a proxy in between does. */
export function proxyChecks(config: Config, { secret, now }: Proof): Check[] {
  const fix = "Look at the log of the proxy.";
  return [
    { name: "Reverse proxy", fix, run: () => checkProxy(config, secret, now) },
    { name: "Upload size", fix, run: () => checkUploadSize(config.baseUrl) },
  ];
}

/** When the certificate of a site ends (epoch milliseconds). `isChecked`: throws when browsers would refuse it. */
export async function readCertificateEnd({ hostname, port }: URL, { isChecked = true } = {}): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const host = hostname.replace(/^\[|\]$/g, "");
  const socket = connect({
    host,
    port: Number(port) || 443,
    ...(isIP(host) === 0 && { servername: host }),
    timeout: timeoutMs,
    rejectUnauthorized: isChecked,
  });
  socket.once("secureConnect", () => resolve(Date.parse(socket.getPeerCertificate().valid_to)));
  socket.once("timeout", () => reject(new Error("There is no answer.")));
  socket.once("error", reject);
  try {
    return await promise;
  } finally {
    socket.destroy();
  }
}

async function checkCertificate(url: URL, now: number) {
  try {
    const end = await readCertificateEnd(url);
    const text = `Valid until ${formatDate(end)}.`;
    return end - now > 14 * dayMs
      ? text
      : { warning: text, fix: "Renew it. Caddy and certbot do so by themselves: look at their logs." };
  } catch (error) {
    return {
      error: `Browsers refuse it: ${reasonOf(error)}.`,
      fix: "Renew it, or fix the chain and the name that it is for.",
    };
  }
}

const health = z.object({
  version: z.string(),
  address: z.string(),
  forwardedFor: z.string().nullable(),
  proto: z.string().nullable(),
});

/** What the running program says of our request; undefined if it doesn't know our secret. */
async function askHealth(baseUrl: string, secret: string | undefined, now: number): Promise<SeenRequest | undefined> {
  const sign = createTextSigner(secret ?? "");
  const proof = signedText(sign, doctorPurpose, String(now + 60_000));
  const request = fetch(`${baseUrl}/healthz`, {
    headers: { [doctorHeader]: proof },
    signal: AbortSignal.timeout(timeoutMs),
  });
  const response = await request.catch((error: unknown) => {
    throw new Error(`${baseUrl} can't be reached: ${reasonOf(error)}.`);
  });
  const body: unknown = await response.json().catch(() => undefined);
  return health.safeParse(body).data;
}

async function checkProxy({ baseUrl, trustedProxy, isLocal }: Config, secret: string | undefined, now: number) {
  const seen = await askHealth(baseUrl, secret, now);
  if (!seen) return { warning: "Not checked.", fix: "Fix the check before this one." };
  if (seen.forwardedFor === null) {
    if (isLocal || trustedProxy.length > 0) return `No proxy in between. We came from ${seen.address}.`;
    return {
      warning: `Meishi saw ${seen.address} and no X-Forwarded-For. With a proxy, all visitors would share their limits.`,
      fix: "If there is a proxy, let it set X-Forwarded-For, and list it in TRUSTED_PROXY.",
    };
  }
  if (trustedProxy.length === 0)
    return {
      error: `A proxy at ${seen.address} isn't trusted, so all visitors share their limits.`,
      fix: `Set TRUSTED_PROXY=${seen.address}`,
    };
  const isBelieved = seen.forwardedFor.includes(seen.address);
  if (isBelieved) return `Trusted. We came from ${seen.address}.`;
  return {
    error: `TRUSTED_PROXY is ${trustedProxy.join(", ")}, but the proxy is ${seen.address}, so all visitors share their limits.`,
    fix: `Add ${seen.address} to TRUSTED_PROXY.`,
  };
}

/** Uploads have at most 5 MB. A proxy that accepts less answers itself, without our header. */
async function checkUploadSize(baseUrl: string) {
  const body = new Uint8Array(5_000_000);
  const response = await fetch(`${baseUrl}/uploads/avatar`, {
    method: "POST",
    body,
    signal: AbortSignal.timeout(60_000),
  });
  await response.body?.cancel();
  if (response.headers.has("x-request-id")) return "Files of 5 MB arrive.";
  return { error: `A proxy refuses files of 5 MB (${response.status}).`, fix: "nginx: client_max_body_size 6m;" };
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}
