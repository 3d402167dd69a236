import { feature } from "#app/features/analytics/feature.server.ts";
import type { CountEvent } from "#app/services/http/context.ts";
import { runMaintenance } from "#server/maintenance.ts";
import { makePremium, profileForm, userIdOf } from "#tests/support/app/profiles.ts";
import { visibleText } from "#tests/support/app/responses.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

export const start = Date.parse("2026-11-23T12:00:00Z");
export const msPerDay = 86_400_000;

/** A user on Premium with a profile and a link, and a clock that starts at noon of a Monday. */
export async function openAnalytics({
  isFree = false,
  env = {},
}: { isFree?: boolean; env?: Record<string, string> } = {}) {
  let now = start;
  const app = await createTestApp({ env, clock: () => now });
  const { services } = app;
  const ada = await app.signedIn();
  const id = await userIdOf(ada);
  if (!isFree) await makePremium(services, id);
  await ada.post("/profile", profileForm({}, [{ id: "mine", label: "My shop", url: "https://shop.example" }]));
  /** The text of a page, in one line. */
  const read = async (path: string) => textOf(await (await ada.get(path)).text());
  /** Counts events of the profile, by default visits. */
  const count = async (n: number, change: Partial<CountEvent> = {}) => {
    const event = { ownerId: id, subject: `profile:${id}`, kind: "visit", source: "", target: "", ...change } as const;
    for (let at = 0; at < n; at++) services.counter.count(event);
    await services.counter.flush();
  };
  const rollUp = () => runMaintenance([feature], services);
  const chooseTimeZone = (timeZone: string) =>
    ada.post("/account/preferences", { mailsSignIns: "on", locale: "", timeZone });
  const advance = (ms: number) => void (now += ms);
  return { ...app, ada, id, read, count, rollUp, chooseTimeZone, advance };
}

export const textOf = (html: string) => visibleText(html.replaceAll(/<script[\s\S]*?<\/script>/g, " "));
