import sharp from "sharp";
import { expect, test } from "vitest";

import { drawAvatar } from "#app/features/avatar/drawing.ts";
import { ensureSample, removeSample } from "#app/features/marketing/sample.server.ts";
import { rasterize } from "#app/services/images/sharp.server.ts";

import { createTestApp } from "#tests/support/app/test-app.ts";

const openSample = () => createTestApp({ env: { DEMO: "on" } });

test("the sample on a new server is a public profile and card, marked as a sample", async () => {
  const visitor = (await openSample()).visitor();
  for (const path of ["/u/demo-user", "/card/demo-card"]) {
    const response = await visitor.get(path);
    expect(response.status).toBe(200);
    const html = await response.text();
    for (const text of ["Maya Lindqvist", "A sample, made with Meishi"]) expect(html).toContain(text);
  }
  expect(await (await visitor.get("/card/demo-card/contact.vcf")).text()).toContain("FN:Maya Lindqvist");
});

test("the sample is off by default on a public server", async () => {
  const { visitor } = await createTestApp({ env: { BASE_URL: "https://meishi.example", DEMO: "" } });
  expect((await visitor().get("/u/demo-user")).status).toBe(404);
});

test("the sample exists once, however often the server starts, and replaces that of an earlier version", async () => {
  const { services, visitor } = await openSample();
  await services.db.updateTable("profile").set({ display_name: "Demo User" }).execute();
  await services.db.updateTable("card").set({ company: "Example Studio" }).execute();
  for (let start = 0; start < 2; start++) await ensureSample(services, services.clock());
  expect(await services.db.selectFrom("card").select("id").execute()).toEqual([{ id: "demo-card" }]);
  const profiles = await services.db.selectFrom("profile").select(["owner_id", "cards_owned"]).execute();
  expect(profiles).toEqual([{ owner_id: "demo-user", cards_owned: 1 }]);
  expect(await (await visitor().get("/card/demo-card/contact.vcf")).text()).toMatch(
    /FN:Maya Lindqvist[^]*ORG:Northlight Studio/,
  );
});

test("the sample has a photo in each size, like the one that its options draw", async () => {
  const { services, visitor } = await openSample();
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

test("the sample is removed with its photo when DEMO is off, and returns when it is on again", async () => {
  const { services, visitor } = await openSample();
  await services.jobs.runDue();
  const page = await (await visitor().get("/u/demo-user")).text();
  const photo = /src="(\/files\/avatars\/demo-user\/[^"]+)"/.exec(page)?.[1] ?? "";
  expect((await visitor().get(photo)).status).toBe(200);
  await removeSample(services);
  await services.jobs.runDue();
  for (const path of [photo, "/u/demo-user", "/card/demo-card"]) expect((await visitor().get(path)).status).toBe(404);
  await ensureSample(services, services.clock());
  expect((await visitor().get("/card/demo-card")).status).toBe(200);
});

test("the sample belongs to no account: no password and no session opens it", async () => {
  const { services, visitor } = await openSample();
  const stranger = visitor();
  const form = { intent: "log-in", email: "demo@example.com", password: "demo-user" };
  expect((await stranger.post("/auth", form)).status).not.toBe(302);
  expect((await stranger.get("/profile")).headers.get("location")).toContain("/auth?returnTo=");
  const user = await services.auth.findViewer(new Headers({ cookie: "meishi.session_token=demo-user" }));
  expect(user.viewer).toBeUndefined();
});

/** The mean colors of 24 × 24 areas. */
async function readAreas(image: Buffer): Promise<number[]> {
  return [...(await sharp(image).removeAlpha().resize(24, 24, { fastShrinkOnLoad: false }).raw().toBuffer())];
}
