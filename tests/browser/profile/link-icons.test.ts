import { get } from "node:http";

import { expect, test } from "vitest";

import { waitForHydration, openSite, phone } from "#tests/support/browser/site.ts";
import { saveProfile, signUp } from "#tests/support/browser/users.ts";

const site = openSite();

/** The brands with the largest drawings. */
const heaviest = [
  "mastodon.social/@ada",
  "threads.net/@ada",
  "matrix.to/#/@ada:example.org",
  "pinterest.com/ada",
  "steamcommunity.com/id/ada",
  "soundcloud.com/ada",
  "discord.gg/ada",
  "dev.to/ada",
];

test("a page with the eight largest brand icons has at most 10 kB gzip", async () => {
  const { context, page } = await site.open(phone);
  const { id } = await signUp(context, site.program, "ada@example.com");
  const links = heaviest.map((url) => ({ label: url.split("/")[0] ?? "", url }));
  await saveProfile(context, site.program, {
    displayName: "Ada Lovelace",
    bio: "Notes on the analytical engine, and on what it might one day be taught to compose.",
    links,
  });
  expect(await bytesOf(`${site.url}/u/${id}`)).toBeLessThanOrEqual(10_000);

  // For a signed-in owner the page is hydrated, without downloading any drawing.
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goto(`/u/${id}`, { waitUntil: "networkidle" });
  const drawn = await page.locator(".cards .icon path").evaluateAll((all) => all.map((path) => path.getAttribute("d")));
  expect(drawn).toHaveLength(8);
  expect(new Set(drawn).size).toBe(8);
  expect(asked.filter((url) => url.includes("/brands-"))).toEqual([]);
});

test("the preview shows a brand's icon as soon as its URL is typed", async () => {
  const { context, page } = await site.open();
  await signUp(context, site.program, "bea@example.com");
  await page.goto("/profile");
  await waitForHydration(page);
  await page.getByRole("button", { name: "Add link" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Videos");
  await page.getByLabel("URL").fill("youtube.com/@bea");
  const icon = page.frameLocator("iframe").locator(".cards .icon svg");
  await expect.poll(() => icon.getAttribute("fill")).toBe("currentColor");
  await page.getByLabel("URL").fill("bea.example");
  await expect.poll(() => icon.getAttribute("fill")).toBe("none");
});

function bytesOf(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { "accept-encoding": "gzip" } }, (response) => {
      let bytes = 0;
      response.on("data", (part: Buffer) => (bytes += part.length)).on("end", () => resolve(bytes));
    }).on("error", reject);
  });
}
