import { mkdirSync, mkdtempSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import * as fc from "fast-check";
import PostalMime from "postal-mime";
import { beforeEach, describe, expect, test } from "vitest";

import { openSmtpServer } from "#tests/support/app/smtp-server.ts";
import { makeTempFolder } from "#tests/support/storage/temp-folder.ts";

import { createMail, readMail } from "./mail.server.ts";

const words = { subject: "Confirm", text: "Open https://x.example/c?t=1", html: "<p>Open it</p>" };
const simpleMail = { to: "ada@example.com", ...words };

let folder: string;

beforeEach(() => {
  folder = join(makeTempFolder(), "mail");
  mkdirSync(folder);
});

describe("without a mail server", () => {
  test("stores each email as a message that only its owner can read", async () => {
    // The Date header has whole seconds.
    const earliest = Math.floor(Date.now() / 1_000) * 1_000;
    await storingMail().send({ ...simpleMail, subject: "Grüße, 名刺 👋", html: "<p>Öffne: é</p>" });
    const [name = ""] = readdirSync(folder);
    expect(name).toMatch(/\.eml$/);
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    const mail = await PostalMime.parse(readFileSync(join(folder, name)));
    expect(mail).toMatchObject({
      from: { name: "Meishi", address: "no-reply@localhost" },
      to: [{ address: "ada@example.com" }],
      subject: "Grüße, 名刺 👋",
      text: "Open https://x.example/c?t=1\n",
      html: "<p>Öffne: é</p>\n",
    });
    expect(mail.messageId).toMatch(/@localhost>$/);
    expect(Date.parse(mail.date ?? "")).toBeGreaterThanOrEqual(earliest);
    expect(mail.headers).toContainEqual(expect.objectContaining({ key: "auto-submitted", value: "auto-generated" }));
  });

  test("lists stored emails newest first, and finds one by name", async () => {
    const mail = storingMail();
    for (let n = 1; n <= 12; n++) await mail.send({ ...simpleMail, subject: `Mail ${n}` });
    const stored = await mail.listStored();
    expect(stored.map(({ subject }) => subject)).toEqual(Array.from({ length: 12 }, (_, n) => `Mail ${12 - n}`));
    expect(stored[0]).toMatchObject({ to: "ada@example.com", from: "Meishi <no-reply@localhost>" });
    expect(await mail.findStored(stored[3]?.name ?? "")).toEqual(stored[3]);
  });

  test("never reads any other file", async () => {
    writeFileSync(join(folder, "..", "2026-01-01Tsecret.eml"), "Subject: secret\r\n\r\nsecret");
    writeFileSync(join(folder, "notes.txt"), "secret");
    const paths = ["../2026-01-01Tsecret.eml", "..", ".", "", "notes.txt", "/etc/passwd"];
    const names = [...paths, "2026-01-01T\0.eml", "2026-01-01Tnone.eml"];
    for (const name of names) expect([name, await storingMail().findStored(name)]).toEqual([name, undefined]);
    expect(await storingMail().listStored()).toEqual([]);
  });

  test("is configured only where stored mail can be read", () => {
    expect(storingMail().isConfigured).toBe(true);
    const remote = createMail({ smtpUrl: undefined, mailFrom: "a@b.example", isLocal: false }, folder);
    expect(remote.isConfigured).toBe(false);
  });
});

describe("an email with untrusted input", () => {
  test("is rejected for anything but one recipient", async () => {
    const several = ["ada@a.example, eve@a.example", "ada@a.example\r\nBcc: eve@a.example", "group:ada@a.example;"];
    for (const to of [...several, "Ada <ada@example.com>", "ada@example.com\0", "ada@", "ada", ""])
      await expect(storingMail().send({ ...simpleMail, to }), to).rejects.toThrow("Not a single email address");
    expect(readdirSync(folder)).toEqual([]);
  });

  test("never gets an additional header from the subject or the body", async () => {
    const injections = fc.constantFrom("a\r\nBcc: eve@example.com", "x\n\nbody", "\0", "\ud800", "a\u2028b");
    const text = fc.oneof(fc.string({ unit: "binary" }), injections);
    const known = "from to subject message-id date mime-version auto-submitted content-type content-transfer-encoding";
    await fc.assert(
      fc.asyncProperty(text, text, async (subject, body) => {
        const outbox = mkdtempSync(join(folder, "outbox-"));
        await storingMail(outbox).send({ ...simpleMail, subject, text: body, html: body });
        const [name = ""] = readdirSync(outbox);
        const mail = await PostalMime.parse(readFileSync(join(outbox, name)));
        expect(mail.to).toEqual([{ name: "", address: "ada@example.com" }]);
        expect(mail.bcc).toBeUndefined();
        expect(mail.headers.map(({ key }) => key).filter((key) => !known.split(" ").includes(key))).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });

  test("is validated when it is read from a job", () => {
    expect(readMail({ ...simpleMail, more: 1 })).toEqual(simpleMail);
    for (const payload of [null, "x", {}, { ...simpleMail, to: 7 }])
      expect(() => readMail(payload)).toThrow("expected");
  });
});

test("with a mail server, sends from the configured sender, stores nothing, and throws when it can't be reached", async () => {
  const server = await openSmtpServer();
  const options = { smtpUrl: server.url, mailFrom: "Doe, Jane <jane@example.com>", isLocal: false };
  const mail = createMail(options, folder);
  await mail.send(simpleMail);
  expect([mail.isConfigured, server.received.length]).toEqual([true, 1]);
  expect(await PostalMime.parse(server.received[0] ?? "")).toMatchObject({
    from: { name: "Doe, Jane", address: "jane@example.com" },
    to: [{ address: "ada@example.com" }],
    subject: "Confirm",
    html: "<p>Open it</p>\n",
  });
  expect(readdirSync(folder)).toEqual([]);
  await server[Symbol.asyncDispose]();
  await expect(mail.send(simpleMail)).rejects.toThrow(/ECONNREFUSED/);
});

function storingMail(outbox = folder) {
  return createMail({ smtpUrl: undefined, mailFrom: "Meishi <no-reply@localhost>", isLocal: true }, outbox);
}
