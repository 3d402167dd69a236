import { readSignedText, signedText } from "#app/services/base/signed-token.server.ts";
import { redirect } from "react-router";
import { z } from "zod";

import { hostCookieAttributes, hostCookieName } from "./cookies.ts";

const toastMessage = z.object({
  title: z.string(),
  text: z.string().optional(),
  tone: z.enum(["success", "warning", "error", "info"]),
});

export type ToastMessage = { title: string; text?: string; tone: "success" | "warning" | "error" | "info" };

const cookieName = "meishi.toast";
const maxAgeSeconds = 30;
/** Carries the message from a route to the process, which replaces it with the signed cookie. Never sent to a browser. */
const toastHeader = "meishi-toast";

/** Redirects, and shows the message on the page that opens next. */
export function redirectWithToast(url: string, toast: ToastMessage, headers = new Headers()): Response {
  headers.set(toastHeader, Buffer.from(JSON.stringify(toast)).toString("base64url"));
  return redirect(url, { headers });
}

/** Whether a Cookie header contains a message, signed by us or not. */
export function hasToast(cookieHeader: string | undefined): boolean {
  return cookieHeader?.includes(`${cookieName}=`) ?? false;
}

type ToastCookieDeps = { config: { baseUrl: string }; sign: (purpose: string, text: string) => string };

/** The cookie that carries a message to the next page. Signed with the installation's secret, so that no one else can show a message. */
export function createToastCookies({ config, sign }: ToastCookieDeps) {
  const isSecure = config.baseUrl.startsWith("https:");
  const name = hostCookieName(cookieName, isSecure);
  const attributes = (seconds: number) => `${hostCookieAttributes(seconds, isSecure)}; HttpOnly`;

  function setCookie(payload: string): string {
    return `${name}=${signedText(sign, "toast", payload)}; ${attributes(maxAgeSeconds)}`;
  }

  /** The message in a Cookie header; undefined when there is none, or when it is unsigned or changed. */
  function read(cookieHeader: string | undefined): ToastMessage | undefined {
    const pair = cookieHeader?.split("; ").find((part) => part.startsWith(`${name}=`));
    const payload = readSignedText(sign, "toast", pair?.slice(name.length + 1) ?? "");
    return payload === undefined ? undefined : decodeToast(payload);
  }

  /** The Set-Cookie for a response that `redirectWithToast` made (its own header is removed), or undefined. */
  function takeCookie(headers: Headers): string | undefined {
    const payload = headers.get(toastHeader);
    headers.delete(toastHeader);
    return payload === null ? undefined : setCookie(payload);
  }

  return {
    read,
    takeCookie,
    /** Removes the cookie of a message that was shown. */
    clearingCookie: `${name}=; ${attributes(0)}`,
  };
}

function decodeToast(payload: string): ToastMessage {
  const { title, text, tone } = toastMessage.parse(JSON.parse(Buffer.from(payload, "base64url").toString()));
  return { title, ...(text !== undefined && { text }), tone };
}
