import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";

import * as fc from "fast-check";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { createMail, readMail } from "./mail.server.ts";

const plain = {
  to: "ada@example.com",
  subject: "Confirm",
  text: "Open https://x.example/c?t=1",
  html: "<p>Open it</p>",
};

let parent: string;
let folder: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "meishi-mail-"));
  folder = join(parent, "mail");
  mkdirSync(folder);
});

afterEach(() => rmSync(parent, { recursive: true }));

describe("without a mail server", () => {
  test("each mail is kept as a whole message that only the owner can read", async () => {
    // A mail's time has whole seconds.
    const earliest = Math.floor(Date.now() / 1_000) * 1_000;
    await keeper().send({ ...plain, subject: "Grüße, 名刺 👋", html: "<p>Öffne: é</p>" });
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

  test("they are listed newest first, and read one by one", async () => {
    const mail = keeper();
    for (let n = 1; n <= 12; n++) await mail.send({ ...plain, subject: `Mail ${n}` });
    const kept = await mail.listKept();
    expect(kept.map(({ subject }) => subject)).toEqual(Array.from({ length: 12 }, (_, n) => `Mail ${12 - n}`));
    expect(kept[0]).toMatchObject({ to: "ada@example.com", from: "Meishi <no-reply@localhost>" });
    expect(await mail.readKept(kept[3]?.name ?? "")).toEqual(kept[3]);
  });

  test("nothing but kept mail is read, whatever name is asked for", async () => {
    writeFileSync(join(folder, "..", "2026-01-01Tsecret.eml"), "Subject: secret\r\n\r\nsecret");
    writeFileSync(join(folder, "notes.txt"), "secret");
    const names = [
      "../2026-01-01Tsecret.eml",
      "..",
      ".",
      "",
      "notes.txt",
      "/etc/passwd",
      "2026-01-01T\0.eml",
      "2026-01-01Tnone.eml",
    ];
    for (const name of names) expect([name, await keeper().readKept(name)]).toEqual([name, undefined]);
    expect(await keeper().listKept()).toEqual([]);
  });

  test("it counts as configured only where somebody can look at it", () => {
    expect(keeper().isConfigured).toBe(true);
    expect(createMail({ smtpUrl: undefined, mailFrom: "a@b.example", isLocal: false }, folder).isConfigured).toBe(
      false,
    );
  });
});

describe("what comes from people", () => {
  test.each([
    "ada@example.com, eve@example.com",
    "ada@example.com\r\nBcc: eve@example.com",
    "Ada <ada@example.com>",
    "ada@example.com\0",
    "ada@",
    "ada",
    "",
    "group:ada@example.com;",
  ])("never makes more recipients than one: %j", async (to) => {
    await expect(keeper().send({ ...plain, to })).rejects.toThrow("Not one mail address");
    expect(readdirSync(folder)).toEqual([]);
  });

  test("never adds a header, to the subject or to the body", async () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("a\r\nBcc: eve@example.com", "x\n\nbody", "\0", "\ud800", "a\u2028b"),
    );
    await fc.assert(
      fc.asyncProperty(text, text, async (subject, body) => {
        const box = mkdtempSync(join(folder, "box-"));
        await keeper(box).send({ ...plain, subject, text: body, html: body });
        const [name = ""] = readdirSync(box);
        const mail = await PostalMime.parse(readFileSync(join(box, name)));
        expect(mail.to).toEqual([{ name: "", address: "ada@example.com" }]);
        expect(mail.bcc).toBeUndefined();
        const known = [
          "from",
          "to",
          "subject",
          "message-id",
          "date",
          "mime-version",
          "auto-submitted",
          "content-type",
          "content-transfer-encoding",
        ];
        expect(mail.headers.map(({ key }) => key).filter((key) => !known.includes(key))).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });

  test("is a mail or refused, when it comes out of the job table", () => {
    expect(readMail({ ...plain, more: 1 })).toEqual(plain);
    for (const payload of [null, "x", {}, { ...plain, to: 7 }]) expect(() => readMail(payload)).toThrow("expected");
  });
});

describe("with a mail server", () => {
  test("a mail goes there, from the configured sender, and none is kept", async () => {
    await using server = await openServer();
    const mail = createMail({ smtpUrl: server.url, mailFrom: "Doe, Jane <jane@example.com>", isLocal: false }, folder);
    await mail.send(plain);
    expect(mail.isConfigured).toBe(true);
    expect(server.received).toHaveLength(1);
    const [{ from, to, content } = { from: "", to: [""], content: Buffer.from("") }] = server.received;
    expect([from, to]).toEqual(["jane@example.com", ["ada@example.com"]]);
    expect(await PostalMime.parse(content)).toMatchObject({
      from: { name: "Doe, Jane", address: "jane@example.com" },
      subject: "Confirm",
      html: "<p>Open it</p>\n",
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  test("that refuses it, sending fails: it is tried again later", async () => {
    await using server = await openServer({ refuse: true });
    const mail = createMail({ smtpUrl: server.url, mailFrom: "a@b.example", isLocal: false }, folder);
    await expect(mail.send(plain)).rejects.toThrow(/450/);
  });
});

function keeper(box = folder) {
  return createMail({ smtpUrl: undefined, mailFrom: "Meishi <no-reply@localhost>", isLocal: true }, box);
}

async function openServer({ refuse = false } = {}) {
  const received: { from: string; to: string[]; content: Buffer }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onRcptTo: (_address, _session, done) =>
      done(refuse ? Object.assign(new Error("later"), { responseCode: 450 }) : null),
    async onData(stream, { envelope }, done) {
      const from = envelope.mailFrom ? envelope.mailFrom.address : "";
      received.push({ from, to: envelope.rcptTo.map(({ address }) => address), content: await buffer(stream) });
      done();
    },
  });
  const listening = server.listen(0, "127.0.0.1");
  await once(listening, "listening");
  const address = listening.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const close = () => new Promise<void>((resolve) => server.close(resolve));
  return { received, url: `smtp://127.0.0.1:${port}`, [Symbol.asyncDispose]: close };
}
