import { sql } from "kysely";
import { describe, expect, test } from "vitest";

import { findProfile } from "#app/features/profile/data.server.ts";
import { baseOf, fieldValue, pendingToast } from "#tests/support/app/cards.ts";
import { makePremium, profileForm, tagsNamed, userIdOf } from "#tests/support/app/profiles.ts";
import { textWith, toastIn, visibleText } from "#tests/support/app/responses.ts";
import { createSignedInApp, createTestApp } from "#tests/support/app/test-app.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";

/** A signed-in visitor and their user id. */
async function openEditor() {
  const app = await createTestApp();
  const owner = await app.signedIn("ada@example.com");
  const id = await userIdOf(owner);
  return { ...app, db: app.services.db, owner, id };
}

const blog = { label: "Blog", url: "https://ada.example/blog" };
const github = { label: "GitHub", url: "https://github.com/ada" };

test("the editor has all sections and works without script", async () => {
  const { owner, db, id } = await openEditor();
  const page = await (await owner.get("/profile")).text();
  // The first visit creates the profile, named after the email address.
  expect(fieldValue(page, "displayName")).toBe("ada");
  expect(await findProfile(db, id)).toMatchObject({ displayName: "ada", version: 1, links: [] });
  for (const title of ["Profile Details", "Profile Theme", "Links", "Business Cards", "0 of 8"])
    expect(visibleText(page)).toContain(title);
  const withoutScript = [...page.matchAll(/<noscript>(.*?)<\/noscript>/gs)].map((match) => match[1]).join("");
  expect(tagsNamed(withoutScript, "links.0.label")).toHaveLength(1);
  expect(withoutScript).toContain("Save &amp; Close");
  expect(page).not.toContain(' style="');
});

describe("saving", () => {
  test("redirects to the public profile with a toast and updates the cached page at once", async () => {
    const { owner, visitor, id } = await openEditor();
    expect(await (await visitor().get(`/u/${id}`)).text()).not.toContain("Ada Lovelace");
    const saved = await owner.post("/profile", profileForm({}, [github, blog]));
    expect(saved.headers.get("location")).toBe(`/u/${id}`);
    expect(toastIn(saved)).toEqual({ title: "Profile saved", tone: "success" });
    const page = await (await visitor().get(`/u/${id}`)).text();
    for (const text of ["Ada Lovelace", "Notes on the engine.", github.url, blog.url]) expect(page).toContain(text);
  });

  test("keeps the order and ids of links, hides switched-off ones, and takes an unknown kind as a plain link", async () => {
    const { owner, visitor, db, id } = await openEditor();
    const heading = { kind: "heading", label: "Watch", url: "" };
    const talk = { kind: "media", label: "My talk", url: "https://vimeo.com/1" };
    const links = [heading, talk, { ...blog, kind: "carousel" }, { label: "", url: " " }, { ...github, on: false }];
    await owner.post("/profile", profileForm({}, links));
    const stored = (await findProfile(db, id))?.links ?? [];
    expect(stored).toMatchObject([heading, talk, { ...blog, kind: "link" }, { ...github, on: false }]);
    expect(new Set(stored.map((link) => link.id)).size).toBe(4);
    const page = await (await visitor().get(`/u/${id}`)).text();
    expect(visibleText(page)).toMatch(/Watch .*My talk.*Video · Vimeo.*Blog/);
    expect(page).not.toContain(github.url);

    // A second save keeps the ids, which click counts refer to.
    await owner.post("/profile", profileForm({ version: "2" }, stored.toReversed()));
    expect((await findProfile(db, id))?.links).toEqual(stored.toReversed());
  });

  test("saves a form once when it is submitted twice, and redirects both times", async () => {
    const { owner, db, id } = await openEditor();
    const form = profileForm({}, [blog]);
    const both = await Promise.all([owner.post("/profile", form), owner.post("/profile", form)]);
    expect(both.map((response) => response.headers.get("location"))).toEqual([`/u/${id}`, `/u/${id}`]);
    expect(await findProfile(db, id)).toMatchObject({ version: 2, links: [blog] });
  });

  test("saves and stays in the editor with its other button, and follows no other address", async () => {
    const { owner, id } = await openEditor();
    const save = async (version: string, next: string) =>
      (await owner.post("/profile", profileForm({ version, next }))).headers.get("location");
    expect(await save("1", "/profile")).toBe("/profile");
    expect(pendingToast(owner)).toEqual({ title: "Profile saved", tone: "success" });
    expect(await save("2", "https://evil.example")).toBe(`/u/${id}`);
  });

  test("makes the handle the new path, redirects the former one, and reserves both", async () => {
    const { owner, signedIn, visitor, id } = await openEditor();
    await owner.post("/profile", profileForm({ handle: "Ada" }));
    const saved = await owner.post("/profile", profileForm({ handle: "countess", version: "2" }));
    expect(saved.headers.get("location")).toBe("/u/countess");
    const editor = await (await owner.get("/profile")).text();
    expect([...new Set(editor.match(/href="\/u\/[^"]*"/g))]).toEqual(['href="/u/countess"']);
    expect((await visitor().get("/u/ada")).headers.get("location")).toBe("/u/countess");
    expect(await (await visitor().get("/u/countess")).text()).toContain("Ada Lovelace");
    expect((await visitor().get(`/u/${id}`)).status).toBe(200);
    const eve = await signedIn("eve@example.com");
    await userIdOf(eve);
    for (const handle of ["ada", "COUNTESS"]) {
      const page = await textWith(422, await eve.post("/profile", profileForm({ handle })));
      expect(page).toContain("This handle is taken. Choose another.");
      expect(fieldValue(page, "handle")).toBe(handle);
    }
  });
});

describe("a rejected save", () => {
  test("keeps everything that was typed and shows each error at its field", async () => {
    const { owner, db, id } = await openEditor();
    const from = Date.UTC(2026, 10, 24, 8);
    const evil = { label: "", url: "javascript:alert(1)", on: false };
    const fields = { displayName: "N".repeat(51), bio: "b".repeat(161), handle: "a", theme: "ocean" };
    const typed = profileForm(fields, [blog, evil, { ...github, from, until: from - 1 }]);
    delete typed["showBusinessCard"];
    const page = await textWith(422, await owner.post("/profile", typed));
    const errors = ["Use at most 50 characters", "Use at most 160 characters", "Use at least 3", "Invalid URL"];
    for (const text of ["Failed to save profile", ...errors, "The end must be after the start"])
      expect(page).toContain(text);
    expect(page).not.toContain("Link name is required");
    for (const name of ["displayName", "links.0.url", "links.1.url", "links.2.until"])
      expect(fieldValue(page, name)).toBe(typed[name]);
    expect(page).toContain(fields.bio);
    const checked = (name: string) => tagsNamed(page, name).filter((tag) => tag.includes(' checked=""'));
    expect(checked("theme").join()).toContain(' value="ocean"');
    for (const name of ["showBusinessCard", "links.1.on"]) expect(checked(name)).toEqual([]);
    expect(page.match(/aria-invalid="true"/g)).toHaveLength(4);
    expect(page).not.toContain('href="javascript:');
    expect(await findProfile(db, id)).toMatchObject({ displayName: "ada", version: 1 });
  });

  test("keeps the theme on Free when one of Premium is chosen, and saves the rest; Premium saves it, also after it ends", async () => {
    const { owner, services, visitor, db, id } = await openEditor();
    const nineLinks = Array.from({ length: 9 }, (_, index) => ({ ...blog, url: `${blog.url}/${index}` }));
    const refused = await owner.post("/profile", profileForm({ theme: "royal", bio: "Typed with it" }, nineLinks));
    const page = await textWith(422, refused);
    expect(page).toContain("You can add a maximum of 8 links.");
    for (const text of ["Typed with it", `${blog.url}/8`]) expect(page).toContain(text);
    expect(page).not.toMatch(/See plans|[Uu]pgrade/);
    const chosen = tagsNamed(page, "theme").filter((tag) => tag.includes(' checked=""'));
    expect(chosen).toEqual([expect.stringContaining(' value="royal"')]);

    expect((await owner.post("/profile", profileForm({ theme: "royal", bio: "Saved" }))).status).toBe(302);
    const text = "Royal comes with Premium, so your theme stays as it was.";
    expect(pendingToast(owner)).toEqual({ title: "Profile saved", text, tone: "info" });
    expect(await findProfile(db, id)).toMatchObject({ theme: "default", bio: "Saved" });

    await makePremium(services, id);
    expect((await owner.post("/profile", profileForm({ theme: "royal", version: "2" }))).status).toBe(302);
    expect(await (await visitor().get(`/u/${id}`)).text()).toContain('data-theme="royal"');

    await db.updateTable("subscription").set({ ends_at: 1 }).execute();
    const downgraded = await owner.post("/profile", profileForm({ theme: "royal", version: "3" }));
    expect(downgraded.status).toBe(302);
    expect(await findProfile(db, id)).toMatchObject({ theme: "royal" });
    expect(await (await visitor().get(`/u/${id}`)).text()).toContain('data-theme="default"');
    expect(await (await owner.get("/profile")).text()).toContain("Visitors see Default until you have Premium again.");
  });
});

describe("two tabs", () => {
  test("merge their changes, and the later one asks only about a field that both changed", async () => {
    const { owner, db, id } = await openEditor();
    await owner.post("/profile", profileForm({}, [blog]));
    const base = baseOf(await (await owner.get("/profile")).text());
    const [link] = (await findProfile(db, id))?.links ?? [];
    const stored = { ...blog, id: link?.id ?? "" };
    const save = (change: Record<string, string>, links: Parameters<typeof profileForm>[1] = [stored]) =>
      owner.post("/profile", profileForm({ version: "2", base, ...change }, links));
    expect((await save({ displayName: "First tab" }, [github, stored])).status).toBe(302);
    const links = ["Diary", "Site"].map((label, index) => ({ ...(index === 0 ? stored : blog), label }));
    expect((await save({ bio: "Second tab" }, links)).status).toBe(302);
    expect(await findProfile(db, id)).toMatchObject({
      displayName: "First tab",
      bio: "Second tab",
      links: [{ label: "GitHub" }, { label: "Diary" }, { label: "Site" }],
    });

    const third = { bio: "Third tab", theme: "ocean" };
    const page = await textWith(409, await save(third));
    const question = "also changed in another tab or on another device";
    for (const text of [question, "Second tab", "Third tab", "Saved elsewhere"]) expect(page).toContain(text);
    expect(tagsNamed(page, "keep.bio")).toHaveLength(2);
    expect(tagsNamed(page, "keep.theme")).toEqual([]);
    expect((await findProfile(db, id))?.theme).toBe("default");

    // Another plain save is rejected again; an answer decides.
    expect((await save(third)).status).toBe(409);
    expect((await save({ ...third, replaces: "4", "keep.bio": "mine" })).status).toBe(302);
    expect(await findProfile(db, id)).toMatchObject({ displayName: "First tab", bio: "Third tab", theme: "ocean" });
  });

  test("never store more links than allowed: the owner chooses one of the lists", async () => {
    const { owner, db, id } = await openEditor();
    const base = baseOf(await (await owner.get("/profile")).text());
    const links = (name: string) =>
      Array.from({ length: 5 }, (_, index) => ({ label: `${name} ${index}`, url: `https://${name}.example/${index}` }));
    expect((await owner.post("/profile", profileForm({ base }, links("first")))).status).toBe(302);
    const late = await owner.post("/profile", profileForm({ base }, links("second")));
    expect(late.status).toBe(409);
    expect(tagsNamed(await late.text(), "keep.links")).toHaveLength(2);
    const answer = { base, replaces: "2", "keep.links": "mine" };
    expect((await owner.post("/profile", profileForm(answer, links("second")))).status).toBe(302);
    expect((await findProfile(db, id))?.links).toMatchObject(links("second"));
  });
});

test("bad input rejects an incomplete form, and a cross-site post, and changes nothing", async () => {
  const { owner, db, id } = await openEditor();
  const { bio: _, ...withoutBio } = profileForm();
  expect((await owner.post("/profile", withoutBio)).status).toBe(400);
  expect((await owner.post("/profile", profileForm({ version: "0" }))).status).toBe(400);
  expect((await owner.post("/profile", profileForm(), { origin: "https://evil.example" })).status).toBe(403);
  expect((await owner.post("/profile", profileForm({ bio: "x".repeat(2_100_000) }))).status).toBe(413);
  expect(await findProfile(db, id)).toMatchObject({ displayName: "ada", version: 1 });
});

describe("failures", () => {
  test("a full disk rejects the save and keeps what was typed; later saves work", async () => {
    const { owner, db, id } = await openEditor();
    await sql`pragma max_page_count = 1`.execute(db); // SQLite uses at least the current number of pages
    const url = `https://ada.example/${"x".repeat(1900)}`;
    const long = Array.from({ length: 8 }, (_, index) => ({ label: `Link ${index}`, url }));
    const page = await textWith(503, await owner.post("/profile", profileForm({ bio: "Not lost" }, long)));
    for (const text of ["Failed to save profile", "out of disk space", "Not lost"]) expect(page).toContain(text);
    expect(await findProfile(db, id)).toMatchObject({ displayName: "ada", version: 1 });

    await sql`pragma max_page_count = 1000000`.execute(db);
    expect((await owner.post("/profile", profileForm({ bio: "Not lost" }, long))).status).toBe(302);
  });

  test("an unreadable profile shows an error with a retry link and without a stack", async () => {
    const { owner, db } = await openEditor();
    await sql`alter table handle rename to elsewhere`.execute(db);
    const page = await textWith(500, await owner.get("/profile"));
    for (const text of ["Failed to load profile", "Try again"]) expect(page).toContain(text);
    expect(page).not.toContain("no such table");
    await sql`alter table elsewhere rename to handle`.execute(db);
    expect((await owner.get("/profile")).status).toBe(200);
  });

  test("a server error keeps the form as typed and is logged", async () => {
    const { owner, db, logLines } = await openEditor();
    await sql`alter table handle rename to elsewhere`.execute(db);
    await sql`create view handle as select handle, owner_id, is_current, created_at from elsewhere`.execute(db);
    const page = await textWith(500, await owner.post("/profile", profileForm({ handle: "ada", bio: "Not lost" })));
    for (const text of ["Failed to save profile", "Something went wrong on our end.", "Not lost"])
      expect(page).toContain(text);
    expect(page).not.toContain("cannot modify");
    expect(logLines.some((line) => line["msg"] === "profile not saved")).toBe(true);
  });
});

test("a typed handle is checked like a save, and one that is taken comes with another", async () => {
  const { ada, signedIn } = await createSignedInApp();
  const eve = await signedIn("eve@example.com");
  await ada.get("/profile");
  await ada.post("/profile", profileForm({ handle: "ada" }));
  await ada.post("/profile", profileForm({ handle: "ada-2", version: "2" }));
  expect(await check(eve, "Ada")).toEqual({ problem: "This handle is taken. Choose another.", suggestion: "ada-3" });
  expect(await check(eve, "ada-lovelace")).toEqual({ problem: "", suggestion: "" });
  for (const own of ["ada", "ada-2"]) expect(await check(ada, own)).toEqual({ problem: "", suggestion: "" });
  const reserved = "This handle is reserved. Choose another.";
  expect(await check(eve, "admin")).toEqual({ problem: reserved, suggestion: "" });
  expect(await check(eve, "admin", "ada")).toEqual({ problem: reserved, suggestion: "ada-3" });
  expect(await check(eve, "ada", "eve-adams")).toMatchObject({ suggestion: "eve-adams" });
  expect(await check(eve, "ada", "<script>")).toMatchObject({ suggestion: "ada-3" });
  expect(await check(eve, "")).toEqual({ problem: "Choose a handle.", suggestion: "" });
  // Nothing was reserved.
  expect((await eve.post("/profile", profileForm({ handle: "ada-3" }))).status).toBe(302);
});

test("a handle can't be checked without an account, nor as often as it takes to list them", async () => {
  const { visitor, signedIn } = await createTestApp();
  const refused = await visitor().get("/profile/handle?handle=ada");
  expect(refused.headers.get("location")).toMatch(/^\/auth\?/);
  const ada = await signedIn();
  const statuses = [];
  for (let press = 0; press < 122; press++)
    statuses.push((await ada.get(`/profile/handle?handle=try-${press}`)).status);
  expect(statuses.slice(118)).toEqual([200, 200, 429, 429]);
});

async function check(person: Visitor, handle: string, like = ""): Promise<unknown> {
  const response = await person.get(`/profile/handle?${new URLSearchParams({ handle, like })}`);
  expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
  return response.json();
}
