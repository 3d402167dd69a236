import { describe, expect, test } from "vitest";

import { findResume, storeAsset } from "#app/features/uploads/data.server.ts";
import { signedResumeUrl } from "#app/features/uploads/storage/signed-url.server.ts";
import { textWith } from "#tests/support/app/responses.ts";
import { compoundFile, docx } from "#tests/support/fixtures/binary-files.ts";
import { userIdOf } from "#tests/support/app/profiles.ts";
import { createSignedInApp } from "#tests/support/app/test-app.ts";
import type { TestApp } from "#tests/support/app/test-app.ts";
import { pdf, uploadFile } from "#tests/support/app/uploads.ts";

async function openApp() {
  const time = { now: Date.now() };
  const { ada, ...app } = await createSignedInApp({ clock: () => time.now });
  return { app, ada, id: await userIdOf(ada), time };
}

async function signedUrl({ services }: TestApp, id: string, isDownload: boolean) {
  const resume = await findResume(services.db, id);
  if (!resume) throw new Error("There is no resume.");
  return signedResumeUrl(services, resume, isDownload);
}

describe("a resume", () => {
  const word = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
  test.each([
    ["pdf", "application/pdf", "inline", pdf()],
    ["docx", word, "attachment", docx()],
    ["doc", "application/msword", "attachment", compoundFile(["WordDocument", "1Table"])],
  ])(
    "that is a %s is stored unchanged and served with its name at a signed URL",
    async (...[end, type, shown, bytes]) => {
      const { app, ada, id } = await openApp();
      expect(await uploadFile(ada, "resume", { bytes, name: "Zoë's CV (2026).exe" })).toEqual({
        status: 200,
        keyPrefix: `resumes/${id}/resume`,
        filename: `Zoës CV (2026).${end}`,
        message: "Resume uploaded successfully",
      });
      const names = `filename="Zoes CV (2026).${end}"; filename*=UTF-8''Zo%C3%ABs%20CV%20%282026%29.${end}`;
      for (const isDownload of [false, true]) {
        const response = await app.visitor().get(await signedUrl(app, id, isDownload));
        expect(response.status).toBe(200);
        expect(Buffer.compare(Buffer.from(await response.arrayBuffer()), bytes)).toBe(0);
        expect(Object.fromEntries(response.headers)).toMatchObject({
          "content-type": type,
          "content-disposition": `${isDownload ? "attachment" : shown}; ${names}`,
          "cache-control": "private, no-store",
          "x-content-type-options": "nosniff",
          "x-robots-tag": "noindex",
        });
      }
    },
  );

  test("is saved under the last part of its name, with the extension of its content", async () => {
    const { app, ada, id } = await openApp();
    for (const [name, saved] of [
      ["..\\..\\boot.ini", "boot.pdf"],
      ["cv.pdf\u0000.html", "cv.pdf"],
      ["cv\r\nX-Evil: 1.pdf", "cv X-Evil 1.pdf"],
      ["", "resume.pdf"],
      ["履歴書.pdf", "履歴書.pdf"],
      ["CV v2.1 final", "CV v2.1 final.pdf"],
    ] as const) {
      expect((await uploadFile(ada, "resume", { bytes: pdf(), name })).filename).toBe(saved);
      const header = (await ada.get(await signedUrl(app, id, true))).headers.get("content-disposition") ?? "";
      expect(decodeURIComponent(header.split("UTF-8''")[1] ?? "")).toBe(saved);
    }
  });

  test("is refused at a URL that is unsigned, altered, for another file, or an hour old", async () => {
    const { app, ada, id, time } = await openApp();
    await uploadFile(ada, "resume", { bytes: pdf() });
    const good = await signedUrl(app, id, false);
    const url = new URL(good, "http://localhost:3000");
    const expires = Number(url.searchParams.get("expires"));
    expect(expires).toBe(Math.floor(time.now / 1_000) + 3_600);
    const refused = [
      url.pathname,
      good.replace(`expires=${expires}`, `expires=${expires + 1}`),
      `${good}&expires=${expires}`,
      `${good}&download=1`,
      good.replace(/&signature=.*/, ""),
      good.replace(/signature=.*/, "signature="),
      `${good}a`,
      good.replace("signature=", "signature=A"),
      good.replace(".pdf", ".docx"),
      good.replace(id, crypto.randomUUID()),
    ];
    for (const path of refused) {
      const response = await ada.get(path);
      expect(await textWith(403, response, path)).toContain("Go back to the profile and open the file from there.");
      expect(response.headers.get("cache-control")).toBe("no-store");
    }
    time.now += 3_599_000;
    expect((await app.visitor().get(good)).status).toBe(200);
    time.now += 1_000;
    const late = await app.visitor().get(good);
    expect([late.status, await late.text()]).toEqual([403, expect.stringContaining("has expired")]);
  });
});

describe("a PDF resume with active content", () => {
  const active = pdf("", ["<</S/JavaScript/JS(app.alert\\(1\\))>>"]);

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
    ["active", active, /^attachment; /],
    ["passive", pdf(), /^inline; /],
  ])(
    "is served as a download if it is %s, also when it was stored before PDFs were inspected",
    async (_, bytes, disposition) => {
      const { app, ada, id } = await openApp();
      await uploadFile(ada, "resume", { bytes, name: "cv.pdf" });
      const open = async () => (await ada.get(await signedUrl(app, id, false))).headers.get("content-disposition");
      expect(await open()).toMatch(disposition);
      const { db } = app.services;
      const { files } = await db.selectFrom("asset").select("files").executeTakeFirstOrThrow();
      const change = { files: files.replace(/,"isPassive":\w+/, "") };
      await db.updateTable("asset").set(change).execute();
      for (let times = 0; times < 2; times++) expect(await open()).toMatch(disposition);
      expect((await db.selectFrom("asset").select("files").executeTakeFirstOrThrow()).files).toBe(files);
    },
  );
});

test("serves nothing else from the store, and nothing outside it", async () => {
  const { app, ada, id } = await openApp();
  await uploadFile(ada, "resume", { bytes: pdf() });
  await app.services.files.put("store-id", Buffer.from("our own mark"), "text/plain");
  await app.services.files.put(`avatars/${id}/avatar_1.html`, Buffer.from("a stranger's page"), "text/html");
  const unknown = ["", "store-id", ".drafts", `avatars/${id}`, `avatars/${id}/avatar_1.html`, `resumes/${id}/resume`];
  const outside = ["../secrets.json", "..%2fsecrets.json", "avatars/..%2f..%2fsecrets.json", "%2fetc%2fpasswd"];
  const odd = ["avatars/a%00.webp", `avatars/${"a".repeat(5_000)}/avatar_1.jpg`];
  const resumes = [`avatars/../resumes/${id}/resume.pdf`, `avatars/%2e%2e/resumes/${id}/resume.pdf`];
  for (const path of [...unknown, ...outside, ...odd, ...resumes]) {
    const response = await ada.get(`/files/${path}`);
    expect([403, 404], path).toContain(response.status);
    expect(await response.text(), path).not.toMatch(/our own mark|stranger|%PDF|"auth"|root:/);
  }
});
