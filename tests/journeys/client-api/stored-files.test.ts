import sharp from "sharp";
import { describe, expect, test } from "vitest";

import { makePremium } from "#tests/support/app/profiles.ts";
import { pdf } from "#tests/support/app/uploads.ts";
import { docx } from "#tests/support/fixtures/binary-files.ts";

import { openClient } from "./client-app.ts";
import { bytesOf, createStorageApp, denied, document, image, missing, shown } from "./storage-app.ts";

describe("a public image of an app", () => {
  test.each([
    ["avatars", "avatar_1790000000000.png", "jpeg"],
    ["banners", "banner_1790000000000.png", "jpeg"],
    ["pass-assets", "backgrounds/my photo (1).png", "jpeg"],
    ["pass-assets", "logos/logo_1790000000000.png", "png"],
  ])("is uploaded, listed, read, replaced and removed: %s/%s", async (bucket, name, format) => {
    const { client, services, userId, read, publicUrl, publicPage } = await createStorageApp();
    await makePremium(services, userId);
    const files = client.storage.from(bucket);
    const path = `${userId}/${name}`;
    const [, folder = "", file] = /^(?:(.*)\/)?(.*)$/.exec(name) ?? [];
    expect(shown((await files.info(path)).error)).toMatchObject(missing);
    const stored = await files.upload(path, await image());
    expect(stored).toMatchObject({ error: null, data: { path, fullPath: `${bucket}/${path}` } });

    const listed = await files.list(`${userId}/${folder}`);
    expect(listed.data).toMatchObject([
      { name: file, id: stored.data?.id, metadata: { mimetype: `image/${format}`, size: expect.any(Number) } },
    ]);
    expect((await files.exists(path)).data).toBe(true);
    const served = await read(`${publicUrl(bucket, path)}?v=1`);
    expect([served.status, (await sharp(served.bytes).metadata()).format]).toEqual([200, format]);
    expect(Object.fromEntries(served.headers)).toMatchObject({
      "content-type": `image/${format}`,
      "access-control-allow-origin": "*",
      "cross-origin-resource-policy": "cross-origin",
      "x-content-type-options": "nosniff",
    });
    expect(served.bytes.length).toBe(listed.data?.[0]?.metadata?.size);
    const own = await files.download(path);
    expect(await bytesOf(own.data)).toEqual(served.bytes);

    const again = await files.upload(path, await image("#ff0000"));
    expect(shown(again.error)).toMatchObject({
      status: 400,
      statusCode: "409",
      message: "The resource already exists",
    });
    for (const replace of [
      async () => files.upload(path, await image("#ff0000"), { upsert: true }),
      async () => files.update(path, await image("#00ff00")),
    ]) {
      const before = await read(publicUrl(bucket, path));
      expect((await replace()).error).toBe(null);
      expect((await read(publicUrl(bucket, path))).bytes.equals(before.bytes)).toBe(false);
    }
    const rows = await services.db.selectFrom("asset").select("key_prefix").execute();
    expect(rows.length).toBe(1);
    if (folder === "") expect(await publicPage()).toContain(rows[0]?.key_prefix);

    expect((await files.remove([path, `${userId}/other.png`])).data).toMatchObject([{ name: path, bucket_id: bucket }]);
    expect((await files.list(`${userId}/${folder}`)).data).toEqual([]);
    expect((await read(publicUrl(bucket, path))).status).toBe(400);
    expect((await files.exists(path)).data).toBe(false);
    expect(await publicPage()).not.toContain(rows[0]?.key_prefix);
  });

  test("replaces the one avatar, whatever its name; then the older path is missing", async () => {
    const { client, userId, read, publicUrl, ada, publicPage } = await createStorageApp();
    const avatars = client.storage.from("avatars");
    for (const name of ["avatar_1.png", "avatar_2.webp"]) await avatars.upload(`${userId}/${name}`, await image());
    const names = async () => (await avatars.list(userId)).data?.map(({ name }) => name);
    expect(await names()).toEqual(["avatar_2.webp"]);
    const older = await read(publicUrl("avatars", `${userId}/avatar_1.png`));
    expect(JSON.parse(older.bytes.toString())).toEqual({
      statusCode: "404",
      code: "NoSuchKey",
      error: "not_found",
      message: "Object not found",
    });
    // One of a page is found under the name that the list shows.
    const origin = { origin: "http://localhost:3000" };
    await ada.request("/uploads/avatar", { method: "POST", body: await image(), headers: origin });
    const [name] = (await names()) ?? [];
    expect(name).toMatch(/^avatar_\d+\.jpg$/);
    expect((await read(publicUrl("avatars", `${userId}/${name}`))).status).toBe(200);
    expect(await publicPage()).toContain(`${userId}/avatar_${/\d+/.exec(name ?? "")?.[0]}`);
  });

  test("is accepted as a Blob, in a form, and as bytes; from pages of other sites too", async () => {
    const { app, client, userId } = await createStorageApp();
    const banners = client.storage.from("banners");
    const form = new FormData();
    form.append("note", "before the file");
    form.append("file", await image(), "banner.png");
    const bytes = await (await image()).arrayBuffer();
    for (const [index, body] of [await image(), form, bytes, new Blob([bytes]).stream()].entries()) {
      const { error } = await banners.upload(`${userId}/banner_${index}.png`, body, { contentType: "image/png" });
      expect([index, error]).toEqual([index, null]);
    }
    const preflight = await app.request("http://localhost:3000/storage/v1/object/banners/a/b.png", {
      method: "OPTIONS",
      headers: { origin: "https://app.example", "access-control-request-headers": "authorization,apikey,x-upsert" },
    });
    expect([preflight.status, preflight.headers.get("access-control-allow-headers")]).toEqual([
      204,
      "authorization,apikey,x-upsert",
    ]);
  });
});

describe("the list of an app", () => {
  test("is ordered by name, and takes a folder, an order, a part and a search", async () => {
    let now = Date.now();
    const { client, services, userId } = await createStorageApp({ clock: () => now });
    await makePremium(services, userId);
    const assets = client.storage.from("pass-assets");
    for (const name of ["logos/b.png", "logos/a.png", "logos/c.png", "backgrounds/a.png"]) {
      now += 1_000;
      expect((await assets.upload(`${userId}/${name}`, await image())).error).toBe(null);
    }
    const list = async (...[folder, options]: Parameters<typeof assets.list>) =>
      (await assets.list(folder, options)).data?.map(({ name, id }) => (id === null ? `${name}/` : name));
    expect(await list()).toEqual([`${userId}/`]);
    expect(await list(userId)).toEqual(["backgrounds/", "logos/"]);
    expect(await list(`${userId}/logos/`)).toEqual(["a.png", "b.png", "c.png"]);
    expect(await list(`${userId}/logos`, { sortBy: { column: "created_at", order: "desc" } })).toEqual([
      "c.png",
      "a.png",
      "b.png",
    ]);
    expect(await list(`${userId}/logos`, { limit: 1, offset: 1 })).toEqual(["b.png"]);
    expect(await list(`${userId}/logos`, { search: "C." })).toEqual(["c.png"]);
    expect(shown((await client.storage.from("logos").list("")).error)).toMatchObject({
      statusCode: "404",
      code: "NoSuchBucket",
    });
  });
});

describe("the resume of an app", () => {
  test("is under one path with the extension of its bytes, and is replaced only when the app says so", async () => {
    const { client, userId, publicPage } = await createStorageApp();
    const resumes = client.storage.from("resumes");
    const path = `${userId}/resume.pdf`;
    expect((await resumes.upload(path, document("one"))).data?.fullPath).toBe(`resumes/${path}`);
    expect(await publicPage()).toContain("Ada CV.pdf");
    expect((await resumes.upload(`${userId}/resume.docx`, document("two"))).error).toMatchObject({ statusCode: "409" });
    const word = new Blob([new Uint8Array(docx())]);
    const replaced = await resumes.upload(path, word, { upsert: true });
    expect(replaced.data).toMatchObject({ path, fullPath: `resumes/${userId}/resume.docx` });
    expect((await resumes.list(userId)).data?.map(({ name }) => name)).toEqual(["resume.docx"]);
    for (const name of ["resume.pdf", "resume.docx"]) {
      const { data } = await resumes.download(`${userId}/${name}`);
      expect(await bytesOf(data)).toEqual(docx());
    }
    expect(shown((await resumes.upload(`${userId}/cv.pdf`, document())).error)).toMatchObject({ code: "InvalidKey" });
    expect((await resumes.remove([path])).data?.length).toBe(1);
    expect(await publicPage()).not.toContain("/resume");
  });

  test("is not public; anyone reads it at a signed address until that expires, and no other file", async () => {
    let now = Date.now();
    const { client, userId, read, publicUrl, app, services } = await createStorageApp({ clock: () => now });
    const resumes = client.storage.from("resumes");
    const path = `${userId}/resume.pdf`;
    expect(shown((await resumes.createSignedUrl(path, 60)).error)).toMatchObject(missing);
    await resumes.upload(path, document());
    await client.storage.from("avatars").upload(`${userId}/a.png`, await image());
    expect((await read(publicUrl("resumes", path))).bytes.toString()).toContain("Bucket not found");
    expect((await read(`http://localhost:3000/storage/v1/object/resumes/${path}`)).bytes.toString()).toContain(
      "apikey",
    );
    const stranger = openClient({ app, services }).client.storage.from("resumes");
    expect(shown((await stranger.download(path)).error)).toMatchObject(denied);

    const { data } = await resumes.createSignedUrl(path, 3_600);
    const url = data?.signedUrl ?? "";
    const viewed = await read(url);
    expect([viewed.status, viewed.bytes, viewed.headers.get("content-disposition")]).toEqual([
      200,
      pdf(),
      expect.stringMatching(/^inline.*Ada CV\.pdf/),
    ]);
    const saved = await resumes.createSignedUrl(path, 3_600, { download: "My résumé.exe" });
    expect((await read(saved.data?.signedUrl ?? "")).headers.get("content-disposition")).toMatch(
      /^attachment; filename="My resume\.pdf"/,
    );
    const several = await resumes.createSignedUrls([path, `${userId}/none.pdf`], 60);
    expect(several.data?.map(({ error, signedUrl }) => [error === null, signedUrl !== null])).toEqual([
      [true, true],
      [false, false],
    ]);
    for (const changed of [
      url.replace("resumes", "avatars").replace("resume.pdf", "a.png"),
      url.replace("resume.pdf", "resume.docx"),
      url.replace(/token=\d+/, (token) => `${token}0`),
      url.replace(/\?.*/, ""),
    ])
      expect((await read(changed)).bytes.toString(), changed).toContain("InvalidJWT");
    now += 3_600_000;
    const expired = await read(url);
    expect([expired.status, JSON.parse(expired.bytes.toString()).code]).toEqual([400, "InvalidJWT"]);
  });
});
