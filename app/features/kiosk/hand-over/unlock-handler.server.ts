import type { Context, Handler } from "hono";
import { createElement } from "react";

import { decryptForm, listDevices, removeDevice } from "#app/features/kiosk/device-data.server.ts";
import { handOverMessages as messages } from "#app/features/kiosk/messages.ts";
import { unlockPath } from "#app/features/kiosk/rules.ts";
import { kioskResponse } from "#app/features/kiosk/tablet/kiosk-response.server.ts";
import { fieldText } from "#app/services/base/form-fields.ts";
import type { AppEnv, Services } from "#app/services/http/context.ts";
import { readForm } from "#app/services/http/form-body.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";

import { UnlockView } from "./unlock-view.tsx";

/** `GET /hand-over`, where all other pages lead while the browser is handed over: the form. */
export function openHandedOver(services: Services): Handler<AppEnv> {
  return (c) => {
    const { handedOver } = c.get("state");
    if (!handedOver) return c.redirect("/", 303);
    return c.redirect(decryptForm(services, handedOver)?.path ?? unlockPath, 303);
  };
}

/** `GET /hand-over/unlock` */
export function showUnlock(): Handler<AppEnv> {
  return (c) => (c.get("state").handedOver ? unlockPage() : c.redirect("/", 303));
}

/** `POST /hand-over/unlock` */
export function unlock(services: Services): Handler<AppEnv> {
  return async (c) => {
    const secret = fieldText(await readForm(c.req.raw), "secret");
    // Not an attempt: nothing was typed, or more than any password has.
    if (secret === "" || secret.length > maxSecretLength) return unlockPage(messages.secretRequired);
    const origin = { headers: c.req.raw.headers, address: c.get("state").address };
    const result = await services.auth.takeBack({ secret, origin });
    switch (result.kind) {
      case "refused":
        return unlockPage(messages.wrong(result.left));
      case "ended":
        if (result.ended) await removeForm(services, c, result.ended);
        return redirectWithToast("/auth", { ...messages.ended, tone: "info" }, cookieHeaders(result.cookies));
      case "back":
        return welcomeBack(services, c, result);
    }
  };
}

const maxSecretLength = 4_096;

function unlockPage(error?: string): Response {
  const view = createElement(UnlockView, { error });
  return kioskResponse({ view, css: "", status: error === undefined ? 200 : 400, title: messages.unlock });
}

/** Tells the owner what came in. */
async function welcomeBack(
  services: Services,
  c: Context<AppEnv>,
  { ownerId, form, cookies }: HandedOverForm & { cookies: string[] },
): Promise<Response> {
  const headers = cookieHeaders(cookies);
  const shown = await removeForm(services, c, { ownerId, form });
  if (!shown) return redirectWithToast("/leads", { title: messages.back, tone: "success" }, headers);
  const { cardId, device } = shown;
  const text = device && messages.received(device.received);
  const toast = { title: messages.back, tone: "success", ...(text && { text }) } as const;
  return redirectWithToast(device?.received ? "/leads" : `/share/card/${cardId}`, toast, headers);
}

/** Ends the link of the form, which whoever held the phone may have noted. */
async function removeForm(services: Services, c: Context<AppEnv>, { ownerId, form }: HandedOverForm) {
  const shown = decryptForm(services, { ownerId, form });
  if (!shown) return undefined;
  const { cardId, deviceId } = shown;
  const device = (await listDevices(services.db, { ownerId, cardId })).find(({ id }) => id === deviceId);
  const origin = { headers: c.req.raw.headers, address: c.get("state").address };
  await removeDevice(services, { ownerId, cardId, id: deviceId, origin });
  return { cardId, device };
}

type HandedOverForm = { ownerId: string; form: string };

function cookieHeaders(cookies: readonly string[]): Headers {
  return new Headers(cookies.map((cookie): [string, string] => ["set-cookie", cookie]));
}
