import { describe, expect, test } from "vitest";

import { createApp } from "#server/app.ts";
import { cardFields, makeCard } from "#tests/support/app/cards.ts";
import { makePremium, profileForm, userIdOf } from "#tests/support/app/profiles.ts";
import { visibleText } from "#tests/support/app/responses.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { createVisitor } from "#tests/support/app/visitor.ts";
import { listEngines, makeDatabase } from "#tests/support/database/databases.ts";

describe.each(listEngines())("when a plan ends, on %s", (engine) => {
  /** Two nodes with a page cache each; on SQLite both are in one process. */
  async function open() {
    const time = { now: Date.UTC(2026, 10, 24, 8) };
    const { databaseUrl } = await makeDatabase(engine);
    const env: Record<string, string> = databaseUrl ? { DATABASE_URL: databaseUrl } : {};
    const options = { env, program: "test", clock: () => time.now };
    const product = await createTestApp(options);
    const { services } = product;
    const secondApp = databaseUrl ? (await createTestApp(options)).app : await createApp(services);
    const other = () => createVisitor(secondApp, services.config.baseUrl);
    const ada = await product.signedIn();
    const id = await userIdOf(ada);
    const endsAt = time.now + 20_000;
    await makePremium(services, id, endsAt);
    const oldest = await makeCard(ada);
    time.now += 1_000;
    const second = await makeCard(ada, { accent: "own", accent_color: "#3A5F8C" });
    await ada.post("/profile", profileForm({ theme: "royal" }));
    const show = async (visitor: ReturnType<typeof other>) => {
      const profile = await (await visitor.get(`/u/${id}`)).text();
      const card = await visitor.get(`/card/${oldest}`);
      const hidden = await visitor.get(`/card/${second}`);
      return {
        theme: /<\w[^<>]* data-theme="(royal|default)"/.exec(profile)?.[1],
        hasBranding: [profile, await card.text()].map((html) => html.includes("Made with Meishi")),
        statuses: [card.status, hidden.status],
        hasOwnColor: (await hidden.text()).includes("--brand:"),
      };
    };
    const showBoth = async () => [await show(product.visitor()), await show(other())];
    return { ...product, time, endsAt, ada, id, second, showBoth };
  }
  const premium = { theme: "royal", hasBranding: [false, false], statuses: [200, 200], hasOwnColor: true };
  const free = { theme: "default", hasBranding: [true, true], statuses: [200, 404], hasOwnColor: false };

  test("public pages of every node show Free from that moment, and Premium again with the next grant", async () => {
    const { time, endsAt, showBoth, services, id } = await open();
    expect(await showBoth()).toEqual([premium, premium]);
    time.now = endsAt - 1;
    expect(await showBoth()).toEqual([premium, premium]);
    time.now = endsAt;
    expect(await showBoth()).toEqual([free, free]);
    await makePremium(services, id, endsAt + 20_000);
    await expect.poll(showBoth).toEqual([premium, premium]);
  });

  test("the owner keeps everything, and reads how the paused cards come back", async () => {
    const { time, endsAt, ada, second, services } = await open();
    time.now = endsAt;
    const html = await (await ada.get("/profile")).text();
    expect(html.match(/>Paused on Free</g)).toHaveLength(1);
    for (const text of [
      "Free includes your oldest card. The others are kept, and come back with Premium.",
      "Visitors see Default until you have Premium again.",
    ])
      expect(visibleText(html)).toContain(text);
    const editor = visibleText(await (await ada.get(`/cards/edit/${second}`)).text());
    expect(editor).toContain("This one stays paused until you have Premium.");
    expect(await services.db.selectFrom("profile").select("theme").execute()).toEqual([{ theme: "royal" }]);
    const cards = await services.db.selectFrom("card").select("accent").orderBy("created_at").execute();
    expect(cards.map(({ accent }) => accent)).toEqual(["", "#3a5f8c"]);
    const form = { ...cardFields, accent: "own", accent_color: "#3a5f8c", version: "1" };
    expect((await ada.post(`/cards/edit/${second}`, form)).status).toBe(302);
  });
});
