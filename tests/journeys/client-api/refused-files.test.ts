import { describe, expect, test } from "vitest";

import { makePremium } from "#tests/support/app/profiles.ts";
import { jpeg, jpegOfSize } from "#tests/support/app/uploads.ts";

import { openClient } from "./client-app.ts";
import { createStorageApp, denied, document, image, missing, shown } from "./storage-app.ts";

describe("a file of an app that is refused", () => {
  test("gets the texts of the pages, and leaves nothing", async () => {
    const { client, userId, leftovers } = await createStorageApp();
    const large = new Blob([new Uint8Array(await jpegOfSize(5 * 1024 * 1024))]);
    const damaged = new Blob([new Uint8Array((await jpeg()).subarray(0, 200))]);
    const cases: [bucket: string, body: Blob, status: string, code: string, message: string][] = [
      ["avatars", document(), "415", "InvalidMimeType", "Please upload a JPEG, PNG, or WebP image"],
      ["resumes", await image(), "415", "InvalidMimeType", "Please upload a PDF or Word document"],
      ["banners", large, "413", "EntityTooLarge", "Image size must be less than 5MB"],
      ["resumes", large, "413", "EntityTooLarge", "File size must be less than 5MB"],
      ["avatars", new Blob([]), "422", "InvalidRequest", "This file is empty. Choose another one."],
      ["avatars", damaged, "422", "InvalidRequest", expect.stringContaining("This image is damaged")],
    ];
    for (const [bucket, body, statusCode, code, message] of cases)
      for (const sent of [body, await body.arrayBuffer()]) {
        const { error } = await client.storage.from(bucket).upload(`${userId}/resume.png`, sent);
        expect(shown(error)).toMatchObject({ status: 400, statusCode, code, message });
        expect(await leftovers(), message).toEqual([]);
      }
    const premium = await client.storage.from("pass-assets").upload(`${userId}/logos/a.png`, await image());
    expect(shown(premium.error)).toMatchObject({
      ...denied,
      message: "Your own images on a pass are part of Premium.",
    });

    const aborted = new ReadableStream({
      pull(controller) {
        controller.enqueue(new Uint8Array(1_000));
        controller.error(new Error("aborted"));
      },
    });
    const cutOff = '--x\r\nContent-Disposition: form-data; name=""; filename="a.png"\r\n\r\nabc';
    const contentType = "multipart/form-data; boundary=x";
    for (const [body, type] of [
      [cutOff, contentType],
      [aborted, "image/png"],
    ] as const) {
      const { error } = await client.storage.from("avatars").upload(`${userId}/a.png`, body, { contentType: type });
      expect(shown(error)).toMatchObject({ statusCode: "400", message: "The upload was interrupted. Try again." });
      expect(await leftovers()).toEqual([]);
    }
  });

  test("counts for one limit with the pages: 60 in ten minutes", async () => {
    const { client, userId } = await createStorageApp();
    const send = () => client.storage.from("avatars").upload(`${userId}/a.png`, new Uint8Array(0));
    for (let sent = 0; sent < 60; sent++) expect((await send()).error?.statusCode).toBe("422");
    expect((await send()).error).toMatchObject({ statusCode: "429", message: expect.stringContaining("Too many") });
  });
});

test("another user's folder: no call stores, lists, signs, reads or removes anything in it", async () => {
  const product = await createStorageApp();
  const { userId, client, read, publicUrl, services } = product;
  await makePremium(services, userId);
  const eve = await product.signedIn("eve@example.com");
  const { client: hers } = openClient(product);
  const signedIn = await hers.auth.signInWithPassword({ email: eve.email, password: eve.password });
  await makePremium(services, signedIn.data.user?.id ?? "");
  const names = { avatars: "a.png", banners: "b.png", resumes: "resume.pdf", "pass-assets": "logos/l.png" };
  for (const [bucket, name] of Object.entries(names)) {
    const path = `${userId}/${name}`;
    const body = bucket === "resumes" ? document() : await image();
    expect((await client.storage.from(bucket).upload(path, body)).error, bucket).toBe(null);
    for (const one of [hers, openClient(product).client]) {
      const files = one.storage.from(bucket);
      const isSignedIn = one === hers;
      for (const result of [
        await files.upload(path, body, { upsert: true }),
        await files.update(path, body),
        await files.upload(`${userId}/new/../${name}`, body),
      ])
        expect(shown(result.error), bucket).toMatchObject(denied);
      for (const result of [await files.createSignedUrl(path, 60), await files.download(path), await files.info(path)])
        expect(shown(result.error), bucket).toMatchObject(isSignedIn ? missing : denied);
      if (!isSignedIn) continue;
      expect((await files.createSignedUrls([path], 60)).data).toMatchObject([{ signedURL: null }]);
      expect((await files.list(userId)).data).toEqual([]);
      expect((await files.remove([path])).data).toEqual([]);
    }
    if (bucket !== "resumes") expect((await read(publicUrl(bucket, path))).status).toBe(200);
    expect((await client.storage.from(bucket).exists(path)).data).toBe(true);
  }
  expect((await services.db.selectFrom("asset").select("id").execute()).length).toBe(4);
});
