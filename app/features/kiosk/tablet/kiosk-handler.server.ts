import type { Context, Handler } from "hono";
import { createElement } from "react";

import { plainStyle } from "#app/features/cards/card-view-model.ts";
import { readCardLogo, readContactPhoto } from "#app/features/cards/vcard/contact-image.server.ts";
import { findDevice } from "#app/features/kiosk/device-data.server.ts";
import type { OpenDevice } from "#app/features/kiosk/device-data.server.ts";
import { publicKeyOf } from "#app/features/kiosk/entry-content.server.ts";
import { createKioskLead, findKioskForm } from "#app/features/kiosk/kiosk-form-data.server.ts";
import type { KioskForm } from "#app/features/kiosk/kiosk-form-data.server.ts";
import { kioskMessages } from "#app/features/kiosk/messages.ts";
import { isTooOld, kioskLimits, thanksMs } from "#app/features/kiosk/rules.ts";
import { readLeadForm } from "#app/features/leads/form-schema.ts";
import { readFormToken, readyFormToken } from "#app/features/leads/lead-form.server.ts";
import { leadFailures, leadMessages } from "#app/features/leads/messages.ts";
import { qrPath } from "#app/features/drawing/qr-code.ts";
import { markedUrl } from "#app/features/sharing/source-marks.ts";
import { fieldText } from "#app/services/base/form-fields.ts";
import type { FormFields } from "#app/services/base/form-fields.ts";
import { formatWait } from "#app/services/base/format.ts";
import type { AppEnv, Services } from "#app/services/http/context.ts";
import { rememberStorage } from "#app/services/http/cookies.ts";
import { readForm } from "#app/services/http/form-body.ts";
import { tryWrite } from "#app/services/http/save-response.server.ts";

// oxlint-disable-next-line import/default -- its text (scripts/bundled-text.ts)
import worker from "#app/features/kiosk/client/worker-client.ts?bundled";

import { kioskResponse } from "./kiosk-response.server.ts";
import { ClosedView, KioskView, SentView } from "./kiosk-view.tsx";
import type { ClosedData, KioskFormAgain, ShownOwner } from "./kiosk-view.tsx";

/** `GET /kiosk/{token}`: one document with everything in it, which the device stores for starts without a network. */
export function showKiosk(services: Services): Handler<AppEnv> {
  return async (c) => {
    const opened = await openForm(c, services);
    if (opened instanceof Response) return opened;
    const sent = c.req.query("sent");
    if (sent !== undefined) return sentResponse(await shownOwner(services, opened), sent === "mail");
    const { viewer, handedOver } = c.get("state");
    const browser = { isSignedIn: viewer !== undefined, isHandedOver: handedOver !== undefined };
    const response = await formResponse(services, opened, { ...browser, status: 200 });
    response.headers.append("set-cookie", rememberStorage(services.config.baseUrl));
    return response;
  };
}

function sentResponse(shown: ShownOwner & { css: string }, isMailed: boolean): Response {
  const view = createElement(SentView, { shown, isMailed });
  const response = kioskResponse({ view, css: shown.css, status: 200 });
  // A time limit that is essential (WCAG 2.2.1): the next visitor needs an empty form.
  response.headers.set("refresh", `${thanksMs / 1_000};url=${shown.path}`);
  return response;
}

/** `POST /kiosk/{token}`: the form of a device without script, which has to be online. */
export function receiveKioskForm(services: Services): Handler<AppEnv> {
  return async (c) => {
    const opened = await openForm(c, services);
    if (opened instanceof Response) return opened;
    const fields = await readForm(c.req.raw);
    const problem = await storeTypedForm(services, opened, fields);
    if (!problem) return c.redirect(`${c.req.path}?sent${fields.get("email") ? "=mail" : ""}`, 303);
    return formResponse(services, opened, { isSignedIn: false, isHandedOver: false, ...problem });
  };
}

/** Stores a form that a device without script sent. Undefined once it is stored, else what to show again. */
async function storeTypedForm(
  services: Services,
  { device, form }: OpenedKiosk,
  fields: FormFields,
): Promise<{ again: KioskFormAgain; status: number } | undefined> {
  const { typed, errors, details, consents } = readLeadForm(fields, form.settings, form.consents);
  const sent = fieldText(fields, "formToken");
  const formToken = readFormToken(services.sign, sent, device.cardId);
  const again = (status: number, notice?: string, formToken = sent) => ({
    again: { typed, errors, formToken, notice },
    status,
  });
  // Of what was erased, a hash is stored for no longer than that.
  if (!formToken || isTooOld(formToken.openedAt, services.clock()))
    return again(400, leadMessages.tooOld, readyFormToken(services, "", device.cardId));
  if (Object.keys(errors).length > 0) return again(400);
  const send = async () => {
    const limited = await services.rateLimits.consume([{ limit: kioskLimits.sent, subject: device.id }]);
    if (limited) return again(429, leadMessages.tooMany(formatWait(limited.until, services.clock())));
    const lead = { id: formToken.id, details, consents, givenAt: services.clock() };
    const { kind } = await createKioskLead(services, device, lead);
    if (kind === "created" || kind === "known" || kind === "erased") return undefined;
    // Consent to a text that the card never had, or a card that was deleted a moment ago.
    return again(400, kioskMessages.textChanged);
  };
  const failure = { event: "could not store a lead of a kiosk", ...leadFailures };
  return tryWrite(services.log, send, { ...failure, refuse: (notice, status) => again(status, notice) });
}

/** `GET /kiosk-worker.js`: the service worker of kiosks, which starts their pages without a network. */
export function serveKioskWorker(): Handler<AppEnv> {
  return (c) =>
    c.body(worker, 200, {
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "no-cache",
      "content-security-policy": workerPolicy,
    });
}

/** Applies to the worker's own requests. */
const workerPolicy = "default-src 'none'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";

type OpenedKiosk = { token: string; device: OpenDevice; form: KioskForm };

/** The form of a kiosk link, or the page that says why there is none. */
async function openForm(c: Context<AppEnv>, services: Services): Promise<OpenedKiosk | Response> {
  const token = c.req.param("token") ?? "";
  const device = await findDevice(services, token);
  const limited = device && (await services.rateLimits.consume([{ limit: kioskLimits.pages, subject: device.id }]));
  // As if it couldn't be reached: the device shows the page that it has.
  if (limited) return c.text("Too many requests.", 503, { "retry-after": "60" });
  const form = device && (await findKioskForm(services, device));
  if (device && form) return { token, device, form };
  const loadedAt = services.clock();
  const isHandedOver = c.get("state").handedOver !== undefined;
  const data: ClosedData = device
    ? { closed: "off", key: await publicKeyOf(services.sign, device.cardId), loadedAt }
    : { closed: "removed", loadedAt };
  return kioskResponse({
    view: createElement(ClosedView, { isHandedOver, data }),
    css: "",
    status: device ? 409 : 404,
  });
}

async function shownOwner(
  services: Services,
  { token, device, form }: OpenedKiosk,
): Promise<ShownOwner & { css: string }> {
  const { card, found } = form.loaded;
  const { theme, css, paper } = card.style ?? plainStyle;
  // Inside the document, so that they also show without a network.
  const logo = await readCardLogo(services, found.card.logoKey);
  const photo = await readContactPhoto(services, found.avatarKey);
  return {
    path: `/kiosk/${token}`,
    heading: device.heading,
    name: form.displayName,
    work: [card.position ?? card.profession, card.company].filter(Boolean).join(", "),
    logo: logo && `data:image/webp;base64,${logo}`,
    photo: photo && `data:image/jpeg;base64,${photo}`,
    paper,
    code: qrPath(markedUrl(card.cardUrl, "qr")),
    theme,
    css,
  };
}

type FormRequest = { isSignedIn: boolean; isHandedOver: boolean; status: number; again?: KioskFormAgain };

async function formResponse(
  services: Services,
  opened: OpenedKiosk,
  { status, again, ...browser }: FormRequest,
): Promise<Response> {
  const { cardId } = opened.device;
  const { settings, consents } = opened.form;
  const { sign, clock, features } = services;
  const shown = await shownOwner(services, opened);
  const key = await publicKeyOf(sign, cardId);
  const view = createElement(KioskView, {
    ...browser,
    shown,
    data: { path: shown.path, key, loadedAt: clock(), settings, purposes: consents.map(({ purpose }) => purpose) },
    form: { settings, consents, formToken: readyFormToken(services, "", cardId), ...again },
    stored: features.flatMap(({ storedData = [] }) => storedData.filter(({ about }) => about === "leads")),
  });
  return kioskResponse({ view, css: shown.css, status });
}
