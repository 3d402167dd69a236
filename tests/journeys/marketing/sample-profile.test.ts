import sharp from "sharp";
import { describe, expect, test } from "vitest";

import { drawAvatar } from "#app/features/avatar/drawing.ts";
import { ensureSample, removeSample } from "#app/features/marketing/sample.server.ts";
import { rasterize } from "#app/services/images/sharp.server.ts";

import { createTestApp } from "#tests/support/app/test-app.ts";

describe("the sample on a new server", () => {
  test("is a public profile and card, marked as a sample", async () => {
    const { visitor } = await createTestApp({ env: { DEMO: "on" } });
    for (const path of ["/u/demo-user", "/card/demo-card"]) {
      const response = await visitor().get(path);
      expect(response.status).toBe(200);
      const html = await response.text();
      expect(html).toContain("Maya Lindqvist");
      expect(html).toContain("A sample, made with Meishi");
    }
    expect(await (await visitor().get("/card/demo-card/contact.vcf")).text()).toContain("FN:Maya Lindqvist");
  });

  test("exists once, however often the server starts", async () => {
    const { services } = await createTestApp({ env: { DEMO: "on" } });
    await ensureSample(services, services.clock());
    const cards = await services.db.selectFrom("card").select("id").execute();
    const profiles = await services.db.selectFrom("profile").select(["owner_id", "cards_owned", "version"]).execute();
    expect(cards).toEqual([{ id: "demo-card" }]);
    expect(profiles).toEqual([{ owner_id: "demo-user", cards_owned: 1, version: 2 }]);
  });

  test("has a photo in each size, and drawing its options again gives the same one", async () => {
    const { services, visitor } = await createTestApp({ env: { DEMO: "on" } });
    await services.jobs.runDue();
    const columns = ["avatar_stem", "avatar_options"] as const;
    const profile = await services.db.selectFrom("profile").select(columns).executeTakeFirstOrThrow();
    const { svg } = drawAvatar(JSON.parse(profile.avatar_options ?? ""));
    const drawn = await readAreas(await rasterize(svg, { width: 768 }));
    for (const [suffix, width] of [
      ["_192.webp", 192],
      ["_384.webp", 384],
      [".jpg", 384],
    ] as const) {
      const response = await visitor().get(`/files/${profile.avatar_stem}${suffix}`);
      const photo = Buffer.from(await response.arrayBuffer());
      expect(await sharp(photo).metadata()).toMatchObject({ width, height: width });
      const stored = await readAreas(photo);
      // Encoding changes an area by at most 6 of 255; another mouth by 85.
      const differences = stored.map((value, index) => Math.abs(value - (drawn[index] ?? 0)));
      expect(Math.max(...differences)).toBeLessThan(20);
    }
  });

  test("has a drawn face, which removing it deletes", async () => {
    const { services, visitor } = await createTestApp({ env: { DEMO: "on" } });
    await services.jobs.runDue();
    const face = /src="(\/files\/avatars\/demo-user\/[^"]+)"/.exec(
      await (await visitor().get("/u/demo-user")).text(),
    )?.[1];
    expect((await visitor().get(face ?? "")).status).toBe(200);
    await removeSample(services);
    await services.jobs.runDue();
    expect((await visitor().get(face ?? "")).status).toBe(404);
  });

  test("replaces the sample of an earlier version", async () => {
    const { services, visitor } = await createTestApp({ env: { DEMO: "on" } });
    await services.db.updateTable("profile").set({ display_name: "Demo User" }).execute();
    await services.db.updateTable("card").set({ company: "Example Studio" }).execute();
    await ensureSample(services, services.clock());
    expect(await (await visitor().get("/card/demo-card/contact.vcf")).text()).toMatch(
      /FN:Maya Lindqvist[^]*ORG:Northlight Studio/,
    );
  });

  test("belongs to no account: no password opens it, and its handle and id are reserved", async () => {
    const { services, visitor } = await createTestApp({ env: { DEMO: "on" } });
    const stranger = visitor();
    const response = await stranger.post("/auth", {
      intent: "log-in",
      email: "demo@example.com",
      password: "demo-user",
    });
    expect(response.status).not.toBe(302);
    expect((await stranger.get("/profile")).headers.get("location")).toContain("/auth?returnTo=");
    const user = await services.auth.findViewer(new Headers({ cookie: "meishi.session_token=demo-user" }));
    expect(user.viewer).toBeUndefined();
  });

  test("is removed when DEMO is off, and returns when it is on again", async () => {
    const { services, visitor } = await createTestApp({ env: { DEMO: "on" } });
    await removeSample(services);
    expect((await visitor().get("/u/demo-user")).status).toBe(404);
    expect((await visitor().get("/card/demo-card")).status).toBe(404);
    await ensureSample(services, services.clock());
    expect((await visitor().get("/card/demo-card")).status).toBe(200);
  });

  test("is off by default on a public server", async () => {
    const { visitor } = await createTestApp({ env: { BASE_URL: "https://meishi.example", DEMO: "" } });
    expect((await visitor().get("/u/demo-user")).status).toBe(404);
  });
});

/** The mean colors of 24 × 24 areas. */
async function readAreas(image: Buffer): Promise<number[]> {
  return [...(await sharp(image).removeAlpha().resize(24, 24, { fastShrinkOnLoad: false }).raw().toBuffer())];
}
