import { describe, expect, test } from "vitest";

import { resumePdf } from "#tests/support/pictures.ts";
import { idOf, profileForm } from "#tests/support/profiles.ts";
import { createTestApp } from "#tests/support/test-app.ts";

const hour = 3_600_000;
const name = "Ada – Résumé.pdf";

/** Somebody whose profile has a resume; `later` lets time pass. */
async function withResume() {
  let now = Date.now();
  const product = await createTestApp({ clock: () => now });
  const person = await product.signedIn("ada@example.com");
  const id = await idOf(person);
  const file = await resumePdf(name);
  const headers = { origin: product.services.config.baseUrl, "content-type": "application/pdf" };
  const sent = await person.request(`/uploads/resume?name=${encodeURIComponent(name)}`, {
    method: "POST",
    body: new Uint8Array(file.buffer),
    headers,
  });
  expect([sent.status, await sent.json()]).toMatchObject([200, { message: "Resume uploaded successfully" }]);
  return { ...product, person, id, file, headers, later: (by: number) => (now += by) };
}

describe("the address of a resume", () => {
  test("leads everybody to the file, each time by a new address that nobody keeps", async () => {
    const { visitor, id, file } = await withResume();
    const answer = await visitor().get(`/u/${id}/resume`);
    expect(answer.status).toBe(302);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const address = answer.headers.get("location") ?? "";
    expect(address).toMatch(new RegExp(`^/files/resumes/${id}/[^?]+\\?expires=\\d+&signature=`));
    const shown = await visitor().get(address);
    expect(shown.status).toBe(200);
    expect(shown.headers.get("content-type")).toBe("application/pdf");
    expect(shown.headers.get("content-disposition")).toMatch(/^inline/);
    expect(Buffer.from(await shown.arrayBuffer()).equals(file.buffer)).toBe(true);
  });

  test("saves it under its name with ?download", async () => {
    const { visitor, id } = await withResume();
    const address = (await visitor().get(`/u/${id}/resume?download`)).headers.get("location") ?? "";
    const saved = await visitor().get(address);
    expect(await saved.text()).toMatch(/^%PDF-/);
    expect(saved.headers.get("content-disposition")).toMatch(/^attachment/);
    expect(saved.headers.get("content-disposition")).toContain(`filename*=UTF-8''${encodeURIComponent(name)}`);
  });

  test("is good for ever, while what it leads to is good for an hour", async () => {
    const { visitor, id, later } = await withResume();
    const address = (await visitor().get(`/u/${id}/resume`)).headers.get("location") ?? "";
    later(hour + 1_000);
    expect((await visitor().get(address)).status).toBe(403);
    const fresh = (await visitor().get(`/u/${id}/resume`)).headers.get("location") ?? "";
    expect(await (await visitor().get(fresh)).text()).toMatch(/^%PDF-/);
  });

  test("answers HEAD like GET, and goes along with a handle that was changed", async () => {
    const { visitor, person, id } = await withResume();
    const head = await visitor().request(`/u/${id}/resume`, { method: "HEAD" });
    expect([head.status, head.headers.get("location")?.slice(0, 15)]).toEqual([302, "/files/resumes/"]);
    await person.post("/profile", profileForm({ handle: "ada" }));
    expect((await visitor().get("/u/ada/resume")).status).toBe(302);
    const moved = await visitor().get("/u/ADA/resume?download");
    expect([moved.status, moved.headers.get("location")]).toEqual([301, "/u/ada/resume?download="]);
  });

  test("counts nothing", async () => {
    const { visitor, services, id } = await withResume();
    await visitor().get(`/u/${id}/resume`);
    await visitor().get(`/u/${id}/resume?download`);
    await services.counter.flush();
    expect(await services.db.selectFrom("tally").selectAll().execute()).toEqual([]);
  });
});

describe("where there is no resume", () => {
  test("a page says so, and what was wanted", async () => {
    const { visitor, signedIn } = await createTestApp();
    const id = await idOf(await signedIn("ada@example.com"));
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

  test("nor a profile, it is the profile that was not found", async () => {
    const { visitor } = await createTestApp();
    const answer = await visitor().get("/u/nobody/resume");
    expect([answer.status, (await answer.text()).includes("Profile Not Found")]).toEqual([404, true]);
  });

  test("any more, the public page offers none and the old address leads nowhere", async () => {
    const { visitor, person, id, headers } = await withResume();
    const page = async () => (await visitor().get(`/u/${id}`)).text();
    expect(await page()).toContain("Available for download");
    expect(await (await person.get(`/u/${id}`)).text()).toContain("Your resume");
    const address = (await visitor().get(`/u/${id}/resume`)).headers.get("location") ?? "";
    const removed = await person.request("/uploads/resume/remove", { method: "POST", headers });
    expect([removed.status, await removed.json()]).toMatchObject([200, { message: "Resume removed" }]);
    expect(await page()).not.toContain("Available for download");
    expect((await visitor().get(`/u/${id}/resume`)).status).toBe(404);
    expect((await visitor().get(address)).status).toBe(404);
  });
});
