import { readdirSync } from "node:fs";
import { dirname } from "node:path";

import sharp from "sharp";
import { describe, expect, test } from "vitest";

import { makePremium } from "#tests/support/app/profiles.ts";
import { jpeg, jpegOfSize, pdf, plainImage } from "#tests/support/app/uploads.ts";

import { callApi, createApiApp, giveKey } from "./api-app.ts";

type Variant = { url: string; type: string; size: number };

const png = { "content-type": "image/png" };
const asPdf = { "content-type": "application/pdf" };
const blob = (bytes: Uint8Array) => new Blob([new Uint8Array(bytes)]);
const image = async () => blob(await plainImage(300, 200).png().toBuffer());

/** Ada has a card, and on Premium may upload everything. */
async function createFilesApp() {
  const product = await createApiApp();
  await makePremium(product.services, product.ownerId);
  const { body: card } = await product.call("POST /cards", { body: { cardName: "Work" } });
  const cardPath: string = new URL(card.url).pathname;
  const put = async (id: string, headers: Record<string, string> = {}) =>
    product.call(`PUT /files/${id}`, { body: await image(), headers: { ...png, ...headers } });
  /** What an upload that was refused may have left. */
  const leftovers = async () => [
    ...readdirSync(dirname(product.services.files.tempPath())),
    ...(await product.services.db.selectFrom("asset").select("slot").execute()),
    ...(await product.services.db.selectFrom("storage").select("bytes").where("bytes", ">", 0).execute()),
  ];
  return { ...product, cardId: String(card.id), cardPath, put, leftovers };
}

type FilesApp = Awaited<ReturnType<typeof createFilesApp>>;

const read = async (person: { get: (path: string) => Promise<Response> }, path: string) =>
  (await person.get(path)).text();

/** Ids of files, and where they are shown. */
const slots: [id: string, show: (app: FilesApp) => Promise<string>][] = [
  ["avatar", ({ visitor, ownerId }) => read(visitor(), `/u/${ownerId}`)],
  ["banner", ({ visitor, ownerId }) => read(visitor(), `/u/${ownerId}`)],
  ["logo:{card}", ({ visitor, cardPath }) => read(visitor(), cardPath)],
  ["pass-background:b-1", ({ ada, cardId }) => read(ada, `/cards/${cardId}/pass`)],
  ["pass-logo:l_1", ({ ada, cardId }) => read(ada, `/cards/${cardId}/pass`)],
];

describe("files in the API", () => {
  test.each(slots)("are uploaded, shown, replaced and removed: %s", async (slot, show) => {
    const app = await createFilesApp();
    const { call, put, visitor } = app;
    const id = slot.replace("{card}", app.cardId);
    const first = await put(id);
    expect([first.status, first.body.id, first.headers.get("etag")]).toEqual([200, id, `"${first.body.version}"`]);
    const own = await call(`GET /files/${id}`);
    expect([own.body, (await call("GET /files")).body.data]).toEqual([first.body, [first.body]]);
    for (const { url, type, size } of own.body.variants as Variant[]) {
      const served = await visitor().get(url.slice("http://localhost:3000".length));
      const bytes = Buffer.from(await served.arrayBuffer());
      expect([served.headers.get("content-type"), bytes.length]).toEqual([type, size]);
      expect((await sharp(bytes).metadata()).format).toBe(type.slice("image/".length));
    }
    const second = await put(id, { "if-match": first.headers.get("etag") ?? "" });
    expect(second.body.key).not.toBe(first.body.key);
    const page = await show(app);
    expect([page.includes(second.body.key), page.includes(first.body.key)]).toEqual([true, false]);
    expect((await call(`DELETE /files/${id}`, { headers: { "if-match": `"${first.body.version}"` } })).status).toBe(
      412,
    );
    expect((await call(`DELETE /files/${id}`)).status).toBe(204);
    for (const method of ["GET", "DELETE"]) expect((await call(`${method} /files/${id}`)).status).toBe(404);
    expect(await show(app)).not.toContain(second.body.key);
  });

  test("are in the contact file, and in a link of the profile", async () => {
    const { call, put, visitor, ownerId, cardPath } = await createFilesApp();
    const contact = () => read(visitor(), `${cardPath}/contact.vcf`);
    expect(await contact()).not.toContain("PHOTO");
    await put("avatar");
    expect(await contact()).toContain("PHOTO");
    const { key } = (await put("picture:garden")).body;
    const link = { kind: "featured", label: "Garden", url: "https://garden.example", alt: "A garden", picture: key };
    expect((await call("PATCH /profile", { body: { links: [link] } })).status).toBe(200);
    expect(await read(visitor(), `/u/${ownerId}`)).toContain(key);
  });

  test("include the resume, under its name, at a URL that is valid for an hour", async () => {
    let now = Date.now();
    const { call, visitor, ownerId } = await createApiApp({ clock: () => now });
    const sent = await call("PUT /files/resume?name=Ada%20L.docx", { body: blob(pdf()), headers: asPdf });
    expect([sent.status, sent.body.name]).toEqual([200, "Ada L.pdf"]);
    const [{ url, type, size }] = sent.body.variants;
    const served = await visitor().get(url.slice("http://localhost:3000".length));
    expect([type, served.headers.get("content-type"), served.headers.get("content-disposition")]).toEqual([
      "application/pdf",
      "application/pdf",
      expect.stringMatching(/^attachment.*Ada L\.pdf/),
    ]);
    expect([size, Buffer.from(await served.arrayBuffer())]).toEqual([pdf().length, pdf()]);
    expect(await read(visitor(), `/u/${ownerId}`)).toContain("/resume");
    now += 3_600_000;
    expect((await visitor().get(url.slice("http://localhost:3000".length))).status).toBe(403);
    expect((await call("DELETE /files/resume")).status).toBe(204);
    expect(await read(visitor(), `/u/${ownerId}`)).not.toContain("/resume");
  });

  test("that can't be used are refused with the texts of the pages, and leave nothing", async () => {
    const { call, leftovers, cardId } = await createFilesApp();
    const cutOff = () =>
      new ReadableStream({
        pull(controller) {
          controller.enqueue(new Uint8Array(1_000));
          controller.error(new Error("aborted"));
        },
      });
    const body = await image();
    const large = blob(await jpegOfSize(5 * 1024 * 1024));
    const endless = () => large.stream();
    const cases: [string, BodyInit | undefined, Record<string, string>, number, string, string][] = [
      ["avatar", "text", png, 415, "unsupported_media_type", "Please upload a JPEG, PNG, or WebP image"],
      ["avatar", blob(pdf()), asPdf, 415, "unsupported_media_type", "Please upload a JPEG, PNG, or WebP image"],
      ["resume", body, asPdf, 415, "unsupported_media_type", "Please upload a PDF or Word document"],
      ["avatar", body, { "content-type": "image/gif" }, 415, "unsupported_media_type", "as one of: image/jpeg"],
      ["avatar", "{}", { "content-type": "application/json" }, 415, "unsupported_media_type", "as one of"],
      ["avatar", blob((await jpeg()).subarray(0, 200)), png, 400, "invalid_request", "This image is damaged"],
      ["banner", undefined, png, 400, "invalid_request", "This file is empty"],
      ["banner", large, { ...png, "content-length": "5242880" }, 413, "too_large", "at most 5242879 bytes"],
      ["banner", endless(), png, 413, "too_large", "at most 5242879 bytes"],
      ["banner", cutOff(), png, 400, "invalid_request", "The file was cut off"],
      ["banner", body, { ...png, "idempotency-key": "a" }, 400, "invalid_request", "Leave out Idempotency-Key"],
      ["banner", body, { ...png, "if-match": '"1"' }, 412, "version_conflict", "changed in the meantime"],
      ["banner?crop=1", body, png, 400, "invalid_request", "A field is wrong"],
      ["face", body, png, 404, "not_found", "Files can’t be uploaded here"],
      [`logo:${cardId}x`, body, png, 404, "not_found", "This card no longer exists"],
    ];
    for (const [id, body, headers, status, code, detail] of cases) {
      const sent = await call(`PUT /files/${id}`, { body, headers });
      expect([sent.status, sent.body.code, sent.body.detail], id).toEqual([
        status,
        code,
        expect.stringContaining(detail),
      ]);
      expect(await leftovers(), `${id} ${detail}`).toEqual([]);
    }
  });

  test("of one limit with the pages: 60 in ten minutes, of which the API says when it ends", async () => {
    const { call } = await createApiApp();
    const send = () => call("PUT /files/avatar", { headers: png });
    for (let sent = 0; sent < 60; sent++) expect((await send()).status).toBe(400);
    const refused = await send();
    expect([refused.status, refused.body.code]).toEqual([429, "rate_limited"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  test("for passes need Premium, and files at all a scope", async () => {
    const product = await createApiApp();
    const send = async (id: string, key?: string) =>
      callApi(product, `PUT /files/${id}`, { key: key ?? product.key, body: await image(), headers: png });
    const refused = await send("pass-logo:a");
    expect([refused.status, refused.body.code, refused.body.detail]).toEqual([
      403,
      "plan_limit",
      "Your own images on a pass are part of Premium.",
    ]);
    await makePremium(product.services, product.ownerId);
    expect((await send("pass-logo:a")).status).toBe(200);
    const { key } = await giveKey(product, product.ada, { scopes: ["files:read", "profile:write"] });
    expect((await callApi(product, "GET /files", { key })).status).toBe(200);
    expect((await send("avatar", key)).body.code).toBe("missing_scope");
  });

  test("of another owner don't exist, and their cards have no logo to set", async () => {
    const product = await createFilesApp();
    const id = `logo:${product.cardId}`;
    const { body } = await product.put(id);
    const { key } = await giveKey(product, await product.signedIn("eve@example.com"));
    const asEve = async (method: string, one: string) =>
      callApi(product, `${method} /files/${one}`, {
        key,
        headers: png,
        ...(method === "PUT" && { body: await image() }),
      });
    for (const method of ["GET", "PUT", "DELETE"]) {
      const [hers, unknown] = [await asEve(method, id), await asEve(method, "logo:unknown")];
      expect([hers.status, hers.body.detail], method).toEqual([404, unknown.body.detail]);
    }
    expect((await product.call(`GET /files/${id}`)).body).toEqual(body);
  });

  test.each(["banner", "resume"])("of two writers with one version, one is refused: %s", async (id) => {
    const { call, visitor } = await createApiApp();
    const documents = [pdf("first"), pdf("second"), pdf("third")];
    const send = async (index: number, headers: Record<string, string> = {}) => {
      const body = id === "resume" ? blob(documents[index] ?? pdf()) : await image();
      return call(`PUT /files/${id}?name=${index}.pdf`, { body, headers: { ...png, ...headers } });
    };
    const ifMatch = { "if-match": `"${(await send(0)).body.version}"` };
    const both = await Promise.all([1, 2].map((index) => send(index, ifMatch)));
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 412]);
    const winner = both.findIndex(({ status }) => status === 200);
    const { body } = await call(`GET /files/${id}`);
    expect(body.version).toBe(both[winner]?.body.version);
    if (id !== "resume") return;
    const served = await visitor().get(body.variants[0].url.slice("http://localhost:3000".length));
    expect([body.name, await served.text()]).toEqual([`${winner + 1}.pdf`, documents[winner + 1]?.toString()]);
  });

  test("aren't stored when the key is revoked while they arrive", async () => {
    const { call, services, leftovers } = await createFilesApp();
    const bytes = new Uint8Array(await (await image()).arrayBuffer());
    const body = new ReadableStream(
      {
        async pull(controller) {
          await services.db.updateTable("api_key").set({ revoked_at: 1 }).execute();
          controller.enqueue(bytes);
          controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    expect((await call("PUT /files/avatar", { body, headers: png })).body.code).toBe("revoked_key");
    expect(await leftovers()).toEqual([]);
  });
});
