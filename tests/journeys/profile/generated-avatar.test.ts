import sharp from "sharp";
import { describe, expect, test } from "vitest";

import { drawAvatar } from "#app/features/avatar/drawing.ts";
import { defaultOptions, paperColor } from "#app/features/avatar/rules.ts";
import { findProfile } from "#app/features/profile/data.server.ts";
import { storeAsset } from "#app/features/uploads/data.server.ts";
import { rasterizeTask } from "#app/services/images/rasterize-task.server.ts";
import { userIdOf } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

describe("GET /avatar/…", () => {
  test("returns an SVG that can't run code, cached for a day", async () => {
    const { visitor } = await createTestApp();
    const answer = await visitor().get("/avatar/Ada%20Lovelace.svg");
    expect(await answer.text()).toBe(drawAvatar(defaultOptions("Ada Lovelace")).svg);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "image/svg+xml; charset=utf-8",
      "content-security-policy":
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'; sandbox",
      "x-content-type-options": "nosniff",
      "cache-control": "public, max-age=86400",
    });
    expect(answer.headers.get("content-length")).not.toBe("0");
  });

  test("answers a matching ETag with 304", async () => {
    const { visitor } = await createTestApp();
    for (const form of ["svg", "json", "txt", "png"]) {
      const first = await visitor().get(`/avatar/Ada.${form}?flip=true&hair=cap,long`);
      const tag = first.headers.get("etag") ?? "";
      const again = await visitor().get(`/avatar/Ada.${form}?hair=cap&flip=true&hair=long`, { "if-none-match": tag });
      expect(again.status).toBe(304);
      expect(await again.text()).toBe("");
      const other = await visitor().get(`/avatar/Ada.${form}?flip=false`, { "if-none-match": tag });
      expect(other.status).toBe(200);
    }
  });

  test("returns the options that the seed chose as JSON", async () => {
    const { visitor } = await createTestApp();
    const answer = await visitor().get("/avatar/Ada.json?backgroundColor=c9dcf2&facialHairProbability=100");
    const { svg, extra } = await answer.json();
    expect(svg).toContain("Personas by Draftbit");
    expect(extra).toMatchObject({
      primaryBackgroundColor: "#c9dcf2",
      secondaryBackgroundColor: "#c9dcf2",
      backgroundType: "solid",
      backgroundRotation: expect.any(Number),
    });
    for (const part of [
      "body",
      "eyes",
      "facialHair",
      "hair",
      "mouth",
      "nose",
      "hairColor",
      "clothingColor",
      "skinColor",
    ])
      expect(extra[part]).toEqual(expect.any(String));
  });

  test("returns the SVG as a data URL in plain text, with the caching of the SVG", async () => {
    const { visitor } = await createTestApp();
    const answer = await visitor().get("/avatar/Ada%20Lovelace.txt?flip=true");
    const { svg } = drawAvatar({ ...defaultOptions("Ada Lovelace"), flip: true });
    expect(await answer.text()).toBe(`data:image/svg+xml;utf8,${encodeURIComponent(svg)}`);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "text/plain; charset=utf-8",
      "x-content-type-options": "nosniff",
      "cache-control": "public, max-age=86400",
      etag: expect.stringMatching(/^"/),
    });
    const random = await visitor().get("/avatar/Ada.txt?randomizeIds=true");
    expect(random.headers.get("cache-control")).toBe("no-store");
  });

  test("draws a face without a part that it doesn't know", async () => {
    const { visitor } = await createTestApp();
    const answer = await visitor().get("/avatar/Ada.json?hair=wig&nose=wrinkles,trunk&glitter=1");
    expect(answer.status).toBe(200);
    const { extra } = await answer.json();
    expect(extra.hair).toBeUndefined();
    expect(extra.nose).toBe("wrinkles");
  });

  test("returns a PNG of the requested size, 512 by default", async () => {
    const { visitor } = await createTestApp();
    for (const [query, side] of [
      ["", 512],
      ["?size=1", 1],
      ["?size=96&backgroundColor=ff0000", 96],
    ] as const) {
      const answer = await visitor().get(`/avatar/Ada.png${query}`);
      expect(answer.headers.get("content-type")).toBe("image/png");
      expect(await sharp(await answer.arrayBuffer()).metadata()).toMatchObject({
        format: "png",
        width: side,
        height: side,
      });
    }
    const red = await sharp(await (await visitor().get("/avatar/Ada.png?size=96&backgroundColor=ff0000")).arrayBuffer())
      .extract({ left: 1, top: 1, width: 1, height: 1 })
      .raw()
      .toBuffer();
    expect([...red]).toEqual([255, 0, 0, 255]);
  });

  test("answers HEAD with the headers of GET", async () => {
    const { visitor } = await createTestApp();
    for (const form of ["svg", "json", "txt", "png"]) {
      const answer = await visitor().request(`/avatar/Ada.${form}`, { method: "HEAD" });
      expect([answer.status, await answer.text()]).toEqual([200, ""]);
      expect(answer.headers.get("etag")).toMatch(/^"/);
    }
  });

  test("accepts any seed: other scripts, slashes, percent signs, empty", async () => {
    const { visitor } = await createTestApp();
    for (const seed of ["", "明石", "👩🏽‍🚀", "a/b", "a%2Fb", "..", "%", "?", "#", "a.svg", "save", '"><script>', " "]) {
      const answer = await visitor().get(`/avatar/${encodeURIComponent(seed)}.svg`);
      expect(await answer.text(), seed).toBe(drawAvatar(defaultOptions(seed)).svg);
    }
  });

  test("with random ids differs each time and is not cached", async () => {
    const { visitor } = await createTestApp();
    const path = "/avatar/Ada.svg?randomizeIds=true";
    const [one, other] = [await visitor().get(path), await visitor().get(path)];
    expect(one.headers.get("cache-control")).toBe("no-store");
    expect(one.headers.get("etag")).toBeNull();
    expect(await one.text()).not.toBe(await other.text());
  });

  test("refuses invalid options by name, as plain text", async () => {
    const { visitor } = await createTestApp();
    for (const form of ["svg", "json", "txt", "png"]) {
      const answer = await visitor().get(`/avatar/Ada.${form}?rotate=361&skinColor=red&<script>=1`);
      expect(answer.status).toBe(400);
      expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
      const text = await answer.text();
      for (const words of ['rotate: "361"', 'skinColor: "red"']) expect(text).toContain(words);
      expect(text).not.toContain("script");
    }
    expect((await visitor().get("/avatar/Ada.png?size=2049")).status).toBe(400);
    expect((await visitor().get(`/avatar/${"x".repeat(201)}.svg`)).status).toBe(400);
  });

  test("returns 404 for another format or a malformed path", async () => {
    const { visitor } = await createTestApp();
    for (const path of ["/avatar/Ada", "/avatar/Ada.gif", "/avatar/%ff.svg", "/avatar/Ada.svg.exe"])
      expect((await visitor().get(path)).status, path).toBe(404);
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
    const picture = await services.files.read(`${keyPrefix}_384.webp`);
    expect(await sharp(picture).metadata()).toMatchObject({ width: 384, height: 384 });
    const corner = await sharp(picture).extract({ left: 4, top: 4, width: 1, height: 1 }).raw().toBuffer();
    expect(corner[0]).toBeGreaterThan(245);
    expect(corner[1]).toBeLessThan(12);
    expect(await lastDrawn(ada)).toEqual(options);
  });

  test("fills a transparent background, so that no initials show through", async () => {
    const { ada, services } = await open();
    const { keyPrefix } = await (await save(ada, { ...options, backgroundColor: [] })).json();
    const picture = sharp(await services.files.read(`${keyPrefix}_192.webp`));
    expect((await picture.stats()).isOpaque).toBe(true);
    const corner = await picture.extract({ left: 2, top: 2, width: 1, height: 1 }).raw().toBuffer();
    expect(Math.abs((corner[0] ?? 0) - Number.parseInt(paperColor.slice(0, 2), 16))).toBeLessThan(4);
  });

  test("forgets the options when the avatar is replaced or removed", async () => {
    const { ada, id, services } = await open();
    await save(ada, options);
    const upload = await sharp({ create: { width: 64, height: 64, channels: 3, background: "#345" } })
      .png()
      .toBuffer();
    await storeAsset(services, { ownerId: id, slot: "avatar", upload });
    expect(await lastDrawn(ada)).toBeNull();
    await save(ada, options);
    await ada.post("/uploads/avatar/remove", {});
    expect(await lastDrawn(ada)).toBeNull();
  });

  test("refuses invalid options and changes nothing", async () => {
    const { ada, id, services } = await open();
    const first = await (await save(ada, options)).json();
    for (const wrong of [
      "",
      "{}",
      "<svg/>",
      { ...options, rotate: 999 },
      { ...options, skinColor: ["red"] },
      [options],
    ]) {
      const answer = await save(ada, wrong);
      expect(answer.status).toBe(422);
      expect((await answer.json()).message).toContain("This avatar can't be saved");
    }
    expect(await findProfile(services.db, id)).toMatchObject({ avatarKey: first.keyPrefix });
    expect(await lastDrawn(ada)).toEqual(options);
  });

  test("requires a signed-in user", async () => {
    const { visitor } = await createTestApp();
    const stranger = visitor();
    expect((await save(stranger, options)).headers.get("location")).toContain("/auth");
    expect((await stranger.get("/avatar/save")).headers.get("location")).toContain("/auth");
  });

  test("draws one at a time, so that many saves don't fill the queue of the worker threads", async () => {
    const { ada, services } = await open();
    const { workers } = services;
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
    await Promise.all(Array.from({ length: 10 }, () => save(ada, options)));
    expect(counts).toEqual(Array(10).fill(1));
  });

  test("leaves one avatar and its files after twenty concurrent saves", async () => {
    const { ada, id, services } = await open();
    const answers = await Promise.all(Array.from({ length: 20 }, () => save(ada, options)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses).toContain(200);
    expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([]);
    const shown = await services.db
      .selectFrom("asset")
      .selectAll()
      .where("owner_id", "=", id)
      .where("is_ready", "=", 1)
      .execute();
    expect(shown).toHaveLength(1);
    expect(await findProfile(services.db, id)).toMatchObject({ avatarKey: shown[0]?.stem });
  });
});

test("the credits page names the sources of faces, fonts and icons, without script", async () => {
  const { visitor } = await createTestApp();
  const page = await (await visitor().get("/credits")).text();
  for (const words of [
    "Personas",
    "Draftbit",
    "CC BY 4.0",
    "DiceBear",
    "Shippori Mincho",
    "Instrument Sans",
    "Noto",
    "Simple Icons",
    "CC0 1.0",
    "MPL 2.0",
    "LGPL 3.0",
  ])
    expect(page).toContain(words);
  expect(page).not.toContain('<script type="module" src');
  expect(await (await visitor().get("/pricing")).text()).toContain('href="/credits"');
});

async function open() {
  const product = await createTestApp();
  const ada = await product.signedIn();
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
