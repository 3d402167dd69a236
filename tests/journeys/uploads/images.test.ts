import { readdirSync } from "node:fs";
import { join } from "node:path";

import sharp from "sharp";
import { describe, expect, test } from "vitest";

import { avatarVariants, bannerVariants, fileUrl, logoVariants } from "#app/features/uploads/image-urls.ts";
import type { DomainEvent } from "#app/services/events/event.ts";
import { makeCard } from "#tests/support/app/cards.ts";
import { s3Environment, startS3 } from "#tests/support/storage/s3.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import type { TestApp } from "#tests/support/app/test-app.ts";
import { jpeg, pdf, photo, plainImage, removeFile, uploadFile } from "#tests/support/app/uploads.ts";

const profileOf = (services: TestApp["services"]) =>
  services.db.selectFrom("profile").selectAll().executeTakeFirstOrThrow();

async function storedPaths({ services }: TestApp): Promise<string[]> {
  const paths: string[] = [];
  for await (const { path } of services.files.list("")) paths.push(path);
  return paths.toSorted();
}

async function pictureAt(person: { get: (path: string) => Promise<Response> }, path: string) {
  const response = await person.get(path);
  expect(response.status, path).toBe(200);
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { bytes: bytes.length, response, ...(await sharp(bytes).metadata()) };
}

describe("an avatar", () => {
  test("is cropped to the chosen square, turned upright, stored in three variants of limited size, and cached for a year", async () => {
    const app = await createTestApp();
    const ada = await app.signedIn();
    const bytes = await photo(900, 600)
      .jpeg()
      .withExif({ IFD0: { Artist: "Ada", Orientation: "6" } })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const answer = await uploadFile(ada, "avatar", { bytes, name: "me.jpg", query: "&x=0.25&y=0.1&size=0.5" });
    expect(answer).toMatchObject({ status: 200, message: "Avatar updated!" });
    const { avatar_stem: keyPrefix, version } = await profileOf(app.services);
    expect(keyPrefix).toBe(answer.keyPrefix);
    expect(keyPrefix).toMatch(/^avatars\/[\da-f-]{36}\/avatar_\d{13}$/);
    expect(version).toBe(1);

    const visitor = app.visitor();
    const expected = {
      small: [192, "webp", 15_000],
      large: [300, "webp", 15_000],
      jpeg: [300, "jpeg", 20_000],
    } as const;
    for (const [form, [width, format, most]] of Object.entries(expected)) {
      const end = avatarVariants[form as keyof typeof avatarVariants];
      const found = await pictureAt(visitor, fileUrl(answer.keyPrefix ?? "", end));
      expect(found).toMatchObject({ width, height: width, format });
      expect(found.bytes).toBeLessThanOrEqual(most);
      expect(found.exif).toBeUndefined();
      expect(found.response.headers.get("content-type")).toBe(`image/${format}`);
      expect(found.response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      expect(found.response.headers.get("x-content-type-options")).toBe("nosniff");
      expect(found.response.headers.get("content-security-policy")).toBe(
        "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox",
      );
    }
  });

  test("without a crop is the largest centered square", async () => {
    const app = await createTestApp();
    const ada = await app.signedIn();
    const middle = await plainImage(200, 200, "#ff0000").png().toBuffer();
    const bytes = await plainImage(800, 200, "#0000ff")
      .composite([{ input: middle, left: 300, top: 0 }])
      .png()
      .toBuffer();
    const { keyPrefix = "" } = await uploadFile(ada, "avatar", { bytes });
    const response = await app.visitor().get(fileUrl(keyPrefix, avatarVariants.large));
    const { dominant } = await sharp(new Uint8Array(await response.arrayBuffer())).stats();
    expect(dominant.r).toBeGreaterThan(200);
    expect(dominant.b).toBeLessThan(50);
  });

  test.each([
    ["outside", "&x=0.8&y=0&size=0.5"],
    ["below", "&x=0&y=0.9&size=0.5"],
    ["of nothing", "&x=0&y=0&size=0"],
    ["of less than nothing", "&x=-0.1&y=0&size=0.5"],
    ["of no number", "&x=a&y=0&size=0.5"],
    ["of empty numbers", "&x=&y=&size=1"],
    ["without a size", "&x=0&y=0"],
    ["without an end", "&x=0&y=0&size=Infinity"],
  ])("with a square %s is refused, and nothing changes", async (_, query) => {
    const app = await createTestApp();
    const ada = await app.signedIn();
    const answer = await uploadFile(ada, "avatar", { bytes: await jpeg(), query });
    expect(answer.message).toBe("The crop area is outside the image. Crop it again.");
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(await storedPaths(app)).toEqual([]);
  });

  test("replaced by a photo loses its generated options", async () => {
    const app = await createTestApp();
    const ada = await app.signedIn();
    await ada.get("/profile");
    await app.services.db.updateTable("profile").set({ avatar_options: "{}" }).execute();
    await uploadFile(ada, "avatar", { bytes: await jpeg() });
    expect((await profileOf(app.services)).avatar_options).toBeNull();
  });
});

test("with S3 configured files are stored in the bucket and served at the same URLs", async () => {
  const app = await createTestApp({ env: s3Environment(await startS3()) });
  const ada = await app.signedIn();
  const first = await uploadFile(ada, "avatar", { bytes: await jpeg() });
  const second = await uploadFile(ada, "avatar", { bytes: await jpeg() });
  await app.services.jobs.runDue();
  expect(await storedPaths(app)).toHaveLength(3);
  expect((await app.visitor().get(fileUrl(first.keyPrefix ?? "", avatarVariants.jpeg))).status).toBe(404);
  expect(await pictureAt(app.visitor(), fileUrl(second.keyPrefix ?? "", avatarVariants.jpeg))).toMatchObject({
    format: "jpeg",
  });
  expect(readdirSync(join(app.dataDir, "files"), { recursive: true })).toEqual([".drafts"]);
});

describe("a banner", () => {
  test("keeps its center, is never enlarged, and has a small variant of at most 60 kB", async () => {
    const app = await createTestApp();
    const ada = await app.signedIn();
    const sizes = { "2000x2000": [1280, 640], "3000x900": [1280, 384], "500x400": [500, 250], "4000x100": [500, 100] };
    for (const [size, [width, height]] of Object.entries(sizes)) {
      const [w = 0, h = 0] = size.split("x").map(Number);
      const { keyPrefix = "", message } = await uploadFile(ada, "banner", {
        bytes: await photo(w, h).webp().toBuffer(),
      });
      expect(message).toBe("Banner uploaded successfully");
      expect(await pictureAt(ada, fileUrl(keyPrefix, bannerVariants.large))).toMatchObject({
        width,
        height,
        format: "webp",
      });
      expect(await pictureAt(ada, fileUrl(keyPrefix, bannerVariants.jpeg))).toMatchObject({
        width,
        height,
        format: "jpeg",
      });
      const phone = await pictureAt(ada, fileUrl(keyPrefix, bannerVariants.small));
      expect(phone.width).toBe(Math.min(860, width ?? 0));
      expect(phone.bytes).toBeLessThanOrEqual(60_000);
    }
  });

  test("is replaced and removed with its files, and its old URL returns 404", async () => {
    const app = await createTestApp();
    const ada = await app.signedIn();
    const first = await uploadFile(ada, "banner", { bytes: await jpeg() });
    const second = await uploadFile(ada, "banner", { bytes: await jpeg() });
    expect(second.keyPrefix).not.toBe(first.keyPrefix);
    await app.services.jobs.runDue();
    expect((await ada.get(fileUrl(first.keyPrefix ?? "", bannerVariants.small))).status).toBe(404);
    expect((await ada.get(fileUrl(second.keyPrefix ?? "", bannerVariants.small))).status).toBe(200);
    expect(await storedPaths(app)).toHaveLength(3);

    expect(await removeFile(ada, "banner")).toEqual({ status: 200, message: "Banner removed" });
    await app.services.jobs.runDue();
    expect((await profileOf(app.services)).banner_stem).toBeNull();
    expect((await ada.get(fileUrl(second.keyPrefix ?? "", bannerVariants.small))).status).toBe(404);
    expect(await storedPaths(app)).toEqual([]);
    expect(await removeFile(ada, "banner")).toEqual({ status: 200, message: "Banner removed" });
  });
});

describe("a logo", () => {
  test("belongs to one card, keeps its transparency, and fits in a square", async () => {
    const app = await createTestApp();
    const ada = await app.signedIn();
    const card = await makeCard(ada);
    const clear = {
      create: { width: 1_000, height: 200, channels: 4 as const, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    };
    const answer = await uploadFile(ada, `logo:${card}`, { bytes: await sharp(clear).png().toBuffer() });
    expect(answer).toMatchObject({ status: 200, message: "Logo uploaded successfully" });
    expect(answer.keyPrefix).toMatch(/^pass-assets\/[\da-f-]{36}\/logos\/logo_\d{13}$/);
    for (const end of Object.values(logoVariants)) {
      expect(await pictureAt(app.visitor(), fileUrl(answer.keyPrefix ?? "", end))).toMatchObject({
        width: 480,
        height: 96,
        hasAlpha: true,
      });
    }
    const { logo_stem, version } = await app.services.db.selectFrom("card").selectAll().executeTakeFirstOrThrow();
    expect([logo_stem, version]).toEqual([answer.keyPrefix, 1]);
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
    expect(
      (await app.services.db.selectFrom("storage").selectAll().execute()).filter(({ bytes }) => bytes > 0),
    ).toEqual([]);
  });
});

describe("a displayed image", () => {
  test("answers conditional and HEAD requests", async () => {
    const app = await createTestApp();
    const ada = await app.signedIn();
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

  test("appears on a page that was cached", async () => {
    const app = await createTestApp();
    const ada = await app.signedIn();
    await ada.get("/profile");
    const { owner_id } = await profileOf(app.services);
    const changed: DomainEvent[] = [];
    app.services.events.subscribe({
      name: "test",
      kinds: "all",
      everywhere: (event) => void changed.push(event),
      missed: () => undefined,
    });
    await uploadFile(ada, "avatar", { bytes: await jpeg() });
    await removeFile(ada, "avatar");
    await uploadFile(ada, "avatar", { bytes: pdf() });
    expect(changed).toMatchObject([
      { kind: "file.saved", ownerId: owner_id },
      { kind: "file.removed", ownerId: owner_id },
    ]);
  });
});
