import sharp from "sharp";
import { expect, test } from "vitest";

import { pictureUrl } from "#app/features/uploads/image-urls.ts";
import { features } from "#server/features.ts";
import { runMaintenance } from "#server/maintenance.ts";
import { profileForm, userIdOf } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { jpeg, photo, uploadFile } from "#tests/support/app/uploads.ts";

const hour = 60 * 60_000;

/** A signed-in owner who uploaded a picture for a link. */
async function uploadPicture() {
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
  const isStored = async () => (await app.visitor().get(pictureUrl(keyPrefix))).status === 200;
  return { ...app, time, owner, id, link, keyPrefix, isStored };
}

test("a link's picture is cropped, stored without metadata and shown with its description", async () => {
  const { owner, visitor, id, link, keyPrefix } = await uploadPicture();
  expect((await owner.post("/profile", profileForm({}, [link]))).status).toBe(302);
  const page = await (await visitor().get(`/u/${id}`)).text();
  const url = pictureUrl(keyPrefix);
  expect(page).toContain(`<img src="${url}" alt="Roses"`);
  const response = await visitor().get(url);
  expect(response.headers.get("content-type")).toBe("image/webp");
  const { width, height, exif } = await sharp(new Uint8Array(await response.arrayBuffer())).metadata();
  expect({ width, height, exif }).toEqual({ width: 860, height: 430, exif: undefined });
});

test("a link can't show a picture that someone else uploaded", async () => {
  const { signedIn, link } = await uploadPicture();
  const eve = await signedIn("eve@example.com");
  await userIdOf(eve);
  const refused = await eve.post("/profile", profileForm({}, [link]));
  expect(refused.status).toBe(422);
  expect(await refused.text()).toContain("Choose an image, or show this as a regular link.");
});

test("a picture is deleted with its link, or an hour later if it was never saved, and gives back its quota", async () => {
  const { owner, services, time, link, isStored } = await uploadPicture();
  await owner.post("/profile", profileForm({}, [link]));
  time.now += 2 * hour;
  await services.jobs.runDue();
  expect(await isStored()).toBe(true);
  await owner.post("/profile", profileForm({ version: "2" }, []));
  await services.jobs.runDue();
  expect(await isStored()).toBe(false);
  expect(await services.db.selectFrom("storage").select("bytes").where("bytes", ">", 0).execute()).toEqual([]);

  const unsaved = await uploadFile(owner, "picture:roof", { bytes: await jpeg() });
  const isShown = async () => (await owner.get(pictureUrl(unsaved.keyPrefix ?? ""))).status === 200;
  // Another tab saves: the form with the picture may still be open.
  await owner.post("/profile", profileForm({ version: "3" }));
  await services.jobs.runDue();
  expect(await isShown()).toBe(true);
  time.now += 2 * hour;
  await runMaintenance(features, services);
  await services.jobs.runDue();
  expect(await isShown()).toBe(false);
});
