import { redirect } from "react-router";

export type ToastMessage = { title: string; text?: string; tone: "success" | "warning" | "error" | "info" };

const COOKIE = "meishi.toast";

/** Sends the person on and shows them a message on the page where they arrive. */
export function redirectWithToast(url: string, toast: ToastMessage, headers = new Headers()): Response {
  headers.append("set-cookie", toastCookie(toast));
  return redirect(url, { headers });
}

/** The message that an earlier answer left for this page, if it is one of ours. */
export function readToast(cookieHeader: string | undefined): ToastMessage | undefined {
  const pair = cookieHeader?.split("; ").find((part) => part.startsWith(`${COOKIE}=`));
  if (!pair) return undefined;
  const text = Buffer.from(pair.slice(COOKIE.length + 1), "base64url").toString();
  const value: unknown = isJson(text) ? JSON.parse(text) : undefined;
  return isToast(value) ? value : undefined;
}

/** Whether a Cookie header brings a message along. */
export function hasToast(cookieHeader: string | undefined): boolean {
  return cookieHeader?.includes(`${COOKIE}=`) ?? false;
}

/** Whether a Set-Cookie leaves a message. */
export function isToastCookie(setCookie: string): boolean {
  return setCookie.startsWith(`${COOKIE}=`);
}

export const clearToastCookie = `${COOKIE}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax`;

function toastCookie(toast: ToastMessage): string {
  const value = Buffer.from(JSON.stringify(toast)).toString("base64url");
  return `${COOKIE}=${value}; Path=/; Max-Age=30; HttpOnly; SameSite=Lax`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function isToast(value: unknown): value is ToastMessage {
  return (
    typeof value === "object" &&
    value !== null &&
    "title" in value &&
    typeof value.title === "string" &&
    (!("text" in value) || typeof value.text === "string") &&
    "tone" in value &&
    (value.tone === "success" || value.tone === "warning" || value.tone === "error" || value.tone === "info")
  );
}
