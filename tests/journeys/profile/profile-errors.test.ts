import * as fc from "fast-check";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";

import { findProfile } from "#app/features/profile/data.server.ts";
import { processorTime } from "#tests/support/measurements.ts";
import { userIdOf, profileForm } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

async function openEditor() {
  const app = await createTestApp();
  const owner = await app.signedIn("ada@example.com");
  const id = await userIdOf(owner);
  return { ...app, db: app.services.db, owner, id };
}

describe("bad input", () => {
  test("rejects a body that isn't our form and changes nothing", async () => {
    const { owner, db, id } = await openEditor();
    const origin = "http://localhost:3000";
    const send = async (body: string | FormData, type?: string) => {
      const headers = { origin, ...(type && { "content-type": type }) };
      return (await owner.request("/profile", { method: "POST", body, headers })).status;
    };
    const withFile = new FormData();
    for (const [name, value] of Object.entries(profileForm())) withFile.set(name, value);
    withFile.set("bio", new File(["x"], "bio.txt"));
    expect(await send('{"displayName":"Eve"}', "application/json")).toBe(400);
    expect(await send("displayName", "text/plain")).toBe(400);
    expect(await send("--x\r\nbroken", "multipart/form-data; boundary=x")).toBe(400);
    expect(await send("displayName=Eve", "application/x-www-form-urlencoded")).toBe(400);
    expect(await send(withFile)).toBe(400);
    for (const version of ["", "0", "-1", "abc", "1e9", "99999999999999999999"]) {
      expect((await owner.post("/profile", profileForm({ version }))).status).toBe(400);
    }
    expect(await findProfile(db, id)).toMatchObject({ displayName: "ada", version: 1 });
  });

  test("ignores unknown fields", async () => {
    const { owner, signedIn, db, id } = await openEditor();
    const eve = await signedIn("eve@example.com");
    const eveId = await userIdOf(eve);
    await eve.post(
      "/profile",
      profileForm({ owner_id: id, ownerId: id, id, plan: "premium", is_sample: "1", cards_owned: "0" }),
    );
    expect(await findProfile(db, id)).toMatchObject({ displayName: "ada", version: 1 });
    expect(await findProfile(db, eveId)).toMatchObject({ displayName: "Ada Lovelace", isSample: false });
    expect((await owner.get("/profile")).status).toBe(200);
  });

  test("rejects a cross-site post", async () => {
    const { owner, db, id } = await openEditor();
    const response = await owner.post("/profile", profileForm(), { origin: "https://evil.example" });
    expect(response.status).toBe(403);
    expect((await findProfile(db, id))?.version).toBe(1);
  });

  test("rejects a megabyte in a field within a second and returns it as typed", async () => {
    const { owner } = await openEditor();
    const megabyte = "x".repeat(1_000_000);
    for (const field of ["displayName", "bio", "handle", "links.0.label", "links.0.url", "links.0.utmSource"]) {
      const response = await owner.post(
        "/profile",
        profileForm({ [field]: megabyte }, [{ label: "a", url: "b.example" }]),
      );
      expect(response.status).toBe(422);
      const page = await response.text();
      expect(page).toContain(megabyte);
      expect(page.match(/aria-invalid="true"/g)).toHaveLength(1);
    }
    // Unicode normalization of a letter with half a million accents takes a minute.
    const accents = profileForm({ bio: `a${"\u0301\u0316".repeat(150_000)}` });
    const { answer: response, seconds } = await processorTime(() => owner.post("/profile", accents));
    expect(response.status).toBe(422);
    expect(seconds).toBeLessThan(3);
  });

  test("rejects a body over the limit before reading it", async () => {
    const { owner } = await openEditor();
    expect((await owner.post("/profile", profileForm({ bio: "x".repeat(2_100_000) }))).status).toBe(413);
  });

  test("saves emoji and right-to-left text, without NUL and line breaks in names", async () => {
    const { owner, visitor, db, id } = await openEditor();
    const form = profileForm({ displayName: "فاطمة 👩‍🚀\r\nBcc: x\u0000", bio: "a\u0000b\r\nc" }, [
      { label: "ق\u0000", url: "ada.example/\u{1F469}" },
    ]);
    expect((await owner.post("/profile", form)).status).toBe(302);
    expect(await findProfile(db, id)).toMatchObject({
      displayName: "فاطمة 👩‍🚀 Bcc: x",
      bio: "ab\nc",
      links: [{ label: "ق" }],
    });
    expect(await (await visitor().get(`/u/${id}`)).text()).toContain('dir="rtl"');
  });

  test("shows markup in any field as text on all pages", async () => {
    const { owner, visitor, id } = await openEditor();
    const evil = `"><img src=x onerror=alert(1)>`;
    await owner.post(
      "/profile",
      profileForm({ displayName: evil, bio: `</script>${evil}` }, [
        { label: evil, url: `https://ada.example/?${evil}` },
      ]),
    );
    for (const page of [await owner.get("/profile"), await owner.get(`/u/${id}`), await visitor().get(`/u/${id}`)]) {
      expect(await page.text()).not.toContain("<img src=x");
    }
  });

  test("responds to any form with a redirect or a rejection", async () => {
    const { owner } = await openEditor();
    const name = fc.oneof(
      fc.constantFrom(
        "displayName",
        "bio",
        "handle",
        "theme",
        "version",
        "replaces",
        "links.0.label",
        "links.0.url",
        "links.0.id",
        "links.1.on",
      ),
      fc.string(),
    );
    const value = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("1", "ada", "example.com", "royal", "on"));
    const fields = fc.array(fc.tuple(name, value), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(fields, fc.boolean(), async (pairs, isComplete) => {
        const form = isComplete ? { ...profileForm(), ...Object.fromEntries(pairs) } : pairs;
        expect((await owner.post("/profile", form)).status).toBeOneOf([302, 400, 409, 422]);
      }),
      { numRuns: 60 },
    );
  }, 60_000);
});

describe("failures", () => {
  test("a full disk rejects the save and keeps what was typed; later saves work", async () => {
    const { owner, db, id } = await openEditor();
    await sql`pragma max_page_count = 1`.execute(db); // SQLite uses at least the current number of pages
    const long = Array.from({ length: 8 }, (_, index) => ({
      label: `Link ${index}`,
      url: `https://ada.example/${"x".repeat(1900)}`,
    }));
    const full = await owner.post("/profile", profileForm({ bio: "Not lost" }, long));
    expect(full.status).toBe(503);
    const page = await full.text();
    for (const text of ["Failed to save profile", "out of disk space", "Not lost"]) expect(page).toContain(text);
    expect(await findProfile(db, id)).toMatchObject({ displayName: "ada", version: 1 });

    await sql`pragma max_page_count = 1000000`.execute(db);
    expect((await owner.post("/profile", profileForm({ bio: "Not lost" }, long))).status).toBe(302);
  });

  test("an unreadable profile shows an error with a retry link and without a stack", async () => {
    const { owner, db } = await openEditor();
    await sql`alter table handle rename to elsewhere`.execute(db);
    const response = await owner.get("/profile");
    expect(response.status).toBe(500);
    const page = await response.text();
    expect(page).toContain("Failed to load profile");
    expect(page).toContain("Try again");
    expect(page).not.toContain("no such table");
    await sql`alter table elsewhere rename to handle`.execute(db);
    expect((await owner.get("/profile")).status).toBe(200);
  });

  test("a server error keeps the form as typed and is logged", async () => {
    const { owner, db, logLines } = await openEditor();
    await sql`alter table handle rename to elsewhere`.execute(db);
    await sql`create view handle as select handle, owner_id, is_current, created_at from elsewhere`.execute(db);
    const broken = await owner.post("/profile", profileForm({ handle: "ada", bio: "Not lost" }));
    expect(broken.status).toBe(500);
    const page = await broken.text();
    for (const text of ["Failed to save profile", "Something went wrong on our end.", "Not lost"])
      expect(page).toContain(text);
    expect(page).not.toContain("cannot modify");
    expect(logLines.some((line) => line["msg"] === "profile not saved")).toBe(true);
  });
});
