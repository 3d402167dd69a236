import { expect, test } from "vitest";

import { allowsServices, consentTexts, inPersonText } from "#app/features/leads/consent-text.ts";
import { followRequest } from "#app/features/leads/consent/visitor-data.server.ts";
import { defaultFormSettings } from "#app/features/leads/schema.ts";

import { openLeadForm } from "./shared-contacts.ts";

const crm = "inbound@crm.example";

async function open() {
  const opened = await openLeadForm();
  const { ada, path, read, mailsTo } = opened;
  /** Whether the form says that colleagues and services get the details. */
  const namesServices = async () => (await read(`${path}/connect`)).includes("colleagues and services");
  /** Adds an address; returns the link in its mail. */
  const addAddress = async () => {
    await ada.post("/leads/notifications", { intent: "add-forward", address: crm });
    return /\/lead-mails\/\S+/.exec((await mailsTo(crm))[0]?.text ?? "")?.[0] ?? "";
  };
  return { ...opened, namesServices, addAddress };
}

test("the form names colleagues and services exactly while leads go to an address, and an open form is shown again", async () => {
  const { ada, card, fill, send, mailsTo, services, visitor, leads, ...site } = await open();
  const filled = await fill();
  const link = await site.addAddress();
  expect(await site.namesServices()).toBe(false);
  await visitor().post(`${link}/confirm`, {});
  expect(await site.namesServices()).toBe(true);
  expect(await (await ada.get(`/cards/${card}/leads`)).text()).toContain("because you pass new leads on");
  const refused = await send(filled);
  expect([refused.status, (await refused.text()).includes("This text has changed")]).toEqual([400, true]);
  expect((await send()).status).toBe(303);
  expect(await leads()).toHaveLength(1);
  const subjects = async (start: string) =>
    (await mailsTo(crm)).filter(({ subject }) => subject.startsWith(start)).length;
  expect(await subjects("New lead")).toBe(1);
  await visitor().post(`${link}/stop`, {});
  expect(await site.namesServices()).toBe(false);
  // An address that gets no more leads is still asked to delete those that it got, and only those.
  await send();
  await services.jobs.runDue();
  for (const { id } of await leads()) await followRequest(services, id, "erase");
  expect(await subjects("Delete the details of a lead")).toBe(1);
});

test("the form names them exactly while a webhook that gets leads is on", async () => {
  const { ada, services, namesServices } = await open();
  await ada.post("/webhooks/new", { url: "https://crm.example/in", "card.saved": "on" });
  expect(await namesServices()).toBe(false);
  const { id } = await services.db.selectFrom("webhook_endpoint").select("id").executeTakeFirstOrThrow();
  await ada.post(`/webhooks/${id}/edit`, { url: "https://crm.example/in", "lead.created": "on" });
  expect(await namesServices()).toBe(true);
  await ada.post(`/webhooks/${id}`, { intent: "off" });
  expect(await namesServices()).toBe(false);
  await ada.post(`/webhooks/${id}`, { intent: "on" });
  expect(await namesServices()).toBe(true);
});

test("the form's text allows it for each text that was agreed to, and whatever the owner's own words say", () => {
  const texts = (hasServices: boolean, answer = "") =>
    consentTexts(
      { ...defaultFormSettings, hasNewsletter: true, consentTexts: { answer, newsletter: "" } },
      { displayName: "Ada", company: "A, B", months: 12, hasServices },
    ).map(({ text }) => ({ text, withdrawnAt: null }));
  expect(allowsServices(texts(true))).toBe(true);
  expect(allowsServices(texts(false))).toBe(false);
  expect(allowsServices([...texts(true), ...texts(false)])).toBe(false);
  expect(allowsServices(texts(false, texts(true)[0]?.text))).toBe(false);
  expect(allowsServices([])).toBe(false);
  expect(allowsServices(texts(true).map((text) => ({ ...text, withdrawnAt: 1 })))).toBe(false);
  for (const hasServices of [true, false]) {
    const text = inPersonText({ displayName: "Ada", months: 3, hasServices });
    expect(allowsServices([{ text, withdrawnAt: null }])).toBe(hasServices);
  }
});
