import { describe, expect, test } from "vitest";

import { features } from "#server/features.ts";
import { runMaintenance } from "#server/maintenance.ts";
import { toastIn } from "#tests/support/app/responses.ts";
import { createSignedInApp } from "#tests/support/app/test-app.ts";
import type { TestApp } from "#tests/support/app/test-app.ts";
import { pdf, uploadFile } from "#tests/support/app/uploads.ts";
import { proveAgo } from "#tests/support/database/account-rows.ts";
import { exportData, unpack } from "#tests/support/fixtures/archives.ts";

const page = "/account/export";
const download = "/account/export/download";
const hour = 3_600_000;

const exportJobs = ({ db }: TestApp["services"]) =>
  db.selectFrom("job").select("id").where("kind", "=", "export-data").execute();

describe("exporting", () => {
  test("shows the progress, then the download, and mails the owner without the file", async () => {
    const { ada, services, mails } = await createSignedInApp();
    expect(await (await ada.get(page)).text()).toContain("Prepare download");
    for (const path of ["/account", "/account/delete"])
      expect(await (await ada.get(path)).text()).toContain(`href="${page}"`);
    await ada.post(page, {});
    const running = await (await ada.get(page)).text();
    expect(running).toMatch(/Preparing your data[^]*<noscript><a [^>]*href="\/account\/export"/);
    expect(running).not.toContain(download);
    expect(await (await ada.get(`${page}/progress`)).json()).toEqual({ isRunning: true, done: 0, total: 0 });
    await services.jobs.runDue();
    expect(await (await ada.get(`${page}/progress`)).json()).toMatchObject({ isRunning: false });
    const ready = await (await ada.get(page)).text();
    expect(ready).toContain("Your data is ready");
    expect(ready).toContain(`href="${download}"`);
    const sent = (await mails()).filter(({ subject }) => subject === "Your data is ready to download");
    expect(sent.map(({ to }) => to)).toEqual([ada.email]);
    expect(sent[0]?.text).toContain("http://localhost:3000/account/export\n");
    const file = await ada.get(download);
    expect(file.headers.get("cache-control")).toBe("no-store");
    expect(file.headers.get("content-type")).toBe("application/zip");
    expect(file.headers.get("content-disposition")).toMatch(/^attachment; filename="meishi-[\d-]{10}\.zip"/);
    expect(file.headers.get("content-length")).toBe(String((await file.arrayBuffer()).byteLength));
  });

  test("runs one at a time, three times a day", async () => {
    let now = Date.now();
    const { ada, services } = await createSignedInApp({ clock: () => now });
    await ada.get("/profile");
    for (let count = 0; count < 3; count++) {
      const answers = await Promise.all(Array.from({ length: 5 }, () => ada.post(page, {})));
      expect(answers.map(({ status }) => status)).toEqual([302, 302, 302, 302, 302]);
      expect(await exportJobs(services)).toHaveLength(1);
      await services.jobs.runDue();
      now += hour;
    }
    const refused = await ada.post(page, {});
    expect(refused.status).toBe(429);
    expect(await refused.text()).toContain("You can prepare it again in 21 hours.");
    expect((await ada.get(download)).status).toBe(200);
    now += 21 * hour;
    expect((await ada.post(page, {})).status).toBe(302);
  });

  test("is refused to visitors, other accounts, other sites, and owners who haven't proved recently who they are", async () => {
    const { ada, signedIn, visitor, services } = await createSignedInApp();
    await ada.post(page, {});
    await services.jobs.runDue();
    for (const path of [page, download, `${page}/progress`])
      expect((await visitor().get(path)).headers.get("location")).toBe(`/auth?returnTo=${encodeURIComponent(path)}`);
    const bob = await signedIn("bob@example.com");
    const none = await bob.get(download);
    expect(none.headers.get("location")).toBe(page);
    expect(toastIn(none)).toMatchObject({ title: "The download has expired" });
    expect((await ada.post(page, {}, { origin: "https://evil.example" })).status).toBe(403);
    await proveAgo(services, 11);
    for (const response of [await ada.get(page), await ada.get(download), await ada.post(page, {})])
      expect(response.headers.get("location")).toBe("/account/verify?returnTo=%2Faccount%2Fexport");
    expect(await services.db.selectFrom("data_export").select("state").execute()).toEqual([{ state: "ready" }]);
  });
});

describe("the file of an export", () => {
  async function listExports({ files }: TestApp["services"]) {
    const found: string[] = [];
    for await (const { path } of files.list("exports/")) found.push(path);
    return found;
  }

  test("replaces the one before, and is deleted after 24 hours, from when it can't be downloaded", async () => {
    let now = Date.now();
    const { ada, services } = await createSignedInApp({ clock: () => now });
    await exportData(ada, services);
    const [first] = await listExports(services);
    await exportData(ada, services);
    const files = await listExports(services);
    expect([files.length, files.includes(first ?? "")]).toEqual([1, false]);
    now += 24 * hour - 1;
    await runMaintenance(features, services);
    expect((await ada.get(download)).status).toBe(200);
    now += 1;
    expect((await ada.get(download)).headers.get("location")).toBe(page);
    await runMaintenance(features, services);
    await services.jobs.runDue();
    expect(await listExports(services)).toEqual([]);
    expect(await (await ada.get(page)).text()).toContain("Prepare download");
  });

  test("doesn't outlive an account that is deleted while it is prepared", async () => {
    const { ada, services } = await createSignedInApp();
    await ada.post(page, {});
    const { db, files, jobs } = services;
    const { put } = files;
    const deletion = Promise.withResolvers<void>();
    services.files.put = async (...input) => {
      await put(...input);
      await ada.post("/account/delete", { intent: "delete", confirm: "DELETE" });
      deletion.resolve();
    };
    await jobs.runDue();
    await deletion.promise;
    await jobs.runDue();
    expect(await db.selectFrom("data_export").selectAll().execute()).toEqual([]);
    expect(await listExports(services)).toEqual([]);
  });
});

describe("an export whose job fails", () => {
  test("is tried three times, then offered again without counting", async () => {
    let now = Date.now();
    const { ada, services, mails } = await createSignedInApp({ clock: () => now });
    const { put } = services.files;
    services.files.put = async () => {
      throw new Error("the store is down");
    };
    for (let round = 0; round < 2; round++) {
      await ada.post(page, {});
      for (let tries = 0; tries < 3; tries++) {
        expect(await (await ada.get(page)).text()).toContain("Preparing your data");
        await services.jobs.runDue();
        now += 2 * 60_000;
      }
      const html = await (await ada.get(page)).text();
      expect(html).toContain("Your data couldn’t be prepared");
      expect(html).toContain("Try again");
    }
    expect(await exportJobs(services)).toEqual([]);
    services.files.put = put;
    for (let count = 0; count < 3; count++) await exportData(ada, services);
    expect((await mails()).filter(({ subject }) => subject.includes("ready"))).toHaveLength(3);
  });

  test("starts again after its process was killed, and is finished and mailed once", async () => {
    let now = Date.now();
    const { ada, services, mails } = await createSignedInApp({ clock: () => now });
    await ada.post(page, {});
    const { db, jobs } = services;
    // As kill -9 leaves it: claimed, with some files done.
    const change = { leased_until: now + 120_000, tries: 1 };
    await db.updateTable("job").set(change).where("kind", "=", "export-data").execute();
    await db.updateTable("data_export").set({ tries: 1, files_done: 1, files_total: 2 }).execute();
    await jobs.runDue();
    expect(await (await ada.get(page)).text()).toContain("1 of 2 files");
    now += 120_001;
    await jobs.runDue();
    const { owner_id: ownerId, id } = await db
      .selectFrom("data_export")
      .select(["owner_id", "id"])
      .executeTakeFirstOrThrow();
    // The job runs at least once.
    await jobs.enqueue(db, "export-data", { ownerId, id });
    await jobs.runDue();
    await unpack(await ada.get(download));
    expect((await mails()).filter(({ subject }) => subject.includes("ready"))).toHaveLength(1);
  });

  test("leaves out a file that is missing in the store, and says so", async () => {
    const { ada, services } = await createSignedInApp();
    await ada.get("/profile");
    expect(await uploadFile(ada, "resume", { bytes: pdf(), name: "cv.pdf" })).toMatchObject({ status: 200 });
    for await (const { path } of services.files.list("resumes/")) await services.files.remove(path);
    const archive = await exportData(ada, services);
    expect(archive.names).not.toContain("resume/cv.pdf");
    expect(archive.text("README.txt")).toContain("resume/cv.pdf");
  });
});
