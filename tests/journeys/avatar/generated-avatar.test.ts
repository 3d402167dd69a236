import sharp from "sharp";
import type { Sharp } from "sharp";
import { describe, expect, test } from "vitest";

import { drawAvatar } from "#app/features/avatar/drawing.ts";
import { defaultOptions, paperColor } from "#app/features/avatar/rules.ts";
import { findProfile } from "#app/features/profile/data.server.ts";
import { storeAsset } from "#app/features/uploads/data.server.ts";
import { rasterizeTask } from "#app/services/images/sharp.server.ts";
import { userIdOf } from "#tests/support/app/profiles.ts";
import { visibleText } from "#tests/support/app/responses.ts";
import { createSignedInApp, createTestApp } from "#tests/support/app/test-app.ts";
import { jpeg } from "#tests/support/app/uploads.ts";

describe("GET /avatar/…", () => {
  test.each([
    ["svg", "image/svg+xml; charset=utf-8"],
    ["json", "application/json"],
    ["txt", "text/plain; charset=utf-8"],
    ["png", "image/png"],
  ])("as %s can't run code, is cached for a day, revalidated, and refused by name", async (form, type) => {
    const client = (await createTestApp()).visitor();
    const first = await client.get(`/avatar/Ada.${form}?flip=true&hair=cap,long`);
    const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'; sandbox";
    expect(Object.fromEntries(first.headers)).toMatchObject({
      "content-type": type,
      "x-content-type-options": "nosniff",
      "cache-control": "public, max-age=86400",
      etag: expect.stringMatching(/^"/),
    });
    if (form === "svg") expect(first.headers.get("content-security-policy")).toBe(policy);
    const tag = { "if-none-match": first.headers.get("etag") ?? "" };
    const again = await client.get(`/avatar/Ada.${form}?hair=cap&flip=true&hair=long`, tag);
    expect([again.status, await again.text()]).toEqual([304, ""]);
    expect((await client.get(`/avatar/Ada.${form}?flip=false`, tag)).status).toBe(200);
    const head = await client.request(`/avatar/Ada.${form}`, { method: "HEAD" });
    expect([head.status, await head.text(), head.headers.has("etag")]).toEqual([200, "", true]);
    const refused = await client.get(`/avatar/Ada.${form}?rotate=361&skinColor=red&<script>=1`);
    expect([refused.status, refused.headers.get("content-type")]).toEqual([400, "text/plain; charset=utf-8"]);
    const problems = await refused.text();
    for (const words of ['rotate: "361"', 'skinColor: "red"']) expect(problems).toContain(words);
    expect(problems).not.toContain("script");
    // Random ids differ each time.
    const random = await client.get(`/avatar/Ada.${form}?randomizeIds=true`);
    expect([random.headers.get("cache-control"), random.headers.get("etag")]).toEqual(["no-store", null]);
  });

  test("returns the drawing as SVG, as a data URL, and as JSON with the options that the seed chose", async () => {
    const client = (await createTestApp()).visitor();
    const { svg } = drawAvatar({ ...defaultOptions("Ada"), flip: true });
    expect(await (await client.get("/avatar/Ada.svg?flip=true")).text()).toBe(svg);
    const dataUrl = `data:image/svg+xml;utf8,${encodeURIComponent(svg)}`;
    expect(await (await client.get("/avatar/Ada.txt?flip=true")).text()).toBe(dataUrl);
    expect(await (await client.get("/avatar/Ada.json?flip=true&nose=wrinkles,trunk")).json()).toMatchObject({
      svg: expect.stringContaining("Personas by Draftbit"),
      extra: { nose: "wrinkles", hair: expect.any(String), backgroundType: "solid" },
    });
  });

  test("returns a PNG of the requested size, 512 by default", async () => {
    const client = (await createTestApp()).visitor();
    for (const [query, side] of Object.entries({ "": 512, "?size=1": 1, "?size=96&backgroundColor=ff0000": 96 })) {
      const image = sharp(await (await client.get(`/avatar/Ada.png${query}`)).arrayBuffer());
      expect(await image.metadata()).toMatchObject({ format: "png", width: side, height: side });
      if (side === 96) expect([...(await cornerOf(image, 1))]).toEqual([255, 0, 0, 255]);
    }
    expect((await client.get("/avatar/Ada.png?size=2049")).status).toBe(400);
  });

  test("accepts any seed: other scripts, slashes, percent signs, empty, but not one of 201 characters", async () => {
    const client = (await createTestApp()).visitor();
    for (const seed of ["", "明石", "👩🏽‍🚀", "a/b", "a%2Fb", "..", "%", "?", "a.svg", "save", '"><script>', " "]) {
      const answer = await client.get(`/avatar/${encodeURIComponent(seed)}.svg`);
      expect(await answer.text(), seed).toBe(drawAvatar(defaultOptions(seed)).svg);
    }
    expect((await client.get(`/avatar/${"x".repeat(201)}.svg`)).status).toBe(400);
    for (const path of ["/avatar/Ada", "/avatar/Ada.gif", "/avatar/%ff.svg", "/avatar/Ada.svg.exe"])
      expect((await client.get(path)).status, path).toBe(404);
  });
});

describe("saving a drawn avatar", () => {
  const options = { ...defaultOptions("Ada"), hair: ["mohawk"], backgroundColor: ["ff0000"] };

  test("replaces the profile's avatar at once and stores its options", async () => {
    const { ada, id, visitor, services } = await open();
    expect(await lastDrawn(ada)).toBeNull();
    expect(await (await visitor().get(`/u/${id}`)).text()).not.toContain("/files/avatars/");
    const saved = await save(ada, options);
    const { keyPrefix, message } = await saved.json();
    expect([saved.status, message]).toEqual([200, "Avatar updated!"]);
    expect(await findProfile(services.db, id)).toMatchObject({ avatarKey: keyPrefix });
    expect(await (await visitor().get(`/u/${id}`)).text()).toContain(`/files/${keyPrefix}.jpg`);
    const image = sharp(await services.files.read(`${keyPrefix}_384.webp`));
    expect(await image.metadata()).toMatchObject({ width: 384, height: 384 });
    const [red = 0, green = 255] = await cornerOf(image, 4);
    expect(red).toBeGreaterThan(245);
    expect(green).toBeLessThan(12);
    expect(await lastDrawn(ada)).toEqual(options);
  });

  test("fills a transparent background, so that no initials show through", async () => {
    const { ada, services } = await open();
    const { keyPrefix } = await (await save(ada, { ...options, backgroundColor: [] })).json();
    const image = sharp(await services.files.read(`${keyPrefix}_192.webp`));
    expect((await image.stats()).isOpaque).toBe(true);
    const [red = 0] = await cornerOf(image, 2);
    expect(Math.abs(red - Number.parseInt(paperColor.slice(0, 2), 16))).toBeLessThan(4);
  });

  test("forgets the options when the avatar is replaced or removed", async () => {
    const { ada, id, services } = await open();
    await save(ada, options);
    await storeAsset(services, { ownerId: id, slot: "avatar", upload: await jpeg() });
    expect(await lastDrawn(ada)).toBeNull();
    await save(ada, options);
    await ada.post("/uploads/avatar/remove", {});
    expect(await lastDrawn(ada)).toBeNull();
  });

  test("refuses invalid options and changes nothing", async () => {
    const { ada, id, services } = await open();
    const { keyPrefix } = await (await save(ada, options)).json();
    for (const wrong of ["", "<svg/>", { ...options, rotate: 999 }]) {
      const answer = await save(ada, wrong);
      expect(answer.status).toBe(422);
      expect((await answer.json()).message).toContain("This avatar can’t be saved");
    }
    expect(await findProfile(services.db, id)).toMatchObject({ avatarKey: keyPrefix });
    expect(await lastDrawn(ada)).toEqual(options);
  });

  test("requires a signed-in user", async () => {
    const { visitor } = await createTestApp();
    const stranger = visitor();
    expect((await save(stranger, options)).headers.get("location")).toContain("/auth");
    expect((await stranger.get("/avatar/save")).headers.get("location")).toContain("/auth");
  });

  test("draws one at a time for twenty concurrent saves, and leaves one avatar with its files", async () => {
    const { ada, id, services } = await open();
    const { workers, db } = services;
    const drawing = new Set<object>();
    const counts: number[] = [];
    services.workers = {
      ...workers,
      run: async (task, input) => {
        const call = {};
        if (task.name === rasterizeTask.name) counts.push(drawing.add(call).size);
        return workers.run(task, input).finally(() => drawing.delete(call));
      },
    };
    const answers = await Promise.all(Array.from({ length: 20 }, () => save(ada, options)));
    expect(new Set(counts)).toEqual(new Set([1]));
    const statuses = answers.map(({ status }) => status);
    expect(statuses).toContain(200);
    expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([]);
    const shown = await db.selectFrom("asset").selectAll().where("is_ready", "=", 1).execute();
    expect(shown).toMatchObject([{ owner_id: id, key_prefix: (await findProfile(db, id))?.avatarKey }]);
  });
});

test("the credits page names the sources of avatars, fonts and icons, without script", async () => {
  const { visitor } = await createTestApp();
  const page = await (await visitor().get("/credits")).text();
  const works = ["Personas", "Draftbit", "DiceBear", "Shippori Mincho", "Instrument Sans", "Noto", "Simple Icons"];
  for (const words of [...works, "CC BY 4.0", "CC0 1.0", "MPL 2.0", "LGPL 3.0"])
    expect(visibleText(page)).toContain(words);
  expect(page).not.toContain('<script type="module" src');
  expect(await (await visitor().get("/pricing")).text()).toContain('href="/credits"');
});

async function open() {
  const { ada, ...product } = await createSignedInApp();
  return { ...product, ada, id: await userIdOf(ada) };
}

type TestUser = Awaited<ReturnType<typeof open>>["ada"];

function save(person: Pick<TestUser, "post">, options: unknown) {
  return person.post("/avatar/save", { options: typeof options === "string" ? options : JSON.stringify(options) });
}

async function lastDrawn(person: Pick<TestUser, "get">): Promise<unknown> {
  const { options } = await (await person.get("/avatar/save")).json();
  return options;
}

/** The color of the pixel at this distance from the left and upper edges. */
function cornerOf(image: Sharp, at: number): Promise<Buffer> {
  return image.clone().extract({ left: at, top: at, width: 1, height: 1 }).raw().toBuffer();
}
