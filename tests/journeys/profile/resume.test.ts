import { describe, expect, test } from "vitest";

import { resumePdf } from "#tests/support/fixtures/images.ts";
import { userIdOf, profileForm } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

const hour = 3_600_000;
const name = "Ada – Résumé.pdf";

/** A profile with a resume; `advanceClock` lets time pass. */
async function withResume() {
  let now = Date.now();
  const app = await createTestApp({ clock: () => now });
  const owner = await app.signedIn("ada@example.com");
  const id = await userIdOf(owner);
  const file = await resumePdf(name);
  const headers = { origin: app.services.config.baseUrl, "content-type": "application/pdf" };
  const sent = await owner.request(`/uploads/resume?name=${encodeURIComponent(name)}`, {
    method: "POST",
    body: new Uint8Array(file.buffer),
    headers,
  });
  expect([sent.status, await sent.json()]).toMatchObject([200, { message: "Resume uploaded successfully" }]);
  return { ...app, owner, id, file, headers, advanceClock: (milliseconds: number) => (now += milliseconds) };
}

describe("the URL of a resume", () => {
  test("redirects any visitor to a freshly signed URL that is not cached", async () => {
    const { visitor, id, file } = await withResume();
    const response = await visitor().get(`/u/${id}/resume`);
    expect(response.status).toBe(302);
    expect(response.headers.get("cache-control")).toBe("no-store");
    const signedUrl = response.headers.get("location") ?? "";
    expect(signedUrl).toMatch(new RegExp(`^/files/resumes/${id}/[^?]+\\?expires=\\d+&signature=`));
    const shown = await visitor().get(signedUrl);
    expect(shown.status).toBe(200);
    expect(shown.headers.get("content-type")).toBe("application/pdf");
    expect(shown.headers.get("content-disposition")).toMatch(/^inline/);
    expect(Buffer.from(await shown.arrayBuffer()).equals(file.buffer)).toBe(true);
  });

  test("downloads the file under its name with ?download", async () => {
    const { visitor, id } = await withResume();
    const signedUrl = (await visitor().get(`/u/${id}/resume?download`)).headers.get("location") ?? "";
    const saved = await visitor().get(signedUrl);
    expect(await saved.text()).toMatch(/^%PDF-/);
    expect(saved.headers.get("content-disposition")).toMatch(/^attachment/);
    expect(saved.headers.get("content-disposition")).toContain(`filename*=UTF-8''${encodeURIComponent(name)}`);
  });

  test("is permanent, while the signed URL expires after an hour", async () => {
    const { visitor, id, advanceClock } = await withResume();
    const signedUrl = (await visitor().get(`/u/${id}/resume`)).headers.get("location") ?? "";
    advanceClock(hour + 1_000);
    expect((await visitor().get(signedUrl)).status).toBe(403);
    const fresh = (await visitor().get(`/u/${id}/resume`)).headers.get("location") ?? "";
    expect(await (await visitor().get(fresh)).text()).toMatch(/^%PDF-/);
  });

  test("responds to HEAD like GET and follows a changed handle", async () => {
    const { visitor, owner, id } = await withResume();
    const head = await visitor().request(`/u/${id}/resume`, { method: "HEAD" });
    expect([head.status, head.headers.get("location")?.slice(0, 15)]).toEqual([302, "/files/resumes/"]);
    await owner.post("/profile", profileForm({ handle: "ada" }));
    expect((await visitor().get("/u/ada/resume")).status).toBe(302);
    const moved = await visitor().get("/u/ADA/resume?download");
    expect([moved.status, moved.headers.get("location")]).toEqual([301, "/u/ada/resume?download="]);
  });

  test("is not counted as a visit", async () => {
    const { visitor, services, id } = await withResume();
    await visitor().get(`/u/${id}/resume`);
    await visitor().get(`/u/${id}/resume?download`);
    await services.counter.flush();
    expect(await services.db.selectFrom("hourly_count").selectAll().execute()).toEqual([]);
  });
});

describe("without a resume", () => {
  test("a page says what is missing", async () => {
    const { visitor, signedIn } = await createTestApp();
    const id = await userIdOf(await signedIn("ada@example.com"));
    const view = await visitor().get(`/u/${id}/resume`);
    expect(view.status).toBe(404);
    const page = await view.text();
    expect(page).toContain("Failed to view resume");
    expect(page).toContain(`href="http://localhost:3000/u/${id}"`);
    const download = await visitor().get(`/u/${id}/resume?download`);
    expect(download.status).toBe(404);
    const failed = await download.text();
    expect(failed).toContain("Failed to download resume");
    expect(failed).toContain("Download failed with status: 404");
    expect(failed).not.toMatch(/<script type="module" src/);
  });

  test("and without a profile, the profile is reported as missing", async () => {
    const { visitor } = await createTestApp();
    const response = await visitor().get("/u/nobody/resume");
    expect([response.status, (await response.text()).includes("Profile Not Found")]).toEqual([404, true]);
  });

  test("after its removal, the public page has no resume and the old URL returns 404", async () => {
    const { visitor, owner, id, headers } = await withResume();
    const page = async () => (await visitor().get(`/u/${id}`)).text();
    expect(await page()).toContain("Available for download");
    expect(await (await owner.get(`/u/${id}`)).text()).toContain("Your resume");
    const signedUrl = (await visitor().get(`/u/${id}/resume`)).headers.get("location") ?? "";
    const removed = await owner.request("/uploads/resume/remove", { method: "POST", headers });
    expect([removed.status, await removed.json()]).toMatchObject([200, { message: "Resume removed" }]);
    expect(await page()).not.toContain("Available for download");
    expect((await visitor().get(`/u/${id}/resume`)).status).toBe(404);
    expect((await visitor().get(signedUrl)).status).toBe(404);
  });
});
