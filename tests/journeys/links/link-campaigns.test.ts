import { describe, expect, test } from "vitest";

import { findProfile } from "#app/features/profile/data.server.ts";
import { profileExport } from "#app/features/profile/feature.server.ts";
import { baseOf, fieldValue } from "#tests/support/app/cards.ts";
import { readElements } from "#tests/support/app/responses.ts";
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
  test("is added to the address that visitors open, changes nothing else about the link, and is exported", async () => {
    const { owner, visitor, services, id } = await openEditor();
    await owner.post("/profile", profileForm({}, [shop, { ...shop, label: "Mail", url: "mailto:ada@shop.example" }]));
    const page = await (await visitor().get(`/u/${id}`)).text();
    const [opened, mail] = readElements(page).filter(({ attributes }) => attributes["href"]?.includes("shop.example"));
    expect(opened?.attributes["href"]).toBe(
      "https://shop.example/b?c=1&utm_source=meishi&utm_medium=card&utm_campaign=Fair+%26+more#top",
    );
    expect(mail?.attributes["href"]).toBe("mailto:ada@shop.example");
    expect(page).toContain("<small>shop.example</small>");
    const stored = await findProfile(services.db, id);
    expect(stored?.links[0]).toMatchObject(shop);
    // Clicks are counted for the link itself.
    expect(opened?.attributes["data-target"]).toBe(stored?.links[0]?.id);
    const sections = profileExport.sections({ ...services, ownerId: id, baseUrl: services.config.baseUrl });
    expect(await sections["profile"]?.()).toMatchObject({ links: [fair, fair] });
  });

  test("can be set without script: the fields are in the page, also when they are refused", async () => {
    const { owner, db, id } = await openEditor();
    await owner.post("/profile", profileForm({}, [shop]));
    expect(fieldValue(await (await owner.get("/profile")).text(), "links.0.utmSource")).toBe("meishi");
    const utmCampaign = "x".repeat(61);
    const tooLong = { ...shop, label: "Renamed", utmCampaign };
    const refused = await owner.post("/profile", profileForm({ version: "2" }, [tooLong]));
    expect(refused.status).toBe(422);
    const answer = await refused.text();
    expect(answer).toContain("Use at most 60 characters.");
    const [field] = tagsNamed(answer, "links.0.utmCampaign");
    expect(field).toContain('aria-invalid="true"');
    expect(fieldValue(answer, "links.0.utmCampaign")).toBe(utmCampaign);
    expect((await findProfile(db, id))?.links[0]).toMatchObject(shop);

    const cleared = { ...shop, utmSource: " ", utmMedium: "", utmCampaign: " fair\r\nx\u0000 " };
    await owner.post("/profile", profileForm({ version: "2" }, [cleared]));
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
    expect(fieldValue(page, "links.0.utmSource")).toBe("third");
  });
});
