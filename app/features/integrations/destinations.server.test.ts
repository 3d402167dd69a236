import { expect, test } from "vitest";

import { createPublicSender } from "#app/services/http/public/public-sender.server.ts";
import { openContactServices } from "#tests/support/providers/contact-services.ts";

import { createSend } from "./destination-request.server.ts";
import { findDestination } from "./destinations.server.ts";
import { checkSettings } from "./settings-form.ts";
import type { Contact, Settings } from "./destination.ts";

const grace: Contact = {
  firstName: "Grace",
  lastName: "Hopper",
  email: "grace.o'hara@example.com",
  phone: "+1 555 0100",
  company: "Navy",
  title: "Admiral",
  website: "",
  emails: ["grace.o'hara@example.com"],
  phones: ["+1 555 0100"],
  note: "",
  tags: [],
  vcard: "",
};

const settingsOf: Record<string, Settings> = {
  listmonk: { url: "", user: "api", token: "right", list: "3" },
  brevo: { key: "xkeysib-right", list: "3" },
  mailchimp: { key: "rightrightright-us21", list: "a1b2c3d4e5" },
  hubspot: { token: "pat-right" },
};
/** Address books, where contacts have our names. */
const bookSettings: Settings = { account: "ada@example.com", accessToken: "right" };

/** A service with the settings for its double, and requests to its hosts that go there. */
async function open(kind: string) {
  const double = await openContactServices();
  const sender = createPublicSender({ allowedOrigins: [double.origin] });
  const send = createSend({
    config: { baseUrl: "https://cards.example.com" } as never,
    sendPublicly: (url, message) => {
      const { host, pathname, search } = new URL(url);
      return sender(url.startsWith(double.origin) ? url : `${double.origin}/${host}${pathname}${search}`, message);
    },
  });
  const destination = findDestination(kind);
  if (!destination) throw new Error(kind);
  const settings = {
    ...(settingsOf[kind] ?? bookSettings),
    ...(kind === "listmonk" && { url: `${double.origin}/listmonk/` }),
  };
  const stored = () => double.contacts.get(kind) ?? [];
  return { ...double, destination, settings, stored, send };
}

test.for(Object.keys(settingsOf))("%s gets a contact once, its changes, and its end", async (kind) => {
  const { destination, settings, stored, send, services } = await open(kind);
  expect(checkSettings(destination, settings, () => true)).toEqual({ settings });
  expect(await destination.test({ settings, send })).toBeTruthy();
  const request = { settings, send, contact: grace, name: "1-1" };
  expect(await destination.find?.(request)).toBeUndefined();
  services.isLosing = true;
  await expect(destination.copy({ ...request, known: undefined })).rejects.toMatchObject({ kind: "later" });
  services.isLosing = false;
  const id = (await destination.find?.(request)) ?? "";
  const known = { id, isOurs: true };
  expect(await destination.copy({ ...request, known })).toBe(id);
  expect(stored()).toMatchObject([{ email: grace.email, name: "Grace Hopper", lists: kind === "hubspot" ? [] : [3] }]);
  const changed = { ...grace, firstName: "Amazing Grace" };
  expect(await destination.copy({ ...request, contact: changed, known })).toBe(id);
  expect(stored()).toMatchObject([{ email: grace.email, name: "Amazing Grace Hopper" }]);
  for (const _ of [1, 2]) expect(await destination.remove({ settings, send, known })).toBe("removed");
  expect(stored()).toEqual([]);
});

test.for(Object.keys(settingsOf))("%s gets details in the fields that the owner named", async (kind) => {
  const { destination, settings, stored, send } = await open(kind);
  const contact = { ...grace, note: "Met in Rome", tags: ["Fair", "Navy"] };
  const mapped = { ...settings, noteField: "MESSAGE", tagsField: "TOPICS" };
  await destination.copy({ settings: mapped, send, contact, name: "1-1", known: undefined });
  expect(stored()).toMatchObject([{ fields: { MESSAGE: "Met in Rome", TOPICS: "Fair, Navy" } }]);
});

test.for(Object.keys(settingsOf))("%s keeps a contact that was there before", async (kind) => {
  const { destination, settings, stored, send } = await open(kind);
  const status = kind === "listmonk" ? "enabled" : "subscribed";
  stored().push({ id: 7, email: grace.email, name: "G. H.", lists: [], status });
  const request = { settings, send, contact: grace, name: "1-1" };
  const known = { id: (await destination.find?.(request)) ?? "", isOurs: false };
  expect(await destination.copy({ ...request, known })).toBe(known.id);
  expect(stored()).toMatchObject([{ email: grace.email, lists: kind === "hubspot" ? [] : [3] }]);
  expect(await destination.remove({ settings, send, known })).toBe("kept");
  expect(stored()).toMatchObject([{ email: grace.email, lists: [] }]);
});

test("listmonk doesn't subscribe those again who unsubscribed there", async () => {
  const { destination, settings, stored, send } = await open("listmonk");
  stored().push({ id: 7, email: grace.email, name: "G. H.", lists: [3], status: "unsubscribed" });
  stored().push({ id: 8, email: "alan@example.com", name: "A. T.", lists: [], status: "blocklisted" });
  const before = structuredClone(stored());
  for (const id of ["7", "8"])
    for (const isOurs of [true, false])
      await destination.copy({ settings, send, contact: grace, name: "1-1", known: { id, isOurs } });
  expect(stored()).toEqual(before);
});

test.for(["google", "microsoft"])("%s gets a contact of its own, its changes, and its end", async (kind) => {
  const { destination, settings, stored, send, services } = await open(kind);
  await destination.test({ settings, send });
  // The owner's own contacts are never touched, also one with the same address.
  const own = [1, 2, 3].map((id) => ({ id, email: grace.email, name: "G. H.", lists: [], status: "1" }));
  stored().push(...own);
  const request = { settings, send, contact: grace, name: "1-1" };
  services.isLosing = true;
  await expect(destination.copy({ ...request, known: undefined })).rejects.toMatchObject({ kind: "later" });
  services.isLosing = false;
  expect(await destination.findNamed?.({ settings, send, name: "1-2" })).toBeUndefined();
  const id = (await destination.findNamed?.(request)) ?? "";
  const known = { id, isOurs: true };
  const changed = { ...grace, firstName: "Amazing Grace", emails: ["new@example.com"] };
  expect(await destination.copy({ ...request, contact: changed, known })).toBe(id);
  expect(stored().slice(3)).toMatchObject([{ email: "new@example.com", name: "Amazing Grace Hopper", mark: "1-1" }]);
  for (const _ of [1, 2]) expect(await destination.remove({ settings, send, known })).toBe("removed");
  expect(stored()).toEqual(own);
  expect(await destination.copy({ ...request, known })).toBeUndefined();
});

test.for([...Object.keys(settingsOf), "google", "microsoft"])("%s with a wrong key is refused", async (kind) => {
  const { destination, settings, send } = await open(kind);
  const wrong = Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name, value.replaceAll("right", "wrong")]),
  );
  const copy = { settings: wrong, send, contact: grace, name: "1-1", known: undefined };
  await expect(destination.test({ settings: wrong, send })).rejects.toMatchObject({ kind: "refused", status: 401 });
  await expect(destination.copy(copy)).rejects.toMatchObject({ kind: "refused" });
});

test("settings are refused beside their field", () => {
  const isSendable = (url: string) => url.startsWith("https://lists.");
  const check = (kind: string, settings: Settings) =>
    checkSettings(findDestination(kind) ?? never(), settings, isSendable);
  const right = { url: "https://lists.example.com", user: "api", token: "x", list: "3" };
  for (const [change, field] of [
    [{ url: "http://lists.example.com" }, "url"],
    [{ url: "https://127.0.0.1" }, "url"],
    [{ url: "https://ada:pw@lists.example.com" }, "url"],
    [{ url: "https://lists.example.com?a=b" }, "url"],
    [{ url: "file:///etc/passwd" }, "url"],
    [{ url: "lists" }, "url"],
    [{ token: "" }, "token"],
    [{ token: "x".repeat(501) }, "token"],
    [{ list: "News" }, "list"],
  ] as const)
    expect(check("listmonk", { ...right, ...change }), JSON.stringify(change)).toEqual({
      errors: { [field]: expect.any(String) },
    });
  expect(check("listmonk", right)).toEqual({ settings: right });
  expect(check("listmonk", { ...right, phoneField: "my phone" })).toEqual({
    errors: { phoneField: expect.any(String) },
  });
  expect(check("mailchimp", { key: "abc", list: "News!" })).toEqual({
    errors: { key: expect.any(String), list: expect.any(String) },
  });
});

function never(): never {
  throw new Error("There is no such service.");
}
