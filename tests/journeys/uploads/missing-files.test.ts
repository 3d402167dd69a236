import { expect, test } from "vitest";

import { makeCard } from "#tests/support/app/cards.ts";
import { userIdOf } from "#tests/support/app/profiles.ts";
import { readElements, visibleText } from "#tests/support/app/responses.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { pdf, uploadFile } from "#tests/support/app/uploads.ts";

/** What browsers send for a page and for an image inside a page. */
const asPage = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8" };
const asImage = { accept: "image/avif,image/webp,*/*;q=0.8" };

test("an image that is missing is a page for a browser that opens it, and a short text inside a page", async () => {
  const { visitor } = await createTestApp();
  const path = "/files/avatars/ada/avatar_1790000000000.jpg?v=mubbs7i8";
  const opened = await visitor().get(path, asPage);
  expect([opened.status, opened.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
  const page = visibleText(await opened.text());
  for (const text of ["File not found", "Go to the home page"]) expect(page).toContain(text);
  const embedded = await visitor().get(path, asImage);
  expect([embedded.status, embedded.headers.get("content-type")]).toEqual([404, "text/plain; charset=UTF-8"]);
});

test("a resume that is missing, or whose link has expired, is a page that leads back to the profile", async () => {
  const time = { now: Date.UTC(2026, 10, 24, 8) };
  const { signedIn, visitor, services } = await createTestApp({ clock: () => time.now });
  const owner = await signedIn();
  const id = await userIdOf(owner);
  await uploadFile(owner, "resume", { bytes: pdf(), name: "cv.pdf" });
  const url = (await visitor().get(`/u/${id}/resume`)).headers.get("location") ?? "";
  const download = (await visitor().get(`/u/${id}/resume?download`)).headers.get("location") ?? "";
  expect((await visitor().get(url, asPage)).headers.get("content-type")).toBe("application/pdf");
  const open = async (path: string) => {
    const response = await visitor().get(path, asPage);
    const page = await response.text();
    expect(page).toContain(`href="/u/${id}"`);
    if (page.includes("Download failed")) expect(page).toContain("Download failed with status: 404");
    return [response.status, readElements(page).find(({ tag }) => tag === "h1")?.text];
  };
  expect(await open(url.replace(/signature=.*/, ""))).toEqual([403, "This link is incomplete"]);
  for await (const { path } of services.files.list("")) await services.files.remove(path);
  expect(await open(url)).toEqual([404, "File not found"]);
  expect(await open(download)).toEqual([404, "Failed to download resume"]);
  time.now += 3_600_000;
  expect(await open(url)).toEqual([403, "This link has expired"]);
});

test("the contact file of a card that became private leads a browser to a page that says so", async () => {
  const { signedIn, visitor } = await createTestApp();
  const owner = await signedIn();
  const card = await makeCard(owner);
  await owner.post(`/cards/${card}/pause`, { pause: "on" });
  const response = await visitor().get(`/card/${card}/contact.vcf`, asPage);
  expect([response.status, response.headers.get("location")]).toEqual([302, `/card/${card}`]);
  const page = await visitor().get(`/card/${card}`, asPage);
  expect([page.status, await page.text()]).toEqual([404, expect.stringContaining("Card Not Found")]);
  expect((await visitor().get(`/card/${card}/contact.vcf`)).status).toBe(404);
});
