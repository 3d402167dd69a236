import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { makeCard } from "#tests/support/app/cards.ts";
import { openRawConnection } from "#tests/support/program/connections.ts";
import { withDatabase } from "#tests/support/program/database.ts";
import { signUpAt } from "#tests/support/program/users.ts";
import type { ProgramUser } from "#tests/support/program/users.ts";
import { residentBytes, startProgram } from "#tests/support/program/program.ts";
import type { Program } from "#tests/support/program/program.ts";
import { jpeg, pdf } from "#tests/support/app/uploads.ts";

const maxBytes = 5 * 1024 * 1024 - 1;

let program: Program;
let ada: ProgramUser;

beforeAll(async () => {
  // A small heap, so that the memory measured below is what is needed, and not what waits to be collected.
  program = await startProgram({ NODE_OPTIONS: "--max-old-space-size=100 --max-semi-space-size=4" });
  await program.isUp();
  ada = await signUpAt(program, "ada@example.com");
});
afterAll(() => program.remove());

const drafts = () => readdirSync(join(program.dataDir, "files/.drafts"));
const cookie = () => [...ada.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
/** A connection that has sent the head of an upload. */
async function startUpload(...headers: string[]) {
  const client = await openRawConnection(program.port);
  const own = [`Host: localhost:${program.port}`, `Origin: ${program.url}`, `Cookie: ${cookie()}`];
  await client.send(["POST /uploads/resume?name=cv.pdf HTTP/1.1", ...own, ...headers, "", ""].join("\r\n"));
  return client;
}

async function expectWell() {
  await expect.poll(drafts).toEqual([]);
  expect((await fetch(`${program.url}/healthz`)).status).toBe(200);
  expect(program.errors()).toBe("");
}

async function post(person: ProgramUser, slot: string, body: Uint8Array) {
  const init = { method: "POST", headers: { origin: program.url }, body: new Uint8Array(body) };
  const response = await person.request(`/uploads/${slot}?name=a`, init);
  return { status: response.status, message: ((await response.json()) as { message: string }).message };
}

describe("an unusual upload", () => {
  test("is discarded when the client disconnects halfway", async () => {
    for (const length of ["Content-Length: 2000000", "Transfer-Encoding: chunked"]) {
      const client = await startUpload(length);
      await client.send(length.startsWith("T") ? `10000\r\n${"x".repeat(0x10000)}\r\n` : "%PDF-1.4\n".repeat(1_000));
      await expect.poll(drafts).toHaveLength(1);
      client.close();
      await expectWell();
    }
    expect(count("select count(*) as n from asset where owner_id <> 'demo-user'")).toBe(0);
  });

  test("is refused by its declared length when it is too large", async () => {
    const client = await startUpload(`Content-Length: ${maxBytes + 1}`);
    await client.send(new Uint8Array(1_000_000));
    await client.ended;
    expect(client.status()).toBe(413);
    expect(client.answer()).toContain("File size must be less than 5MB");
    await expectWell();
  });

  test("is cut off at 5 MB when its length isn't declared", async () => {
    const client = await startUpload("Transfer-Encoding: chunked");
    const chunk = `10000\r\n${"x".repeat(0x10000)}\r\n`;
    let sent = 0;
    while (sent < 200_000_000 && (await client.send(chunk))) sent += 0x10000;
    await client.ended;
    expect(sent).toBeLessThan(200_000_000);
    expect(client.status()).toBe(413);
    await expectWell();
  });

  test("is accepted in small chunks and without a length", async () => {
    const client = await startUpload("Transfer-Encoding: chunked", "Connection: close");
    for (const byte of pdf()) await client.send(`1\r\n${String.fromCodePoint(byte)}\r\n`);
    await client.send("0\r\n\r\n");
    await client.ended;
    expect(client.answer()).toContain("Resume uploaded successfully");
    await expectWell();
  });

  test("is refused when signed out, from another site, and for an unknown slot", async () => {
    const statusOf = async (path: string, headers: Record<string, string>) =>
      (await fetch(program.url + path, { method: "POST", headers, body: new Uint8Array(pdf()) })).status;
    const own = { origin: program.url };
    expect(await statusOf("/uploads/avatar", own)).toBe(401);
    expect(await statusOf("/uploads/avatar/remove", own)).toBe(401);
    expect(await statusOf("/uploads/avatar", { origin: "https://evil.example", cookie: cookie() })).toBe(403);
    for (const slot of ["nothing", "logo:", "logo:a/b", "avatar/other", "..", "__proto__"])
      expect([404, 405], slot).toContain(await statusOf(`/uploads/${slot}`, { ...own, cookie: cookie() }));
    await expectWell();
  });
});

test("stores or refuses twelve concurrent uploads of 5 MB, and then large forms, in bounded memory", async () => {
  const people = await Promise.all(["b", "c", "d"].map((name) => signUpAt(program, `${name}@example.com`)));
  const image = await largeImage();
  expect(image.length).toBe(maxBytes);
  const document = Buffer.concat([Buffer.alloc(maxBytes - pdf().length, "%PDF-1.4\n"), pdf()]);
  let isDone = false;
  const peak = measurePeak(() => isDone);
  const responses = await Promise.all(
    people.flatMap((person) => [
      post(person, "avatar", image),
      post(person, "banner", image),
      post(person, "resume", document),
      post(person, "resume", document),
    ]),
  );
  expect(responses).toHaveLength(12);
  for (const { status, message } of responses) {
    expect([200, 409, 503]).toContain(status);
    expect(message).toMatch(/updated!|successfully|Wait until|Try again/);
  }
  expect(responses.filter(({ status }) => status === 200).length).toBeGreaterThan(2);
  for (let round = 0; round < 5; round++) await Promise.all(people.map(postLargeForm));
  isDone = true;
  // 310 to 330 MB. Each image that is decoded beside the others adds up to 120 MB.
  expect(await peak).toBeLessThan(400_000_000);
  await expectWell();
  // Replaced files are deleted, and the stored files are those that rows reference.
  await expect.poll(() => count("select count(*) as n from job")).toBe(0);
  const entries = readdirSync(join(program.dataDir, "files"), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.parentPath.includes("/files/"));
  expect(files.filter(({ name }) => name !== "store-id")).toHaveLength(count("select sum(files) as n from storage"));
});

async function postLargeForm(person: ProgramUser) {
  const headers = { origin: program.url, "content-type": "application/x-www-form-urlencoded" };
  await person.request("/profile", { method: "POST", headers, body: `bio=${"x".repeat(1_900_000)}` });
}

/** An image of the maximum upload size and nearly the maximum number of pixels. */
async function largeImage(): Promise<Buffer> {
  const noise = { type: "gaussian" as const, mean: 128, sigma: 12 };
  const whole = await sharp({ create: { width: 7_000, height: 5_600, channels: 3, background: "#888", noise } })
    .blur(3)
    .webp({ quality: 60, effort: 0 })
    .toBuffer();
  return Buffer.concat([whole, Buffer.alloc(maxBytes)]).subarray(0, maxBytes);
}

async function measurePeak(isDone: () => boolean): Promise<number> {
  let most = 0;
  for (; !isDone(); await pause(50)) most = Math.max(most, residentBytes(program));
  return most;
}

const count = (statement: string) =>
  withDatabase(program.dataDir, (database) => Number(database.prepare(statement).get()?.["n"]));

test("worker threads convert uploads, read imports and draw images for many requests at once", async () => {
  const cardId = await makeCard(ada);
  const headers = { origin: program.url };
  const avatar = new Uint8Array(await jpeg());
  const contact = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Eda King\r\nEND:VCARD\r\n";
  const uploaded = ada.request("/uploads/avatar?x=0&y=0&size=1", { method: "POST", headers, body: avatar });
  const imported = ada.request("/cards/import", { method: "POST", headers, body: contact });
  const drawn = [
    `share/card/${cardId}/print.pdf`,
    "share/profile/print.pdf",
    `share/card/${cardId}/background.png`,
    `share/card/${cardId}/contact-code.png`,
    `card/${cardId}/preview.png`,
    `card/${cardId}/qr.png?logo=seal`,
    `u/${ada.id}/preview.png`,
    `u/${ada.id}/signature.png`,
    "avatar/ada.png",
    "preview.png",
  ].map(async (path) => {
    const response = await ada.get(`/${path}`);
    return `${response.status} ${Buffer.from(await response.arrayBuffer()).toString("latin1", 1, 4)}`;
  });
  expect((await uploaded).status).toBe(200);
  expect(await (await imported).json()).toMatchObject({ contacts: [{ values: { card_name: "Eda King" } }], total: 1 });
  expect(await Promise.all(drawn)).toEqual(["200 PDF", "200 PDF", ...Array.from({ length: 8 }, () => "200 PNG")]);
  expect(program.errors()).toBe("");
});
