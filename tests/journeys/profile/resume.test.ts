import { describe, expect, test } from "vitest";

import { resumePdf } from "#tests/support/fixtures/images.ts";
import { userIdOf } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { removeFile, uploadFile } from "#tests/support/app/uploads.ts";

const hour = 3_600_000;
const name = "Ada – Résumé.pdf";

/** A profile with a resume; `advanceClock` lets time pass. */
async function withResume() {
  let now = Date.now();
  const app = await createTestApp({ clock: () => now });
  const owner = await app.signedIn("ada@example.com");
  const id = await userIdOf(owner);
  const file = await resumePdf(name);
  const sent = await uploadFile(owner, "resume", { bytes: file.buffer, name });
  expect(sent).toMatchObject({ status: 200, message: "Resume uploaded successfully" });
  return { ...app, owner, id, file, advanceClock: (milliseconds: number) => (now += milliseconds) };
}

describe("the URL of a resume", () => {
  test("redirects any visitor to a freshly signed URL, is not cached, and isn't counted as a visit", async () => {
    const { visitor, services, id, file, advanceClock } = await withResume();
    const response = await visitor().get(`/u/${id}/resume`);
    expect([response.status, response.headers.get("cache-control")]).toEqual([302, "no-store"]);
    const signedUrl = response.headers.get("location") ?? "";
    expect(signedUrl).toMatch(new RegExp(`^/files/resumes/${id}/[^?]+\\?expires=\\d+&signature=`));
    const shown = await visitor().get(signedUrl);
    expect([shown.status, shown.headers.get("content-type")]).toEqual([200, "application/pdf"]);
    expect(shown.headers.get("content-disposition")).toMatch(/^inline/);
    expect(Buffer.from(await shown.arrayBuffer()).equals(file.buffer)).toBe(true);

    const download = (await visitor().get(`/u/${id}/resume?download`)).headers.get("location") ?? "";
    const disposition = (await visitor().get(download)).headers.get("content-disposition");
    expect(disposition).toMatch(/^attachment/);
    expect(disposition).toContain(`filename*=UTF-8''${encodeURIComponent(name)}`);

    advanceClock(hour + 1_000);
    const fresh = (await visitor().get(`/u/${id}/resume`)).headers.get("location") ?? "";
    expect(await (await visitor().get(fresh)).text()).toMatch(/^%PDF-/);
    await services.counter.flush();
    expect(await services.db.selectFrom("hourly_count").selectAll().execute()).toEqual([]);
  });

  test("responds to HEAD like GET", async () => {
    const { visitor, id } = await withResume();
    const head = await visitor().request(`/u/${id}/resume`, { method: "HEAD" });
    expect([head.status, head.headers.get("location")?.slice(0, 15)]).toEqual([302, "/files/resumes/"]);
  });
});

describe("without a resume", () => {
  test("a page says what is missing", async () => {
    const { visitor, signedIn } = await createTestApp();
    const id = await userIdOf(await signedIn("ada@example.com"));
    const open = async (path: string) => {
      const response = await visitor().get(path);
      return { status: response.status, page: await response.text() };
    };
    const view = await open(`/u/${id}/resume`);
    expect(view).toEqual({ status: 404, page: expect.stringContaining("Failed to view resume") });
    expect(view.page).toContain(`href="http://localhost:3000/u/${id}"`);
    const download = await open(`/u/${id}/resume?download`);
    expect(download).toEqual({ status: 404, page: expect.stringContaining("Failed to download resume") });
    expect(download.page).toContain("Download failed with status: 404");
    expect(download.page).not.toMatch(/<script type="module" src/);
    const unknown = { status: 404, page: expect.stringContaining("Profile Not Found") };
    expect(await open("/u/nobody/resume")).toEqual(unknown);
  });

  test("after its removal, the public page has no resume and the old URL returns 404", async () => {
    const { visitor, owner, id } = await withResume();
    const page = async () => (await visitor().get(`/u/${id}`)).text();
    expect(await page()).toContain("Available for download");
    expect(await (await owner.get(`/u/${id}`)).text()).toContain("Your resume");
    const signedUrl = (await visitor().get(`/u/${id}/resume`)).headers.get("location") ?? "";
    expect(await removeFile(owner, "resume")).toMatchObject({ status: 200, message: "Resume removed" });
    expect(await page()).not.toContain("Available for download");
    expect((await visitor().get(`/u/${id}/resume`)).status).toBe(404);
    expect((await visitor().get(signedUrl)).status).toBe(404);
  });
});
