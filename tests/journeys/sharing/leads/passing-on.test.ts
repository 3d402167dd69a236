import { describe, expect, test } from "vitest";

import { allowsServices, consentTexts, inPersonText } from "#app/features/leads/consent/consent-text.ts";
import { followRequest } from "#app/features/leads/consent/visitor-data.server.ts";
import { defaultFormSettings } from "#app/features/leads/schema.ts";

import { openLeadForm } from "./shared-contacts.ts";

const crm = "inbound@crm.example";

test("an address that gets no more leads is still asked to delete those that it got", async () => {
  const { ada, grace, path, fill, services, visitor, mails } = await openLeadForm();
  await ada.post("/leads/notifications", { intent: "add-forward", address: crm });
  const link = /\/lead-mails\/\S+/.exec((await mails()).find(({ to }) => to === crm)?.text ?? "")?.[0] ?? "";
  await visitor().post(`${link}/confirm`, {});
  await grace.post(`${path}/connect`, await fill());
  await services.jobs.runDue();
  await visitor().post(`${link}/stop`, {});
  await grace.post(`${path}/connect`, await fill());
  await services.jobs.runDue();
  for (const { id } of await services.db.selectFrom("lead").select("id").execute())
    await followRequest(services, id, "erase");
  const subjects = (await mails()).filter(({ to }) => to === crm).map(({ subject }) => subject);
  expect(subjects.filter((subject) => subject === "Delete the details of a lead")).toHaveLength(1);
});

describe("the text of the form", () => {
  test("names colleagues and services exactly while leads are passed on, and an open form is shown again", async () => {
    const { ada, grace, card, path, fill, services, visitor, mails, leads } = await openLeadForm();
    const filled = await fill();
    await ada.post("/leads/notifications", { intent: "add-forward", address: crm });
    const textOf = async () =>
      (await (await visitor().get(`${path}/connect`)).text()).includes("colleagues and services");
    expect(await textOf()).toBe(false);
    const link = /\/lead-mails\/\S+/.exec((await mails()).find(({ to }) => to === crm)?.text ?? "")?.[0] ?? "";
    await visitor().post(`${link}/confirm`, {});
    expect(await textOf()).toBe(true);
    expect(await (await ada.get(`/cards/${card}/leads`)).text()).toContain("because you pass new leads on");
    const refused = await grace.post(`${path}/connect`, filled);
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain("This text has changed");
    expect((await grace.post(`${path}/connect`, await fill())).status).toBe(303);
    expect(await leads()).toHaveLength(1);
    await services.jobs.runDue();
    expect((await mails()).filter(({ to, subject }) => to === crm && subject.startsWith("New lead"))).toHaveLength(1);
    await visitor().post(`${link}/stop`, {});
    expect(await textOf()).toBe(false);
  });

  test("names them exactly while a webhook that gets leads is on", async () => {
    const { ada, path, services, visitor } = await openLeadForm();
    const readText = async () =>
      (await (await visitor().get(`${path}/connect`)).text()).includes("colleagues and services");
    await ada.post("/webhooks/new", { url: "https://crm.example/in", "card.saved": "on" });
    expect(await readText()).toBe(false);
    const { id } = await services.db.selectFrom("webhook_endpoint").select("id").executeTakeFirstOrThrow();
    await ada.post(`/webhooks/${id}/edit`, { url: "https://crm.example/in", "lead.created": "on" });
    expect(await readText()).toBe(true);
    await ada.post(`/webhooks/${id}`, { intent: "off" });
    expect(await readText()).toBe(false);
    await ada.post(`/webhooks/${id}`, { intent: "on" });
    expect(await readText()).toBe(true);
  });

  test("allows it for each text that was agreed to, and whatever the owner's own words say", () => {
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
    for (const hasServices of [true, false])
      expect(
        allowsServices([{ text: inPersonText({ displayName: "Ada", months: 3, hasServices }), withdrawnAt: null }]),
      ).toBe(hasServices);
  });
});
