import { profileForm, userIdOf } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

export const start = Date.parse("2026-11-23T12:00:00Z");
export const msPerDay = 86_400_000;

/** A user with a profile and a link, and a clock that starts at noon of a Monday. */
export async function openAnalytics(env: Record<string, string> = {}) {
  let now = start;
  const app = await createTestApp({ env, clock: () => now });
  const ada = await app.signedIn();
  const id = await userIdOf(ada);
  await ada.post("/profile", profileForm({}, [{ id: "mine", label: "My shop", url: "https://shop.example" }]));
  return { ...app, ada, id, advance: (ms: number) => void (now += ms) };
}

/** The text of a page without tags, in one line. */
export const textOf = (html: string) =>
  html
    .replaceAll(/<script[\s\S]*?<\/script>/g, " ")
    .replaceAll("<!-- -->", "")
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/\s+/g, " ");
