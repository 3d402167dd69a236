import { sql } from "kysely";
import { describe, expect, test } from "vitest";

import { findProfile } from "#app/features/profile/data.server.ts";
import { userIdOf, profileForm } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

async function openEditor() {
  const app = await createTestApp();
  const owner = await app.signedIn("ada@example.com");
  const id = await userIdOf(owner);
  return { ...app, db: app.services.db, owner, id };
}

describe("bad input", () => {
  test("rejects an incomplete form, and a cross-site post, and changes nothing", async () => {
    const { owner, db, id } = await openEditor();
    const { bio: _, ...withoutBio } = profileForm();
    expect((await owner.post("/profile", withoutBio)).status).toBe(400);
    expect((await owner.post("/profile", profileForm({ version: "0" }))).status).toBe(400);
    expect((await owner.post("/profile", profileForm(), { origin: "https://evil.example" })).status).toBe(403);
    expect((await owner.post("/profile", profileForm({ bio: "x".repeat(2_100_000) }))).status).toBe(413);
    expect(await findProfile(db, id)).toMatchObject({ displayName: "ada", version: 1 });
  });

  test("rejects a megabyte in a field and returns it as typed", async () => {
    const { owner } = await openEditor();
    const megabyte = "x".repeat(1_000_000);
    for (const field of ["displayName", "bio", "links.0.url"]) {
      const link = { label: "a", url: "b.example" };
      const response = await owner.post("/profile", profileForm({ [field]: megabyte }, [link]));
      expect(response.status).toBe(422);
      const page = await response.text();
      expect(page).toContain(megabyte);
      expect(page.match(/aria-invalid="true"/g)).toHaveLength(1);
    }
  });

  test("shows markup in any field as text on all pages", async () => {
    const { owner, visitor, id } = await openEditor();
    const evil = `"><img src=x onerror=alert(1)>`;
    const link = { label: evil, url: `https://ada.example/?${evil}` };
    await owner.post("/profile", profileForm({ displayName: evil, bio: `</script>${evil}` }, [link]));
    for (const page of [await owner.get("/profile"), await owner.get(`/u/${id}`), await visitor().get(`/u/${id}`)])
      expect(await page.text()).not.toContain("<img src=x");
  });
});

describe("failures", () => {
  test("a full disk rejects the save and keeps what was typed; later saves work", async () => {
    const { owner, db, id } = await openEditor();
    await sql`pragma max_page_count = 1`.execute(db); // SQLite uses at least the current number of pages
    const url = `https://ada.example/${"x".repeat(1900)}`;
    const long = Array.from({ length: 8 }, (_, index) => ({ label: `Link ${index}`, url }));
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
    for (const text of ["Failed to load profile", "Try again"]) expect(page).toContain(text);
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
