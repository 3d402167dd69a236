import { describe, expect, test } from "vitest";

import { contrast, leastTextContrast } from "#app/services/base/color-contrast.ts";

import { accents, cardModes, initialDemoCard } from "../demo-card.ts";
import { checkDemoPass, demoPassContent } from "./rules.ts";

const site = "https://meishi.example";
const check = (typed: Partial<ReturnType<typeof initialDemoCard>>) =>
  checkDemoPass({ ...initialDemoCard(), ...typed }, site);

describe("the code of a demo pass", () => {
  test.each([
    ["/u/ada", `${site}/u/ada`],
    [" /c/h7k2m9x?w ", `${site}/c/h7k2m9x?w`],
    [`${site}/u/ada/card`, `${site}/u/ada/card`],
    ["/", `${site}/`],
    ["", ""],
  ])("opens %j", (payload, expected) => {
    expect(check({ payload })).toMatchObject({ errors: undefined, card: { payload: expected } });
  });

  const sites = `https://elsewhere.example/u/ada https://meishi.example.elsewhere.example/u/ada //elsewhere.example/u/ada
    https://meishi.example@elsewhere.example/u/ada https://user:secret@meishi.example/u/ada http://meishi.example/u/ada`;
  const paths =
    "/\\elsewhere.example /u/%2e%2e/auth/confirm?token=x /auth/link?token=x /u/ada/resume javascript:alert(1)";
  test.each([...`${sites} ${paths} WIFI:T:WPA;S:Guests;P:tea;;`.split(/\s+/), `/u/${"a".repeat(1_000_000)}`])(
    "never opens %.60j",
    (payload) => {
      expect(check({ payload }).errors).toEqual({ payload: expect.stringContaining("on this site") });
    },
  );
});

test.each([
  ["/u/ada", "meishi.example/u/ada"],
  ["/", "meishi.example"],
  ["/u/ada?q#me", "meishi.example/u/ada"],
  ["/u/a\nd\ta", "meishi.example/u/ada"],
  ["/u/\u202eada", "meishi.example/u/%E2%80%AEada"],
  [`/u/ada?${"x".repeat(200)}`, "meishi.example/u/ada"],
])("the text under the code of a demo pass is what the code opens: %#", (payload, label) => {
  const checked = check({ payload });
  if (checked.errors) throw new Error("refused");
  const { qr } = demoPassContent(checked.card, { name: "Meishi", url: site });
  expect(qr.label).toBe(label);
  expect(new URL(qr.message).href).toContain(`https://${label}`);
});

test("texts of a demo pass are as long as on a card, and without invisible characters", () => {
  expect(check({ name: " \u200b " }).errors).toEqual({ name: "Enter a name." });
  expect(check({ name: "a".repeat(51), title: "b".repeat(101), company: "c".repeat(1_000_000) }).errors).toEqual({
    name: "Use at most 50 characters.",
    title: "Use at most 100 characters.",
    company: "Use at most 100 characters.",
  });
  expect(check({ name: "Ada\u202e\nLovelace", title: "", company: "" })).toMatchObject({
    card: { name: "Ada Lovelace", title: "", company: "" },
  });
});

test("a demo pass is readable in each accent and mode", () => {
  for (const accent of accents)
    for (const mode of cardModes) {
      const card = { ...initialDemoCard(), payload: "", accent, mode };
      const { colors } = demoPassContent(card, { name: "Meishi", url: site });
      for (const back of colors.background)
        for (const text of [colors.text, colors.label])
          expect(contrast(text, back), `${accent} ${mode}`).toBeGreaterThanOrEqual(leastTextContrast);
    }
});
