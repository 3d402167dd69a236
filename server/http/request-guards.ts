import type { Context, ErrorHandler, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";

import { errorMessage, outcomeUnknownText } from "#app/features/shell/messages.ts";
import type { BodyLimit } from "#app/services/features/feature.ts";
import { isOutcomeUnknown, isUnavailable } from "#app/services/base/errors.ts";
import type { AppEnv, RequestState, Services } from "#app/services/http/context.ts";
import { currentRequest } from "#app/services/http/request-log.server.ts";
import { formBytes, isFormTooLarge, isFormType, maxFormFields, yieldAfter } from "#app/services/http/form-body.ts";
import { readTheme } from "#app/services/http/cookies.ts";
import { isOwnOrigin } from "#app/services/http/own-origin.ts";
import { createToastCookies } from "#app/services/http/toast.server.ts";

import { clientClosedRequest, newRequestId } from "#server/log.ts";
import { createAddressReader, createHeaderCheck, newNonce } from "#server/security.ts";

/** Creates the state of a request, and sets the toast cookie that its response leaves. */
export function createRequestState({ config, log, sign }: Services): MiddlewareHandler<AppEnv> {
  // The address isn't logged: without a proxy it is a visitor's.
  const addressOf = createAddressReader(config.trustedProxy, () =>
    log.warn(
      "A proxy sends X-Forwarded-For, but TRUSTED_PROXY doesn't list it, so all visitors behind it share the same rate limits.",
    ),
  );
  const madeUpHeader = createHeaderCheck(config);
  const toasts = createToastCookies({ config, sign });
  return async (c, next) => {
    const socketAddress = c.env?.incoming?.socket.remoteAddress ?? "127.0.0.1";
    const madeUp = madeUpHeader(socketAddress);
    if (madeUp) c.req.raw.headers.delete(madeUp);
    const state: RequestState = {
      id: newRequestId(),
      address: addressOf(socketAddress, c.req.header("x-forwarded-for") ?? null),
      nonce: newNonce(),
      viewer: undefined,
      handedOver: undefined,
      isHydrated: false,
      scripts: [],
      inlineScript: undefined,
      theme: readTheme(c.req.header("cookie")),
      toast: toasts.read(c.req.header("cookie")),
      isToastTaken: false,
    };
    c.set("state", state);
    await currentRequest.run(state, next);
    // A redirect shows no message, in the router's own form (202) neither: the page behind it does.
    const isShown = c.get("state").isToastTaken && ![202, 301, 302, 303, 307, 308].includes(c.res.status);
    // A response that leaves a new message replaces the cookie of the one that was shown.
    const cookie = toasts.takeCookie(c.res.headers) ?? (isShown ? toasts.clearingCookie : undefined);
    if (cookie) appendCookie(c.res.headers, cookie);
  };
}

const allowedMethods = ["GET", "HEAD", "POST"];

/** The router would treat any other method as GET or POST. */
export const refuseUnknownMethods: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (allowedMethods.includes(c.req.method)) return next();
  const { title, text } = errorMessage(405, undefined);
  return c.text(`${title}. ${text}`, 405, { allow: allowedMethods.join(", ") });
};

/** The router would write such a path, which may contain a secret, to the console as it is. */
export const refuseMalformedPaths: MiddlewareHandler<AppEnv> = async (c, next) => {
  const { pathname } = new URL(c.req.url);
  if (!pathname.includes("%") || isWellFormed(pathname)) return next();
  const { title, text } = errorMessage(404, undefined);
  return c.text(`${title}. ${text}`, 404);
};

function isWellFormed(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** Accepts writes from our own pages only, whatever cookies they carry. */
export function checkOrigin({ config }: Services): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    if (c.req.method !== "POST" || isOwnOrigin(c.req.raw.headers, config)) return next();
    return c.text("This request didn't come from a page on this site. Go back, reload the page and try again.", 403);
  };
}

/** Limits the bytes of a request, and the fields of a form, of which signed-in users may send more. */
export function limitBody(maxBytes: number): MiddlewareHandler<AppEnv> {
  const limitBytes = bodyLimit({ maxSize: maxBytes, onError: refuseTooLarge });
  return (c, next) =>
    limitBytes(c, async () => {
      const refusal = await limitFields(c, c.get("state").viewer ? maxFormFields.user : maxFormFields.visitor);
      if (!refusal) return next();
      c.res = refusal;
    });
}

/** Limits the requests to the router. Signed-in users may send as much as a feature declares for a path, and visitors if it says so. */
export function limitPageBody(limits: readonly BodyLimit[]): MiddlewareHandler<AppEnv> {
  const usual = limitBody(formBytes.usual);
  const larger = limits
    .toSorted((a, b) => b.path.length - a.path.length)
    .map(({ path, maxBytes, isForVisitors = false }) => ({ path, isForVisitors, limit: limitBody(maxBytes) }));
  return (c, next) => {
    const isAllowed = (isForVisitors: boolean) => isForVisitors || c.get("state").viewer !== undefined;
    const found = larger.find((one) => isAllowed(one.isForVisitors) && isAtOrBelow(c.req.path, one.path));
    return (found ? found.limit : usual)(c, next);
  };
}

/**
 * "/cards/edit" and "/cards.data", where the router's scripts send a form, are below "/cards"; "/cardsharp" isn't. "/c/a1/connect" is at
 * "/c/:code/connect".
 */
function isAtOrBelow(path: string, above: string): boolean {
  const [parts, expected] = [path.split("/"), above.split("/")];
  const isLast = (index: number) => index === expected.length - 1 && index === parts.length - 1;
  return expected.every((part, index) => {
    const actual = parts[index] ?? "";
    return (
      actual === part || (part.startsWith(":") && actual !== "") || (isLast(index) && actual.startsWith(`${part}.`))
    );
  });
}

/** Counts the fields before anything reads them, and hands the body on as it was. */
async function limitFields(c: Context<AppEnv>, max: number): Promise<Response | undefined> {
  const { raw } = c.req;
  const type = raw.headers.get("content-type");
  if (raw.method !== "POST" || !isFormType(type)) return undefined;
  const body = new Uint8Array(await raw.arrayBuffer());
  if (isFormTooLarge(body, type, max)) return refuseTooLarge(c);
  await yieldAfter(body);
  c.req.raw = new Request(raw.url, { method: "POST", headers: raw.headers, body, signal: raw.signal });
  return undefined;
}

function refuseTooLarge(c: Context) {
  return c.text("You sent more than this page accepts. Go back, shorten it and try again.", 413);
}

/**
 * Responds to errors thrown outside the router, whose own error page is in root.tsx, to writes that may have been carried out, and while
 * the database can't be reached: without the cause, which is logged by id.
 */
export function handleCrash({ log }: Services, respondAsPage: RespondAsPage): ErrorHandler<AppEnv> {
  return (error, c) => {
    const { id } = c.get("state");
    // The body was cut off because the client has left or was too slow.
    if (c.req.raw.signal.aborted) return new Response(null, { status: clientClosedRequest });
    log.error({ err: error, id }, "request failed");
    const respond = (message: string, status: 500 | 503) =>
      c.get("isJson") ? c.json({ error: message }, status, { "cache-control": "no-store" }) : c.text(message, status);
    if (isOutcomeUnknown(error)) return respond(outcomeUnknownText, 503);
    const status = isUnavailable(error) ? 503 : 500;
    if (status === 503 && !c.get("isJson")) {
      Object.assign(c.get("state"), { isUnavailable: true, viewer: undefined });
      const { url, method, headers } = c.req.raw;
      // Without the body, which may have been read.
      return respondAsPage(c, new Request(url, { method, headers }));
    }
    const { title, text } = errorMessage(status, id);
    return respond(`${title}. ${text}`, status);
  };
}

type RespondAsPage = (c: Context<AppEnv>, request: Request) => Promise<Response>;

/**
 * Looks up the signed-in user. Renews a session that is older than a day, and removes a cookie that names none. A browser that was handed
 * over to visitors opens nothing but the form that it shows: other pages would let it be signed in again, with a stored password.
 */
export function readSession({ auth, features }: Services): MiddlewareHandler<AppEnv> {
  const allowed = features.flatMap(({ handedOver }) => handedOver ?? []);
  const isOpen = (path: string) => allowed.some(({ open }) => open.some((above) => `${path}/`.startsWith(`${above}/`)));
  return async (c, next) => {
    const { viewer, cookies, handedOver } = await auth.findViewer(c.req.raw.headers);
    Object.assign(c.get("state"), { viewer, handedOver });
    if (handedOver && !isOpen(c.req.path)) c.res = c.redirect(allowed[0]?.page ?? "/", 303);
    else await next();
    // A cookie that the page itself set (it signed the user in or out) is left as it is.
    const set = c.res.headers.getSetCookie().map(cookieNameOf);
    for (const cookie of cookies) {
      if (!set.includes(cookieNameOf(cookie))) appendCookie(c.res.headers, cookie);
    }
  };
}

/** A response with a cookie belongs to one browser: no shared cache may store it. */
function appendCookie(headers: Headers, cookie: string) {
  headers.append("set-cookie", cookie);
  const cacheControl = headers.get("cache-control");
  if (cacheControl === "no-cache") headers.set("cache-control", "private, no-cache");
  else if (cacheControl) headers.set("cache-control", cacheControl.replace(/\bpublic\b/, "private"));
}

function cookieNameOf(cookie: string): string {
  return cookie.slice(0, cookie.indexOf("="));
}
