import { describe, expect, test } from "vitest";

import { defaultOptions } from "#app/features/avatar/rules.ts";
import { cardFields } from "#tests/support/app/cards.ts";
import { listEngines, makeDatabase } from "#tests/support/database/databases.ts";
import { listForms } from "#tests/support/app/forms.ts";
import { profileForm } from "#tests/support/app/profiles.ts";
import { s3Environment, startS3 } from "#tests/support/storage/s3.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { fillAccount, listStoredFiles, readAllRows } from "#tests/support/app/account-data.ts";
import { jpeg, pdf } from "#tests/support/app/uploads.ts";
import { locationOf } from "#tests/support/app/visitor.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";

const deleteForm = { intent: "delete", confirm: "DELETE" };
const engines = listEngines();
const setups = engines.flatMap((engine) => (["a folder", "S3"] as const).map((store) => ({ engine, store })));

describe.each(setups)("an account that is deleted during its requests, on $engine with $store", ({ engine, store }) => {
  async function open() {
    const { databaseUrl } = await makeDatabase(engine);
    const s3 = store === "S3" ? s3Environment(await startS3()) : {};
    return createTestApp({ env: { ...(databaseUrl && { DATABASE_URL: databaseUrl }), ...s3 } });
  }

  test("isn't restored by a form or file that ends later", async () => {
    const { signedIn, services, logLines } = await open();
    const before = { rows: await readAllRows(services), files: await listStoredFiles(services) };
    const ada = await signedIn();
    const { card } = await fillAccount(ada, services, "ada");
    const held = [...formsOf(card), ...(await filesOf(card))].map((one) => startSlowRequest(ada, one));
    // Each request was authenticated as Ada.
    await Promise.all(held.map(({ isRead }) => isRead));
    expect(locationOf(await ada.post("/account/delete", deleteForm))).toBe("/");
    const responses = await Promise.all(held.map(({ end }) => end()));
    await services.jobs.runDue();
    await services.jobs.runDue();
    expect({ rows: await readAllRows(services), files: await listStoredFiles(services) }).toEqual(before);
    for (const { path, response } of responses) {
      expect(response.status, path).toBeLessThan(500);
      if (path.startsWith("/uploads/") || path === "/avatar/save") expect(response.status, path).toBe(401);
      if (path === "/profile" || path === "/cards/edit") expect(response.headers.get("location"), path).toBe("/auth");
    }
    expect(logLines.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });

  // The slower store leaves more room for requests to overlap.
  test.runIf(store === "S3")("leaves no data, whichever of many concurrent requests is first", async () => {
    const { signedIn, services } = await open();
    const before = { rows: await readAllRows(services), files: await listStoredFiles(services) };
    for (let round = 0; round < 4; round++) {
      const ada = await signedIn(`ada-${round}@example.com`);
      const { card } = await fillAccount(ada, services, `ada-${round}`);
      const all = [...formsOf(card), ...(await filesOf(card))];
      const requests = all.map(async (one) => (await startSlowRequest(ada, one).end()).response.text());
      await Promise.all([...requests, ada.post("/account/delete", deleteForm)]);
      await services.jobs.runDue();
      await services.jobs.runDue();
      expect({ rows: await readAllRows(services), files: await listStoredFiles(services) }).toEqual(before);
    }
  });
});

type PendingRequest = { path: string; type: string; bytes: Uint8Array };

/** Every form that requires an account; the forms of visitors may create data. */
function formsOf(card: string): PendingRequest[] {
  const forms = listForms(card).filter(({ path }) => /^\/(?:account|avatar|profile|cards)/.test(path));
  const more = [
    { path: "/avatar/save", fields: { options: JSON.stringify(defaultOptions("Ada")) } },
    { path: "/profile", fields: profileForm({ handle: "late", version: "3" }) },
    { path: "/cards/edit", fields: { ...cardFields, id: crypto.randomUUID() } },
    { path: `/cards/${card}/details`, fields: { display_name: "Late", company: "Late" } },
  ];
  return [...forms.filter(({ path }) => !/^\/(?:avatar|profile$)/.test(path)), ...more].map(({ path, fields }) => ({
    path,
    type: "application/x-www-form-urlencoded",
    bytes: new TextEncoder().encode(`${new URLSearchParams(fields)}&`),
  }));
}

async function filesOf(card: string): Promise<PendingRequest[]> {
  const image = await jpeg();
  const slots = ["avatar", "banner", `logo:${card}`].map((slot) => ({ slot, bytes: image }));
  return [...slots, { slot: "resume", bytes: pdf("late") }].map(({ slot, bytes }) => ({
    path: `/uploads/${slot}?name=late`,
    type: "application/octet-stream",
    bytes: new Uint8Array(bytes),
  }));
}

/** Starts a request whose body is sent at `end`; `isRead` once the server has authenticated it and waits for the body. */
function startSlowRequest(user: Pick<Visitor, "request">, { path, type, bytes }: PendingRequest) {
  const isRead = Promise.withResolvers<void>();
  const isEnded = Promise.withResolvers<void>();
  const body = new ReadableStream(
    {
      async pull(controller) {
        isRead.resolve();
        await isEnded.promise;
        controller.enqueue(bytes);
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const headers = { origin: "http://localhost:3000", "content-type": type, "content-length": `${bytes.length}` };
  const init = { method: "POST", body, headers, duplex: "half" };
  const response = user.request(path, init);
  async function end() {
    isEnded.resolve();
    return { path: path.replace(/\?.*/, ""), response: await response };
  }
  return { isRead: isRead.promise, end };
}
