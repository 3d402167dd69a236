import { gzipSync } from "node:zlib";

import { describe, expect, test } from "vitest";

import { findProfile } from "#app/features/profile/data.server.ts";
import { profileExport } from "#app/features/profile/exported-data.server.ts";
import { baseOf } from "#tests/support/app/cards.ts";
import { profileForm, tagsNamed, userIdOf } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

async function openEditor() {
  const app = await createTestApp();
  const owner = await app.signedIn(`${crypto.randomUUID()}@example.com`);
  return { ...app, db: app.services.db, owner, id: await userIdOf(owner) };
}

const fair = { utmSource: "meishi", utmMedium: "card", utmCampaign: "Fair & more" };
const shop = { label: "Shop", url: "https://shop.example/b?c=1#top", ...fair };

describe("the campaign of a link", () => {
  test("is added to the address that visitors open, and changes nothing else about the link", async () => {
    const { owner, visitor, db, id } = await openEditor();
    await owner.post("/profile", profileForm({}, [shop, { ...shop, label: "Mail", url: "mailto:ada@shop.example" }]));
    const page = await (await visitor().get(`/u/${id}`)).text();
    const tags = [...page.matchAll(/<a [^>]*>/g)].map(([tag]) => tag);
    const tag = tags.find((candidate) => candidate.includes("//shop.example"));
    expect(tag).toContain(
      'href="https://shop.example/b?c=1&amp;utm_source=meishi&amp;utm_medium=card&amp;utm_campaign=Fair+%26+more#top"',
    );
    expect(page).toContain("<small>shop.example</small>");
    expect(page).toContain('href="mailto:ada@shop.example"');
    const stored = await findProfile(db, id);
    expect(stored?.links[0]).toMatchObject(shop);
    // Clicks are counted for the link itself.
    expect(tag).toContain(`data-target="${stored?.links[0]?.id}"`);
  });

  test("keeps a page with eight of them under 10 kB", async () => {
    const { owner, visitor, id } = await openEditor();
    const links = Array.from({ length: 8 }, (_, index) => ({
      label: `${index} ${"Name".repeat(12)}`,
      url: `https://shop-${index}.example/${crypto.randomUUID()}`,
      utmSource: `meishi-${crypto.randomUUID()}`,
      utmMedium: "business-card",
      utmCampaign: `fair-${crypto.randomUUID()}`,
    }));
    await owner.post("/profile", profileForm({ bio: "b".repeat(160) }, links));
    const page = await (await visitor().get(`/u/${id}`)).text();
    expect(page).toContain(links[7]?.utmCampaign);
    expect(gzipSync(page).length).toBeLessThan(10_000);
  });

  test("can be set without script: the fields are in the page, also when they are refused", async () => {
    const { owner, db, id } = await openEditor();
    await owner.post("/profile", profileForm({}, [shop]));
    const page = await (await owner.get("/profile")).text();
    expect(tagsNamed(page, "links.0.utmSource").join()).toContain('value="meishi"');

    const tooLong = { ...shop, label: "Renamed", utmCampaign: "x".repeat(61) };
    const refused = await owner.post("/profile", profileForm({ version: "2" }, [tooLong]));
    expect(refused.status).toBe(422);
    const answer = await refused.text();
    expect(answer).toContain("Use at most 60 characters.");
    const [field] = tagsNamed(answer, "links.0.utmCampaign");
    expect(field).toContain('aria-invalid="true"');
    expect(field).toContain(`value="${"x".repeat(61)}"`);
    expect((await findProfile(db, id))?.links[0]).toMatchObject(shop);
  });

  test("is removed by clearing its fields, and cleaned like any other text", async () => {
    const { owner, db, id } = await openEditor();
    const typed = { ...shop, utmSource: " ", utmMedium: "", utmCampaign: " fair\r\nx\u0000 " };
    await owner.post("/profile", profileForm({}, [typed]));
    const [link] = (await findProfile(db, id))?.links ?? [];
    expect(link).toMatchObject({ utmCampaign: "fair x" });
    expect(link).not.toHaveProperty("utmSource");
    expect(link).not.toHaveProperty("utmMedium");
  });

  test("is merged by field when two tabs change it, and asked about by name", async () => {
    const { owner, db, id } = await openEditor();
    await owner.post("/profile", profileForm({}, [shop]));
    const base = baseOf(await (await owner.get("/profile")).text());
    const stored = { ...shop, id: (await findProfile(db, id))?.links[0]?.id ?? "" };
    const save = (change: Partial<typeof shop>) =>
      owner.post("/profile", profileForm({ version: "2", base }, [{ ...stored, ...change }]));
    expect((await save({ utmSource: "first" })).status).toBe(302);
    expect((await save({ utmMedium: "second" })).status).toBe(302);
    expect((await findProfile(db, id))?.links[0]).toMatchObject({ utmSource: "first", utmMedium: "second" });
    const late = await save({ utmSource: "third" });
    expect(late.status).toBe(409);
    const page = await late.text();
    expect(page).toContain("Link “Shop”: Campaign source");
    expect(tagsNamed(page, "links.0.utmSource").join()).toContain('value="third"');
  });

  test("is in the owner's export", async () => {
    const { owner, services, id } = await openEditor();
    await owner.post("/profile", profileForm({}, [shop]));
    const { db, config } = services;
    const sections = profileExport.sections({ ...services, db, ownerId: id, baseUrl: config.baseUrl });
    expect(await sections["profile"]?.()).toMatchObject({ links: [fair] });
  });
});
