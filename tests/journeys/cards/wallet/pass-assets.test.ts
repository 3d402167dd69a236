import sharp from "sharp";
import { describe, expect, test } from "vitest";

import { findPassDesign } from "#app/features/wallet/data.server.ts";
import { baseOf, makeCard, makeOnlyUserPremium } from "#tests/support/app/cards.ts";
import { makePremium, userIdOf } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { plainImage, removeFile, uploadFile } from "#tests/support/app/uploads.ts";
import { callFunction } from "#tests/support/app/visitor.ts";

const fields = { background: "card", logo: "default", shows_email: "on" };

async function openPremium() {
  const product = await createTestApp();
  const ada = await product.signedIn();
  const id = await makeCard(ada);
  await makeOnlyUserPremium(ada, product.services);
  const path = `/cards/${id}/pass`;
  const page = async () => (await ada.get(path)).text();
  return { ...product, ada, id, path, page };
}

describe("an uploaded background or logo", () => {
  test("is stored as a JPEG of 540 by 660, or a PNG of 480 by 150 with its transparency", async () => {
    const { ada, visitor } = await openPremium();
    const alpha = { r: 200, g: 30, b: 30, alpha: 0.5 };
    const large = await sharp({ create: { width: 960, height: 900, channels: 4, background: alpha } })
      .png()
      .toBuffer();
    const sent = [
      ["pass-background:a", large],
      ["pass-background:b", await plainImage(1, 1).png().toBuffer()],
      ["pass-background:c", await plainImage(700, 300).toColourspace("cmyk").jpeg().toBuffer()],
      ["pass-logo:a", large],
      ["pass-logo:b", await plainImage(1, 1).png().toBuffer()],
    ] as const;
    for (const [slot, bytes] of sent) {
      const stored = await uploadFile(ada, slot, { bytes, name: "Summer.png" });
      expect(stored, slot).toMatchObject({ status: 200, message: "Image uploaded", filename: "Summer" });
      const isLogo = slot.startsWith("pass-logo");
      const response = await visitor().get(`/files/${stored.keyPrefix}${isLogo ? ".png" : ".jpg"}`);
      expect(response.status).toBe(200);
      const { format, width, height, hasAlpha } = await sharp(await response.arrayBuffer()).metadata();
      expect({ format, width, height }).toEqual(
        isLogo ? { format: "png", width: 480, height: 150 } : { format: "jpeg", width: 540, height: 660 },
      );
      if (slot === "pass-logo:a") expect(hasAlpha).toBe(true);
    }
  });

  test("is the part that was asked for", async () => {
    const { ada, visitor } = await openPremium();
    const red = await plainImage(400, 600, "#d02020").png().toBuffer();
    const halves = await plainImage(800, 600, "#2040d0")
      .composite([{ input: red, left: 400, top: 0 }])
      .png()
      .toBuffer();
    const query = "&x=0.5&y=0&size=0.5";
    const { keyPrefix } = await uploadFile(ada, "pass-background:a", { bytes: halves, query });
    const file = await (await visitor().get(`/files/${keyPrefix}.jpg`)).arrayBuffer();
    const { channels } = await sharp(file).stats();
    expect(channels[0]?.mean).toBeGreaterThan(195);
    for (const wrong of ["&x=0.6&y=0&size=0.5", "&x=0&y=0.5&size=0.9", "&x=-1&y=0&size=0.5"])
      expect(
        (await uploadFile(ada, "pass-background:a", { bytes: halves, query: wrong })).status,
      ).toBeGreaterThanOrEqual(400);
  });

  test("is refused with the reason: too large, animated, no image, on Free", async () => {
    const { ada, signedIn } = await openPremium();
    const large = await uploadFile(ada, "pass-background:a", { bytes: Buffer.alloc(20_000_000, 1) });
    expect(large).toMatchObject({ status: 413, message: "Image size must be less than 5MB" });
    const text = await uploadFile(ada, "pass-logo:a", { bytes: Buffer.from("<svg/>") });
    expect(text).toMatchObject({ status: 415, message: "Please upload a JPEG, PNG, or WebP image" });
    const still = await plainImage(4, 4).png().toBuffer();
    // An empty acTL chunk after the IHDR makes it an animated PNG.
    const animated = Buffer.concat([
      still.subarray(0, 33),
      Buffer.from("\0\0\0\0acTL\0\0\0\0", "latin1"),
      still.subarray(33),
    ]);
    expect(await uploadFile(ada, "pass-background:a", { bytes: animated })).toMatchObject({ status: 422 });
    const bob = await signedIn("bob@example.com");
    expect(await uploadFile(bob, "pass-background:a", { bytes: still })).toEqual({
      status: 403,
      message: "Your own images on a pass are part of Premium.",
    });
  });

  test.each(["pass-background:..%2fx", "pass-background:a%2fb", "pass-background:", "pass-thing:a"])(
    "has no slot named %s",
    async (slot) => {
      const { ada } = await openPremium();
      const bytes = await plainImage(4, 4).png().toBuffer();
      expect((await uploadFile(ada, slot, { bytes })).status).toBe(404);
    },
  );
});

describe("the library", () => {
  test("lists uploads with their use; a deleted one gives way to the default on its passes", async () => {
    const { ada, id, path, page, services } = await openPremium();
    const bytes = await plainImage(540, 660).png().toBuffer();
    const { keyPrefix } = await uploadFile(ada, "pass-background:a", { bytes, name: "Summer.png" });
    const background = `asset:${keyPrefix}`;
    const saved = await ada.post(path, { ...fields, background, version: "0", base: baseOf(await page()) });
    expect(saved.status).toBe(302);
    const library = (await (await ada.get(`${path}.data`)).text()).replaceAll("\\", "");
    for (const text of ["Summer", "usedBy"]) expect(library).toContain(text);
    await removeFile(ada, "pass-background:a");
    await services.jobs.runDue();
    expect(await findPassDesign(services.db, id)).toMatchObject({ background: { kind: "card" } });
  });

  test("is closed to other users: they can neither use, tint nor delete what is in it", async () => {
    const { ada, signedIn, services, visitor } = await openPremium();
    const bytes = await plainImage(540, 660).png().toBuffer();
    const { keyPrefix } = await uploadFile(ada, "pass-background:a", { bytes });
    const bob = await signedIn("bob@example.com");
    const cardId = await makeCard(bob);
    await makePremium(services, await userIdOf(bob));
    const refused = await bob.post(`/cards/${cardId}/pass`, {
      ...fields,
      background: `asset:${keyPrefix}`,
      version: "0",
    });
    expect(refused.status).toBe(422);
    const input = { imageUrl: `/files/${keyPrefix}.jpg`, tintColor: "#3a5f8c", cardId };
    expect((await callFunction(bob, "tint-image", { input })).status).toBe(400);
    await removeFile(bob, "pass-background:a");
    expect((await visitor().get(`/files/${keyPrefix}.jpg`)).status).toBe(200);
  });

  test("has images that tint-image tints, and the original stays", async () => {
    const { ada, id, visitor } = await openPremium();
    const bytes = await plainImage(540, 660, "#ffffff").png().toBuffer();
    const { keyPrefix } = await uploadFile(ada, "pass-background:a", { bytes });
    const original = `/files/${keyPrefix}.jpg`;
    const input = { imageUrl: original, tintColor: "#000000", cardId: id };
    const { body } = await callFunction(ada, "tint-image", { input });
    const { channels } = await sharp(await (await ada.get(String(body["newUrl"]))).arrayBuffer()).stats();
    expect(channels[0]?.mean).toBeCloseTo(255 * 0.7, -0.5);
    expect((await visitor().get(original)).status).toBe(200);
    for (const key of ["", "resumes/x/resume", keyPrefix?.replace("backgrounds", "logos"), "../x"])
      expect((await ada.get(`/pass-images/upload.jpg?key=${key}&tint=000000`)).status, key).toBe(404);
  });
});
