import { expect, test } from "vitest";
import { z } from "zod";

import { createTestApp } from "#tests/support/app/test-app.ts";
import { callFunction } from "#tests/support/app/visitor.ts";

const listed = z.object({
  images: z.array(
    z.object({ id: z.string(), description: z.string(), urls: z.object({ raw: z.url(), small: z.url() }) }),
  ),
});

test("get-default-images lists our backgrounds, whose addresses are images", async () => {
  const product = await createTestApp();
  const ada = await product.signedIn();
  const { status, body } = await callFunction(ada, "get-default-images");
  expect(status).toBe(200);
  const { images } = listed.parse(body);
  expect(images.length).toBeGreaterThanOrEqual(24);
  for (const url of Object.values(images[0]?.urls ?? {})) {
    const response = await product.visitor().request(url);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("image/jpeg");
    expect(response.headers.get("cache-control")).toContain("public");
    const etag = response.headers.get("etag") ?? "";
    const again = await product.visitor().request(url, { headers: { "if-none-match": etag } });
    expect(again.status).toBe(304);
  }
});

test("there is no other background, and a tinted one only for signed-in users", async () => {
  const { signedIn, visitor } = await createTestApp();
  const names = ["nothing.jpg", "washi.png", "washi", "..%2fwashi.jpg", "washi-small-small.jpg", "washi.jpg?tint=red"];
  const tinted = "washi.jpg?tint=3a5f8c";
  for (const name of [...names, tinted]) expect((await visitor().get(`/pass-images/${name}`)).status, name).toBe(404);
  const ada = await signedIn();
  expect((await ada.get(`/pass-images/${tinted}`)).headers.get("content-type")).toBe("image/jpeg");
});
