import { readdirSync } from "node:fs";
import { join } from "node:path";

import sharp from "sharp";
import { describe, expect, test } from "vitest";

import {
  avatarVariants,
  bannerVariants,
  fileUrl,
  logoVariants,
  linkImageUrl,
} from "#app/features/uploads/image-urls.ts";
import { features } from "#server/features.ts";
import { runMaintenance } from "#server/maintenance.ts";
import { makeCard } from "#tests/support/app/cards.ts";
import { profileForm, userIdOf } from "#tests/support/app/profiles.ts";
import { textWith } from "#tests/support/app/responses.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import type { TestApp } from "#tests/support/app/test-app.ts";
import { jpeg, photo, plainImage, removeFile, uploadFile } from "#tests/support/app/uploads.ts";
import { s3Environment, startS3 } from "#tests/support/storage/s3.ts";

const profileOf = (services: TestApp["services"]) =>
  services.db.selectFrom("profile").selectAll().executeTakeFirstOrThrow();

async function storedPaths({ services }: TestApp): Promise<string[]> {
  const paths: string[] = [];
  for await (const { path } of services.files.list("")) paths.push(path);
  return paths.toSorted();
}

async function imageAt(person: { get: (path: string) => Promise<Response> }, path: string) {
  const response = await person.get(path);
  expect(response.status, path).toBe(200);
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { bytes: bytes.length, response, ...(await sharp(bytes).metadata()) };
}

async function openApp(env?: Record<string, string>) {
  const app = await createTestApp(env && { env });
  return { app, ada: await app.signedIn(), visitor: app.visitor() };
}

describe("an avatar", () => {
  test("is cropped to the chosen square, turned upright, stored in three variants of limited size, and cached for a year", async () => {
    const { app, ada, visitor } = await openApp();
    const bytes = await photo(900, 600)
      .jpeg()
      .withExif({ IFD0: { Artist: "Ada", Orientation: "6" } })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const answer = await uploadFile(ada, "avatar", { bytes, name: "me.jpg", query: "&x=0.25&y=0.1&size=0.5" });
    expect(answer).toMatchObject({ status: 200, message: "Avatar updated!" });
    const { avatar_key_prefix: keyPrefix, version } = await profileOf(app.services);
    expect(keyPrefix).toBe(answer.keyPrefix);
    expect(keyPrefix).toMatch(/^avatars\/[\da-f-]{36}\/avatar_\d{13}$/);
    expect(version).toBe(1);

    for (const [form, width, format, most] of [
      ["small", 192, "webp", 15_000],
      ["large", 300, "webp", 15_000],
      ["jpeg", 300, "jpeg", 20_000],
    ] as const) {
      const found = await imageAt(visitor, fileUrl(answer.keyPrefix ?? "", avatarVariants[form]));
      expect(found).toMatchObject({ width, height: width, format });
      expect(found.bytes).toBeLessThanOrEqual(most);
      expect(found.exif).toBeUndefined();
      expect(Object.fromEntries(found.response.headers)).toMatchObject({
        "content-type": `image/${format}`,
        "cache-control": "public, max-age=31536000, immutable",
        "x-content-type-options": "nosniff",
        "content-security-policy": "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox",
      });
    }
  });

  test("with a square that isn't inside it, or incomplete, is refused, and nothing changes", async () => {
    const { app, ada } = await openApp();
    const squares = ["x=0.8&y=0&size=0.5", "x=0&y=0.9&size=0.5", "x=0&y=0&size=0", "x=-0.1&y=0&size=0.5"];
    for (const query of [...squares, "x=a&y=0&size=0.5", "x=&y=&size=1", "x=0&y=0", "x=0&y=0&size=Infinity"]) {
      const { status, message } = await uploadFile(ada, "avatar", { bytes: await jpeg(), query: `&${query}` });
      expect(message, query).toBe("The crop area is outside the image. Crop it again.");
      expect([400, 422], query).toContain(status);
    }
    expect(await storedPaths(app)).toEqual([]);
  });
});

test("with S3 configured files are stored in the bucket and served at the same URLs", async () => {
  const { app, ada, visitor } = await openApp(s3Environment(await startS3()));
  const first = await uploadFile(ada, "avatar", { bytes: await jpeg() });
  const second = await uploadFile(ada, "avatar", { bytes: await jpeg() });
  await app.services.jobs.runDue();
  expect(await storedPaths(app)).toHaveLength(3);
  expect((await visitor.get(fileUrl(first.keyPrefix ?? "", avatarVariants.jpeg))).status).toBe(404);
  const shown = await imageAt(visitor, fileUrl(second.keyPrefix ?? "", avatarVariants.jpeg));
  expect(shown).toMatchObject({ format: "jpeg" });
  expect(readdirSync(join(app.dataDir, "files"), { recursive: true })).toEqual([".drafts"]);
});

describe("a banner", () => {
  test("keeps its center, is never enlarged, and has a small variant of at most 60 kB", async () => {
    const { ada } = await openApp();
    for (const [w, h, width, height] of [
      [2000, 2000, 1280, 640],
      [500, 400, 500, 250],
      [4000, 100, 500, 100],
    ] as const) {
      const bytes = await photo(w, h).webp().toBuffer();
      const { keyPrefix = "", message } = await uploadFile(ada, "banner", { bytes });
      expect(message).toBe("Banner uploaded successfully");
      const variant = (end: string) => imageAt(ada, fileUrl(keyPrefix, end));
      expect(await variant(bannerVariants.large)).toMatchObject({ width, height, format: "webp" });
      expect(await variant(bannerVariants.jpeg)).toMatchObject({ width, height, format: "jpeg" });
      const phone = await variant(bannerVariants.small);
      expect(phone.width).toBe(Math.min(860, width));
      expect(phone.bytes).toBeLessThanOrEqual(60_000);
    }
  });

  test("is removed with its files, and its old URL returns 404", async () => {
    const { app, ada } = await openApp();
    const { keyPrefix = "" } = await uploadFile(ada, "banner", { bytes: await jpeg() });
    const removed = { status: 200, message: "Banner removed" };
    expect(await removeFile(ada, "banner")).toEqual(removed);
    await app.services.jobs.runDue();
    expect((await profileOf(app.services)).banner_key_prefix).toBeNull();
    expect((await ada.get(fileUrl(keyPrefix, bannerVariants.small))).status).toBe(404);
    expect(await storedPaths(app)).toEqual([]);
    expect(await removeFile(ada, "banner")).toEqual(removed);
  });
});

describe("a logo", () => {
  test("belongs to one card, keeps its transparency, and fits in a square", async () => {
    const { app, ada, visitor } = await openApp();
    const card = await makeCard(ada);
    const bytes = await plainImage(1_000, 200).ensureAlpha(0).png().toBuffer();
    const { keyPrefix = "", message } = await uploadFile(ada, `logo:${card}`, { bytes });
    expect(message).toBe("Logo uploaded successfully");
    expect(keyPrefix).toMatch(/^pass-assets\/[\da-f-]{36}\/logos\/logo_\d{13}$/);
    const size = { width: 480, height: 96, hasAlpha: true };
    for (const end of Object.values(logoVariants))
      expect(await imageAt(visitor, fileUrl(keyPrefix, end))).toMatchObject(size);
    const stored = await app.services.db.selectFrom("card").selectAll().executeTakeFirstOrThrow();
    expect(stored).toMatchObject({ logo_key_prefix: keyPrefix, version: 1 });
  });

  test("of another user's card, or of none, is refused alike and stores nothing", async () => {
    const app = await createTestApp();
    const card = await makeCard(await app.signedIn());
    const eve = await app.signedIn("eve@example.com");
    for (const id of [card, crypto.randomUUID()]) {
      const missing = { status: 404, message: "This card no longer exists." };
      expect(await uploadFile(eve, `logo:${id}`, { bytes: await jpeg() })).toEqual(missing);
      expect(await removeFile(eve, `logo:${id}`)).toEqual(missing);
    }
    await app.services.jobs.runDue();
    expect(await storedPaths(app)).toEqual([]);
    expect(await app.services.db.selectFrom("asset").selectAll().execute()).toEqual([]);
    expect(await app.services.db.selectFrom("storage").selectAll().where("bytes", ">", 0).execute()).toEqual([]);
  });
});

test("a displayed image answers conditional and HEAD requests", async () => {
  const { ada } = await openApp();
  const { keyPrefix = "" } = await uploadFile(ada, "avatar", { bytes: await jpeg() });
  const path = fileUrl(keyPrefix, avatarVariants.small);
  const first = await ada.get(path);
  const etag = first.headers.get("etag") ?? "";
  expect((await ada.get(path, { "if-none-match": etag })).status).toBe(304);
  expect((await ada.get(path, { "if-none-match": '"another"' })).status).toBe(200);
  const head = await ada.request(path, { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
  expect(head.headers.get("content-length")).toBe(first.headers.get("content-length"));
  expect((await ada.get(path.split("?")[0] ?? "")).headers.get("cache-control")).toBe("no-cache");
});

const hour = 60 * 60_000;

/** A signed-in owner who uploaded an image for a link. */
async function uploadLinkImage() {
  const time = { now: Date.UTC(2026, 10, 22) };
  const app = await createTestApp({ clock: () => time.now });
  const owner = await app.signedIn("ada@example.com");
  const id = await userIdOf(owner);
  const bytes = await photo(1800, 1200)
    .jpeg()
    .withExif({ IFD0: { Artist: "Ada" } })
    .toBuffer();
  const { status, keyPrefix = "" } = await uploadFile(owner, "picture:garden", { bytes, name: "garden.jpg" });
  expect(status).toBe(200);
  const content = { label: "My garden", url: "https://garden.example", alt: "Roses" };
  const link = { kind: "featured", ...content, picture: keyPrefix };
  const isStored = async () => (await app.visitor().get(linkImageUrl(keyPrefix))).status === 200;
  return { ...app, time, owner, id, link, keyPrefix, isStored };
}

test("a link's image is cropped, stored without metadata and shown with its description", async () => {
  const { owner, visitor, id, link, keyPrefix } = await uploadLinkImage();
  expect((await owner.post("/profile", profileForm({}, [link]))).status).toBe(302);
  const page = await (await visitor().get(`/u/${id}`)).text();
  const url = linkImageUrl(keyPrefix);
  expect(page).toContain(`<img src="${url}" alt="Roses"`);
  const response = await visitor().get(url);
  expect(response.headers.get("content-type")).toBe("image/webp");
  const { width, height, exif } = await sharp(new Uint8Array(await response.arrayBuffer())).metadata();
  expect({ width, height, exif }).toEqual({ width: 860, height: 430, exif: undefined });
});

test("a link can't show an image that someone else uploaded", async () => {
  const { signedIn, link } = await uploadLinkImage();
  const eve = await signedIn("eve@example.com");
  await userIdOf(eve);
  expect(await textWith(422, await eve.post("/profile", profileForm({}, [link])))).toContain(
    "Choose an image, or show this as a regular link.",
  );
});

test("an image is deleted with its link, or an hour later if it was never saved, and gives back its quota", async () => {
  const { owner, services, time, link, isStored } = await uploadLinkImage();
  await owner.post("/profile", profileForm({}, [link]));
  time.now += 2 * hour;
  await services.jobs.runDue();
  expect(await isStored()).toBe(true);
  await owner.post("/profile", profileForm({ version: "2" }, []));
  await services.jobs.runDue();
  expect(await isStored()).toBe(false);
  expect(await services.db.selectFrom("storage").select("bytes").where("bytes", ">", 0).execute()).toEqual([]);

  const unsaved = await uploadFile(owner, "picture:roof", { bytes: await jpeg() });
  const isShown = async () => (await owner.get(linkImageUrl(unsaved.keyPrefix ?? ""))).status === 200;
  // Another tab saves: the form with the image may still be open.
  await owner.post("/profile", profileForm({ version: "3" }));
  await services.jobs.runDue();
  expect(await isShown()).toBe(true);
  time.now += 2 * hour;
  await runMaintenance(features, services);
  await services.jobs.runDue();
  expect(await isShown()).toBe(false);
});
