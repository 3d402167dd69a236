import sharp from "sharp";
import { describe, expect, test } from "vitest";

import { cardFields, makeCard, makeOnlyUserPremium, shortPathOf } from "#tests/support/app/cards.ts";
import { profileForm, recordSave, userIdOf } from "#tests/support/app/profiles.ts";
import { readHead } from "#tests/support/app/responses.ts";
import { createSignedInApp } from "#tests/support/app/test-app.ts";
import { jpeg, uploadFile } from "#tests/support/app/uploads.ts";
import { inBothReaders, scanWithTwoReaders } from "#tests/support/fixtures/qr-readers.ts";

const base = "http://localhost:3000";

async function createFixtures() {
  const { ada, ...app } = await createSignedInApp();
  const id = await makeCard(ada);
  const userId = await userIdOf(ada);
  return { ...app, ada, id, userId, guest: app.visitor() };
}

const bodyBytes = async (answer: Response) => Buffer.from(await answer.arrayBuffer());

describe("the link preview of an address in a chat", () => {
  test("is 1200 x 630, a PNG of less than 100 kB, for a card and a profile, in its theme", async () => {
    const { guest, ada, id, userId } = await createFixtures();
    const read = async (path: string) => {
      const answer = await guest.get(path);
      expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/png"]);
      const png = await bodyBytes(answer);
      expect(await sharp(png).metadata()).toMatchObject({ format: "png", width: 1200, height: 630 });
      expect(png.length).toBeLessThan(100_000);
      expect(png.length).toBeGreaterThan(8_000);
      const pixel = await sharp(png).extract({ left: 4, top: 620, width: 1, height: 1 }).removeAlpha().raw().toBuffer();
      return pixel.toString("hex");
    };
    await read(`/card/${id}/preview.png`);
    expect(await read(`/u/${userId}/preview.png`)).toBe("f7f4ed");
    await ada.post("/profile", profileForm({ theme: "ocean" }));
    expect(await read(`/u/${userId}/preview.png`)).toBe("0d3b52");
  });

  test("may be cached for an hour with its version, is revalidated without one, and sends no body when unchanged", async () => {
    const { guest, ada, id } = await createFixtures();
    const first = await guest.get(`/card/${id}/preview.png`);
    const etag = first.headers.get("etag") ?? "";
    expect(first.headers.get("cache-control")).toBe("no-cache");
    const again = await guest.get(`/card/${id}/preview.png`, { "if-none-match": etag });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    const versioned = await guest.get(`/card/${id}/preview.png?v=1`);
    expect(versioned.headers.get("cache-control")).toBe("public, max-age=3600");
    // A shared cache must not store a response that may carry a user's cookie.
    expect((await ada.get(`/card/${id}/preview.png?v=1`)).headers.get("cache-control")).toContain("private");
  });

  test("changes with a save, of the card and of the name on the profile, and with the plan", async () => {
    const { guest, ada, id, services } = await createFixtures();
    const seen = async () => (await guest.get(`/card/${id}/preview.png`)).headers.get("etag");
    const tags = [await seen()];
    await ada.post(`/cards/edit/${id}`, { ...cardFields, company: "Difference Engines", version: "1" });
    tags.push(await seen());
    await ada.post("/profile", profileForm({ displayName: "Ada King" }));
    tags.push(await seen());
    await makeOnlyUserPremium(ada, services);
    tags.push(await seen());
    expect(new Set(tags).size).toBe(4);
  });

  test("is not offered to search engines beside its page, and neither is the contact file", async () => {
    const { guest, id, userId } = await createFixtures();
    const files = ["preview.png", "contact.vcf", "qr.svg"].map((file) => `/card/${id}/${file}`);
    for (const path of [...files, `/u/${userId}/qr.png`])
      expect((await guest.get(path)).headers.get("x-robots-tag"), path).toBe("noindex");
    expect((await guest.get(`/card/${id}`)).headers.get("x-robots-tag")).toBeNull();
  });

  test("is drawn for names of every kind", async () => {
    const { guest, ada, userId } = await createFixtures();
    const names = ["ليلى الحسن", "山田 太郎", "👩‍🚀 Zoë", "m".repeat(50), "<b>&\u202e"];
    for (const [at, displayName] of names.entries()) {
      await ada.post("/profile", profileForm({ displayName, bio: displayName.repeat(3), version: String(at + 1) }));
      expect((await guest.get(`/u/${userId}/preview.png`)).status, displayName).toBe(200);
    }
  });
});

test("a card's link preview and call background are drawn in its layout, with the avatar", async () => {
  const { ada, guest, id } = await createFixtures();
  await uploadFile(ada, "avatar", { bytes: await jpeg() });
  /** Whether the blue avatar is at these positions of the card, in millimeters: in the corner, above the middle, at the far edge. */
  const avatarAt = async (answer: Response, card: { x: number; y: number; width: number }) => {
    const png = await bodyBytes(answer);
    const unit = card.width / 91;
    const points = [
      [77.6, 13.4],
      [45.5, 10.4],
      [88, 50],
    ] as const;
    return Promise.all(
      points.map(async ([left, top]) => {
        const at = {
          left: Math.round(card.x + left * unit),
          top: Math.round(card.y + top * unit),
          width: 1,
          height: 1,
        };
        const [red = 0, , blue = 0] = await sharp(png).extract(at).removeAlpha().raw().toBuffer();
        return blue > red + 60;
      }),
    );
  };
  const expected = { classic: [true, false, false], centered: [false, true, false], cover: [true, false, true] };
  for (const [index, [layout, points]] of Object.entries(expected).entries()) {
    await ada.post(`/cards/edit/${id}`, { ...cardFields, layout, version: String(index + 1) });
    const preview = await guest.get(`/card/${id}/preview.png`);
    expect(await avatarAt(preview, { x: 168, y: 30, width: 864 }), layout).toEqual(points);
    const background = await ada.get(`/share/card/${id}/background.png`);
    expect(await avatarAt(background, { x: 88, y: 88, width: 500 }), layout).toEqual(points);
  }
  const printed = async () => (await ada.get(`/share/card/${id}/print.pdf`)).headers.get("etag");
  const before = await printed();
  await ada.post(`/cards/edit/${id}`, { ...cardFields, layout: "centered", version: "4" });
  expect(await printed()).not.toBe(before);
});

describe("access to images", () => {
  test("print sheets and backgrounds are their owner's alone; another owner's card responds like an unknown one", async () => {
    const { ada, id, guest, signedIn } = await createFixtures();
    const eve = await signedIn("eve@example.com");
    for (const file of ["print.pdf", "background.png"]) {
      for (const path of [`/share/card/${id}/${file}`, `/share/profile/${file}`]) {
        expect((await guest.get(path)).headers.get("location"), path).toContain("/auth");
        const own = await ada.get(path);
        expect(own.status, path).toBe(200);
        expect(own.headers.get("cache-control")).toMatch(/private|no-store/);
      }
      for (const card of [id, crypto.randomUUID()])
        expect((await eve.get(`/share/card/${card}/${file}`)).status).toBe(404);
    }
  });

  test("has another address after a save and on another plan, because services cache it for a long time", async () => {
    const { ada, guest, services, id, userId } = await createFixtures();
    const named = async () => {
      await recordSave(services, userId);
      const pages = [`/card/${id}`, `/u/${userId}`].map(async (path) => readHead(await guest.get(path)));
      return (await Promise.all(pages)).map(({ metas }) => metas["og:image"]);
    };
    const first = await named();
    expect(first[0]).toMatch(/^http:\/\/localhost:3000\/c\/\w{7}\/preview\.png\?v=[\da-z]+$/);
    expect(await named()).toEqual(first);
    await ada.post("/profile", profileForm({ bio: "Another bio." }));
    const second = await named();
    await ada.post(`/cards/${id}/details`, { company: "Difference Engines" });
    const third = await named();
    expect(third[0]).not.toBe(second[0]);
    await makeOnlyUserPremium(ada, services);
    expect(new Set([...first, ...second, ...(await named())]).size).toBe(6);
  });
});

describe("codes, each with its own mark", () => {
  test("the plain one, one in color with the seal, the one in a signature", async () => {
    const { guest, id, userId } = await createFixtures();
    for (const path of [await shortPathOf(guest, id), `/u/${userId}`]) {
      const files = ["qr.png", "qr.png?size=200&color=1d4ed8&logo=seal", "qr.png?logo=avatar&size=200"];
      for (const [file, mark] of [...files.map((one) => [one, "q"]), ["signature.png", "s"]] as const)
        expect(await scanWithTwoReaders(await bodyBytes(await guest.get(`${path}/${file}`))), file).toEqual(
          inBothReaders(`${base}${path}?${mark}`),
        );
    }
    const svg = await (await guest.get(`/card/${id}/qr.svg?color=1d4ed8&logo=seal`)).text();
    expect(svg).toMatch(/^<svg .*stroke="#1d4ed8".*<\/svg>$/s);
    expect(svg).not.toMatch(/style=|<script/);
    expect(await scanWithTwoReaders(svg)).toEqual(inBothReaders(`${base}${await shortPathOf(guest, id)}?q`));
  });

  test("the one in a meeting background, dark and light, even when the video is a quarter as large", async () => {
    const { ada, guest, id, userId } = await createFixtures();
    for (const [path, text] of [
      [`/share/card/${id}/background.png?tone=dark`, `${base}${await shortPathOf(guest, id)}?b`],
      ["/share/profile/background.png?tone=light", `${base}/u/${userId}?b`],
    ] as const) {
      const png = await bodyBytes(await ada.get(path));
      expect(await sharp(png).metadata()).toMatchObject({ width: 1920, height: 1080 });
      expect(await scanWithTwoReaders(png), path).toEqual(inBothReaders(text));
      // A camera that looks at a meeting sees the corner alone.
      const small = sharp(await sharp(png).resize(960).toBuffer());
      const tile = small.extract({ left: 600, top: 0, width: 360, height: 270 });
      expect(await scanWithTwoReaders(await tile.png().toBuffer()), `${path}, smaller`).toEqual(inBothReaders(text));
    }
  });

  test("the one in a meeting background on an image, whose texts are on a panel or on plain colors", async () => {
    const { ada, guest, id } = await createFixtures();
    const text = `${base}${await shortPathOf(guest, id)}?b`;
    const corners = new Set<string>();
    for (const image of ["moon", "washi", "waves"]) {
      const png = await bodyBytes(await ada.get(`/share/card/${id}/background.png?tone=${image}`));
      expect(await sharp(png).metadata()).toMatchObject({ width: 1920, height: 1080 });
      expect(await scanWithTwoReaders(png), image).toEqual(inBothReaders(text));
      const colorAt = async (left: number, top: number) => {
        const pixel = await sharp(png).extract({ left, top, width: 1, height: 1 }).removeAlpha().raw().toBuffer();
        return pixel.toString("hex");
      };
      corners.add(await colorAt(40, 540));
      // Beside the letters: of the caption below the code, and of our branding.
      expect(await colorAt(1540, 412), image).toBe("fbf9f4");
      expect(await colorAt(1836, 1020), image).toBe("fbf9f4");
    }
    expect(corners.size).toBe(3);
  });

  test("an invalid request is refused with a message before anything is drawn, and a form in plain text", async () => {
    const { guest, ada, id, services } = await createFixtures();
    const choices = ["color=ffff00", "color=red", "logo=cat", "size=1", "size=99999"];
    for (const path of [...choices.map((search) => `qr.png?${search}`), "qr.svg?color=ffff00"]) {
      const answer = await guest.get(`/card/${id}/${path}`);
      expect([answer.status, answer.headers.get("content-type")]).toEqual([400, "text/plain; charset=utf-8"]);
      expect((await answer.text()).length).toBeGreaterThan(20);
    }
    for (const path of [`/share/card/${id}/background.png?tone=pink`, `/share/card/${id}/print.pdf?size=1x1`])
      expect((await ada.get(path)).status).toBe(400);
    for (const path of [`/card/${id}/preview.png`, `/card/${id}/qr.svg`, `/share/card/${id}/print.pdf`]) {
      const answer = await ada.post(path, { a: "b" });
      expect([answer.status, await answer.text()]).toEqual([405, "This address is read-only."]);
    }
    expect(services.imageCache.size()).toBe(0);
  });
});
