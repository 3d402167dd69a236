import sharp from "sharp";
import { describe, expect, test } from "vitest";

import { findPassDesign } from "#app/features/wallet/data.server.ts";
import { baseOf, makeCard, makeOnlyUserPremium } from "#tests/support/app/cards.ts";
import { createSignedInApp } from "#tests/support/app/test-app.ts";
import { plainImage, removeFile, uploadFile } from "#tests/support/app/uploads.ts";
import { callFunction } from "#tests/support/app/visitor.ts";

const fields = { background: "card", logo: "default", shows_email: "on" };

async function openPremium() {
  const { ada, ...product } = await createSignedInApp();
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

  test("is the requested part", async () => {
    const { ada, visitor } = await openPremium();
    const red = await plainImage(400, 600, "#d02020").png().toBuffer();
    const halves = plainImage(800, 600, "#2040d0").composite([{ input: red, left: 400, top: 0 }]);
    const bytes = await halves.png().toBuffer();
    const { keyPrefix } = await uploadFile(ada, "pass-background:a", { bytes, query: "&x=0.5&y=0&size=0.5" });
    const file = await (await visitor().get(`/files/${keyPrefix}.jpg`)).arrayBuffer();
    const { channels } = await sharp(file).stats();
    expect(channels[0]?.mean).toBeGreaterThan(195);
    for (const query of ["&x=0.6&y=0&size=0.5", "&x=0&y=0.5&size=0.9", "&x=-1&y=0&size=0.5"])
      expect((await uploadFile(ada, "pass-background:a", { bytes, query })).status, query).toBeGreaterThanOrEqual(400);
  });

  test("is refused with the reason: too large, animated, no image, on Free, without a slot of its own", async () => {
    const { ada, signedIn } = await openPremium();
    const still = await plainImage(4, 4).png().toBuffer();
    // An empty acTL chunk after the IHDR makes it an animated PNG.
    const animation = Buffer.from("\0\0\0\0acTL\0\0\0\0", "latin1");
    const animated = Buffer.concat([still.subarray(0, 33), animation, still.subarray(33)]);
    const send = (slot: string, bytes: Buffer, person = ada) => uploadFile(person, slot, { bytes });
    const large = { status: 413, message: "Image size must be less than 5MB" };
    expect(await send("pass-background:a", Buffer.alloc(20_000_000, 1))).toMatchObject(large);
    const noImage = { status: 415, message: "Please upload a JPEG, PNG, or WebP image" };
    expect(await send("pass-logo:a", Buffer.from("<svg/>"))).toMatchObject(noImage);
    expect(await send("pass-background:a", animated)).toMatchObject({ status: 422 });
    for (const slot of ["pass-background:..%2fx", "pass-background:a%2fb", "pass-background:", "pass-thing:a"])
      expect((await send(slot, still)).status, slot).toBe(404);
    const onFree = { status: 403, message: "Your own images on a pass are part of Premium." };
    expect(await send("pass-background:a", still, await signedIn("bob@example.com"))).toEqual(onFree);
  });
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
