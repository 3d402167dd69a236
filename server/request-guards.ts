import type { Context, ErrorHandler, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";

import { errorMessage } from "#app/features/shell/messages.ts";
import { visitorScript } from "#app/features/sharing/visitor-script.ts";
import type { RequestFacts, Services } from "#app/services/context.ts";
import { formBytes } from "#app/services/form-body.ts";
import { readTheme } from "#app/services/theme-cookie.ts";
import { clearToastCookie, isToastCookie, readToast } from "#app/services/toast.server.ts";
import { publicCss } from "#app/ui/public-style.tsx";

import type { AppEnv } from "./app.ts";
import { newRequestId } from "./request-log.ts";
import {
  commonHeaders,
  contentSecurityPolicy,
  createAddressReader,
  inlineHash,
  isOwnOrigin,
  newNonce,
  sitePolicy,
} from "./security.ts";

/** Gives the request its id, its nonce and the visitor's address. */
export function readFacts({ config, log }: Services): MiddlewareHandler<AppEnv> {
  // Without the address: on a network without a proxy it may be a visitor's.
  const addressOf = createAddressReader(config.trustedProxy, () =>
    log.warn("A proxy sends X-Forwarded-For, but TRUSTED_PROXY does not name it: all its visitors share its limits."),
  );
  return async (c, next) => {
    const socketAddress = c.env?.incoming?.socket.remoteAddress ?? "127.0.0.1";
    c.set("facts", {
      id: newRequestId(),
      address: addressOf(socketAddress, c.req.header("x-forwarded-for") ?? null),
      nonce: newNonce(),
      viewer: undefined,
      isHydrated: false,
      scripts: [],
      theme: readTheme(c.req.header("cookie")),
      toast: readToast(c.req.header("cookie")),
      isToastTaken: false,
    });
    await next();
    // An answer that leads on with a message of its own leaves that one.
    const hasNew = c.res.headers.getSetCookie().some(isToastCookie);
    if (c.get("facts").isToastTaken && !hasNew) appendCookie(c.res.headers, clearToastCookie);
  };
}

/** Headers for every answer, and the policy that fits what kind of document it is. */
export function secureHeaders({ config }: Services): MiddlewareHandler<AppEnv> {
  const common = commonHeaders(config);
  const inline = { style: inlineHash(publicCss), script: inlineHash(visitorScript) };
  const policyOf = ({ nonce, isHydrated, scripts }: Pick<RequestFacts, "nonce" | "isHydrated" | "scripts">) =>
    scripts.length > 0
      ? sitePolicy(scripts.map(inlineHash))
      : contentSecurityPolicy(inline, isHydrated ? nonce : undefined);
  return async (c, next) => {
    await next();
    for (const [name, value] of common) c.res.headers.set(name, value);
    c.res.headers.set("vary", "accept-encoding, cookie");
    const { nonce, isHydrated, scripts, viewer } = c.get("facts");
    // What says nothing of its own is asked for each time: a page may be one person's, a handle may move once more.
    if (!c.res.headers.has("cache-control"))
      c.res.headers.set("cache-control", viewer ? "private, no-cache" : "no-cache");
    // A document that runs nothing of ours brings a stricter policy of its own.
    if (!c.res.headers.has("content-security-policy"))
      c.res.headers.set("content-security-policy", policyOf({ nonce, isHydrated, scripts }));
  };
}

const METHODS = ["GET", "HEAD", "POST"];

/** What browsers and programs that read pages ask with; to the router any other would be the one or the other of these. */
export const refuseOtherMethods: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (METHODS.includes(c.req.method)) return next();
  const { title, text } = errorMessage(405, undefined);
  return c.text(`${title}. ${text}`, 405, { allow: METHODS.join(", ") });
};

/** A write is taken from our own pages only, whatever cookies it carries. */
export function originCheck({ config }: Services): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    if (c.req.method !== "POST" || isOwnOrigin(c.req.raw.headers, config)) return next();
    return c.text("This request did not come from a page of this site. Go back, reload the page and try again.", 403);
  };
}

/** How much may be sent: more to the editors, by those who are signed in. */
export const limitBody: MiddlewareHandler<AppEnv> = (c, next) =>
  (c.get("facts").viewer && /^\/(profile|cards|avatar)\b/.test(c.req.path) ? longForms : shortForms)(c, next);

const shortForms = bodyLimit({ maxSize: formBytes.usual, onError: refuseTooLarge });
const longForms = bodyLimit({ maxSize: formBytes.editors, onError: refuseTooLarge });

function refuseTooLarge(c: Context) {
  return c.text("That is more than this page takes. Go back, shorten it and try again.", 413);
}

/** What broke outside the router (its own crash page is root.tsx's): words without a cause, which the log has by the id. */
export function answerCrash({ log }: Services): ErrorHandler<AppEnv> {
  return (error, c) => {
    const { id } = c.get("facts");
    // A body that was cut off: the sender is gone, or too slow.
    if (!c.req.raw.signal.aborted) log.error({ err: error, id }, "request failed");
    const { title, text } = errorMessage(500, id);
    return c.text(`${title}. ${text}`, 500);
  };
}

/** Who asks. A session in its second day or later is made longer by the way, so the answer may carry a new cookie. */
export function readSession({ auth }: Services): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const { viewer, cookies } = await auth.findViewer(c.req.raw.headers);
    c.get("facts").viewer = viewer;
    await next();
    // What the page itself said of a cookie (somebody just signed in or out) stands.
    const given = c.res.headers.getSetCookie().map(nameOf);
    for (const cookie of cookies) {
      if (!given.includes(nameOf(cookie))) appendCookie(c.res.headers, cookie);
    }
  };
}

/** What carries one person's cookie is that person's: no cache on the way may hand it to others. */
function appendCookie(headers: Headers, cookie: string) {
  headers.append("set-cookie", cookie);
  const kept = headers.get("cache-control");
  if (kept) headers.set("cache-control", kept.replace(/\bpublic\b/, "private"));
}

function nameOf(cookie: string): string {
  return cookie.slice(0, cookie.indexOf("="));
}
