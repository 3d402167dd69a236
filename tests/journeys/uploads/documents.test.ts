import { describe, expect, test } from "vitest";

import { findResume, storeAsset } from "#app/features/uploads/data.server.ts";
import { signedResumeUrl } from "#app/features/uploads/storage/signed-url.server.ts";
import { compoundFile, docx } from "#tests/support/fixtures/binary-files.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import type { TestApp } from "#tests/support/app/test-app.ts";
import { pdf, removeFile, uploadFile } from "#tests/support/app/uploads.ts";

async function openApp() {
  const time = { now: Date.now() };
  const app = await createTestApp({ clock: () => time.now });
  const ada = await app.signedIn();
  await ada.get("/profile");
  const { owner_id } = await app.services.db.selectFrom("profile").select("owner_id").executeTakeFirstOrThrow();
  return { app, ada, id: owner_id, time };
}

async function signedUrl({ services }: TestApp, id: string, isDownload: boolean) {
  const resume = await findResume(services.db, id);
  if (!resume) throw new Error("There is no resume.");
  return signedResumeUrl(services, resume, isDownload);
}

describe("a resume", () => {
  test.each([
    { bytes: () => pdf(), end: "pdf", type: "application/pdf", shown: "inline" },
    {
      bytes: () => docx(),
      end: "docx",
      type: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
      shown: "attachment",
    },
    {
      bytes: () => compoundFile(["WordDocument", "1Table"]),
      end: "doc",
      type: "application/msword",
      shown: "attachment",
    },
  ])(
    "that is a $end is stored unchanged and served with its name at a signed URL",
    async ({ bytes, end, type, shown }) => {
      const { app, ada, id } = await openApp();
      const response = await uploadFile(ada, "resume", { bytes: bytes(), name: "Zoë's CV (2026).exe" });
      expect(response).toEqual({
        status: 200,
        keyPrefix: `resumes/${id}/resume`,
        filename: `Zoës CV (2026).${end}`,
        message: "Resume uploaded successfully",
      });
      for (const isDownload of [false, true]) {
        const response = await app.visitor().get(await signedUrl(app, id, isDownload));
        expect(response.status).toBe(200);
        expect(Buffer.compare(Buffer.from(await response.arrayBuffer()), bytes())).toBe(0);
        expect(response.headers.get("content-type")).toBe(type);
        expect(response.headers.get("content-disposition")).toBe(
          `${isDownload ? "attachment" : shown}; filename="Zoes CV (2026).${end}"; filename*=UTF-8''Zo%C3%ABs%20CV%20%282026%29.${end}`,
        );
        expect(response.headers.get("cache-control")).toBe("private, no-store");
        expect(response.headers.get("x-content-type-options")).toBe("nosniff");
        expect(response.headers.get("x-robots-tag")).toBe("noindex");
      }
    },
  );

  test.each([
    ["../../../etc/passwd", "passwd.pdf"],
    ["..\\..\\boot.ini", "boot.pdf"],
    ["cv.pdf\u0000.html", "cv.pdf"],
    ["cv\u202efdp.exe", "cvfdp.pdf"],
    ['cv"; filename="evil.html', "cv filename=evil.pdf"],
    ["cv\r\nX-Evil: 1.pdf", "cv X-Evil 1.pdf"],
    ["", "resume.pdf"],
    [".htaccess", "htaccess.pdf"],
    ["...", "resume.pdf"],
    ["CON.pdf", "_CON.pdf"],
    ["履歴書.pdf", "履歴書.pdf"],
    ["سيرة ذاتية.pdf", "سيرة ذاتية.pdf"],
    [`${"long".repeat(200)}.pdf`, `${"long".repeat(28)}lo.pdf`],
    ["CV v2.1 final", "CV v2.1 final.pdf"],
  ])("named %j is saved as %j", async (name, saved) => {
    const { app, ada, id } = await openApp();
    expect((await uploadFile(ada, "resume", { bytes: pdf(), name })).filename).toBe(saved);
    const header = (await ada.get(await signedUrl(app, id, true))).headers.get("content-disposition") ?? "";
    expect(header).toMatch(/^attachment; filename="[A-Za-z0-9 ._()+-]+"; filename\*=UTF-8''[A-Za-z0-9%._-]+$/);
    expect(decodeURIComponent(header.split("UTF-8''")[1] ?? "")).toBe(saved);
    expect(Buffer.byteLength(saved)).toBeLessThanOrEqual(120);
  });

  test("is refused at a URL that is unsigned, altered, for another file, or an hour old", async () => {
    const { app, ada, id, time } = await openApp();
    await uploadFile(ada, "resume", { bytes: pdf() });
    const good = await signedUrl(app, id, false);
    const url = new URL(good, "http://localhost:3000");
    const changed = (change: (one: URL) => void) => {
      const other = new URL(url);
      change(other);
      return other.pathname + other.search;
    };
    const expires = Number(url.searchParams.get("expires"));
    expect(expires).toBe(Math.floor(time.now / 1_000) + 3_600);
    const refused = [
      url.pathname,
      changed((one) => one.searchParams.set("expires", String(expires + 1))),
      changed((one) => one.searchParams.append("expires", String(expires))),
      changed((one) => one.searchParams.set("download", "1")),
      changed((one) => one.searchParams.set("download", "0")),
      changed((one) => one.searchParams.delete("signature")),
      changed((one) => one.searchParams.set("signature", "")),
      changed((one) => one.searchParams.set("signature", `${url.searchParams.get("signature")}a`)),
      changed((one) => one.searchParams.set("signature", `A${url.searchParams.get("signature")?.slice(1)}`)),
      changed((one) => (one.pathname = one.pathname.replace(".pdf", ".docx"))),
      changed((one) => (one.pathname = one.pathname.replace(id, crypto.randomUUID()))),
    ];
    // The altered first character may be the original one.
    for (const path of refused.filter((one) => one !== good)) {
      const response = await ada.get(path);
      expect(response.status, path).toBe(403);
      expect(await response.text()).toContain("Go back to the profile and open the file from there.");
      expect(response.headers.get("cache-control")).toBe("no-store");
    }
    time.now += 3_599_000;
    expect((await app.visitor().get(good)).status).toBe(200);
    time.now += 1_000;
    const late = await app.visitor().get(good);
    expect([late.status, await late.text()]).toEqual([403, expect.stringContaining("has expired")]);
  });

  test("can't be fetched after its removal, even at a signed URL", async () => {
    const { app, ada, id } = await openApp();
    await uploadFile(ada, "resume", { bytes: pdf() });
    const path = await signedUrl(app, id, true);
    expect(await removeFile(ada, "resume")).toEqual({ status: 200, message: "Resume removed" });
    const response = await app.visitor().get(path);
    expect([response.status, await response.text()]).toEqual([
      404,
      expect.stringContaining("This file doesn't exist."),
    ]);
  });
});

describe("a PDF resume with active content", () => {
  const active = pdf("", ["<</S/JavaScript/JS(app.alert\\(1\\))>>"]);

  test("is stored, and only served as a download", async () => {
    const { app, ada, id } = await openApp();
    expect(await uploadFile(ada, "resume", { bytes: active, name: "cv.pdf" })).toMatchObject({ status: 200 });
    for (const isDownload of [false, true]) {
      const response = await app.visitor().get(await signedUrl(app, id, isDownload));
      expect(response.headers.get("content-disposition")).toMatch(/^attachment; /);
      expect(Buffer.compare(Buffer.from(await response.arrayBuffer()), active)).toBe(0);
    }
  });

  test("is never displayed while it replaces a passive one, nor after its upload fails", async () => {
    const { app, ada, id } = await openApp();
    await uploadFile(ada, "resume", { bytes: pdf(), name: "cv.pdf" });
    const disposition = async () => {
      const response = await app.visitor().get(await signedUrl(app, id, false));
      await response.body?.cancel();
      return response.headers.get("content-disposition");
    };
    expect(await disposition()).toMatch(/^inline; /);
    const seen: unknown[] = [];
    const files = {
      ...app.services.files,
      put: async (...put: Parameters<typeof app.services.files.put>) => {
        await app.services.files.put(...put);
        seen.push(await disposition());
        throw new Error("the store is down");
      },
    };
    const failed = storeAsset({ ...app.services, files }, { ownerId: id, slot: "resume", upload: active });
    await expect(failed).rejects.toThrow("the store is down");
    seen.push(await disposition());
    expect(seen).toEqual(Array(2).fill(expect.stringMatching(/^attachment; /)));
  });

  test.each([
    { content: "active", bytes: active, disposition: /^attachment; / },
    { content: "passive", bytes: pdf(), disposition: /^inline; / },
  ])("is inspected when it was stored before PDFs were: $content", async ({ bytes, disposition }) => {
    const { app, ada, id } = await openApp();
    await uploadFile(ada, "resume", { bytes, name: "cv.pdf" });
    const { db } = app.services;
    const { files } = await db.selectFrom("asset").select("files").executeTakeFirstOrThrow();
    await db
      .updateTable("asset")
      .set({ files: files.replace(/,"isPassive":\w+/, "") })
      .execute();
    for (let times = 0; times < 2; times++) {
      const response = await ada.get(await signedUrl(app, id, false));
      expect(response.headers.get("content-disposition")).toMatch(disposition);
    }
    expect((await db.selectFrom("asset").select("files").executeTakeFirstOrThrow()).files).toBe(files);
  });
});

test("serves nothing else from the store, and nothing outside it", async () => {
  const { app, ada, id } = await openApp();
  await uploadFile(ada, "resume", { bytes: pdf() });
  await app.services.files.put("store-id", Buffer.from("our own mark"), "text/plain");
  await app.services.files.put(`avatars/${id}/avatar_1.html`, Buffer.from("a stranger's page"), "text/html");
  for (const path of [
    "",
    "store-id",
    ".drafts",
    "avatars",
    `avatars/${id}`,
    `avatars/${id}/avatar_1.html`,
    `avatars/${id}/avatar_1.webp`,
    `resumes/${id}`,
    `resumes/${id}/resume`,
    `avatars/../resumes/${id}/resume.pdf`,
    `avatars/%2e%2e/resumes/${id}/resume.pdf`,
    `avatars/..%2f..%2fsecrets.json`,
    "../secrets.json",
    "..%2fsecrets.json",
    "%2fetc%2fpasswd",
    "/etc/passwd",
    "avatars/a%00.webp",
    `avatars/${"a".repeat(5_000)}/avatar_1.jpg`,
  ]) {
    const response = await ada.get(`/files/${path}`);
    expect([403, 404], path).toContain(response.status);
    expect(await response.text(), path).not.toMatch(/our own mark|stranger|%PDF|"auth"|root:/);
  }
});
