import { randomUUID } from "node:crypto";

import { CompactEncrypt, importJWK } from "jose";

import type { KioskData } from "#app/features/kiosk/tablet/kiosk-view.tsx";
import type { EntryContent } from "#app/features/kiosk/schema.ts";
import { fieldValue } from "#tests/support/app/cards.ts";
import { readElements } from "#tests/support/app/responses.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";

import { openLeadForm } from "#tests/journeys/leads/shared-contacts.ts";

/** The kiosk link in the response to its creation. */
export async function createKioskLink(
  owner: Pick<Visitor, "post">,
  card: string,
  name = "Tablet at the booth",
): Promise<string> {
  const response = await owner.post(`/cards/${card}/kiosk`, { intent: "create", name });
  const path = /\/kiosk\/[\w-]{43}/.exec(await response.text())?.[0];
  if (!path) throw new Error(`No kiosk link was created: ${response.status}`);
  return path;
}

/** What the script of a kiosk's page gets. */
export function readKioskData(page: string): KioskData {
  const data = readElements(page).find(({ attributes }) => "data-kiosk" in attributes);
  return JSON.parse(data?.attributes["data-kiosk"] ?? "") as KioskData;
}

/** A card with the form, a kiosk link of it, and a device that fills in forms as its script does. */
export async function openKiosk() {
  const opened = await openLeadForm();
  const { ada, card, grace: tablet, services, time } = opened;
  const path = await createKioskLink(ada, card);
  const page = await (await tablet.get(path)).text();
  const data = readKioskData(page);
  const consents = [{ purpose: "answer" as const, hash: fieldValue(page, "consent-answer") }];

  const content = (change: Partial<Omit<EntryContent, "details">> & Partial<EntryContent["details"]> = {}) => {
    const { id = randomUUID(), givenAt = time.now, loadedAt = time.now, consents: agreed = consents, ...more } = change;
    const grace = { name: "Grace Hopper", email: "grace@example.com" };
    const details = { ...grace, phone: "", company: "", note: "Hi", answers: [] };
    return { id, givenAt, loadedAt, consents: agreed, details: { ...details, ...more } } satisfies EntryContent;
  };
  const encrypt = async (plain: EntryContent, { key } = data.key) => ({
    id: plain.id,
    content: await new CompactEncrypt(new TextEncoder().encode(JSON.stringify(plain)))
      .setProtectedHeader({ alg: "ECDH-ES", enc: "A256GCM" })
      .encrypt(await importJWK(key, "ECDH-ES")),
  });
  const post = (body: unknown, to = path) =>
    tablet.request(`${to}/leads`, {
      method: "POST",
      body: typeof body === "string" ? body : JSON.stringify(body),
      headers: { "content-type": "application/json", origin: "null" },
    });
  const send = async (entries: unknown[], { sentAt = time.now, to = path } = {}) => {
    const response = await post({ sentAt, entries }, to);
    return (await response.json()) as {
      results: { id: string; result: string; reason?: string }[];
      retryAfter?: number;
    };
  };
  /** The form as a device without script fills it in. */
  const form = {
    formToken: fieldValue(page, "formToken"),
    name: "Grace",
    email: "grace@example.com",
    "question-q1": "At the fair",
    "consent-answer": fieldValue(page, "consent-answer"),
  };
  /** Browsers send the origin "null" from a page that names no referrer. */
  const postForm = (change: Record<string, string> = {}) =>
    tablet.post(path, { ...form, ...change }, { origin: "null" });
  const devices = () => services.db.selectFrom("kiosk_device").selectAll().execute();
  const deviceId = (await devices())[0]?.id ?? "";
  const remove = () => ada.post(`/cards/${card}/kiosk`, { intent: "remove", id: deviceId });
  const sender = { content, encrypt, post, send, form, postForm };
  return { ...opened, tablet, kioskPath: path, page, ...sender, devices, deviceId, remove };
}
