import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { plans } from "#app/features/billing/rules.ts";
import { drawnStyle } from "#app/features/cards/card-style.ts";
import { accentChoices, layoutChoices, paperChoices } from "#app/features/cards/card-design.ts";
import { contrast, leastTextContrast } from "#app/services/base/color-contrast.ts";

import { passContent, voidedContent } from "./pass-content.ts";
import type { PassSource } from "./pass-content.ts";
import { defaultPassDesign } from "./pass-design.ts";

const issuer = { name: "Meishi", url: "https://meishi.example" };
const colors = drawnStyle(
  { accent: "", layout: "classic", paper: "" },
  { theme: "default", plan: plans.premium },
).colors;
const card: PassSource["card"] = {
  id: "7f3c1f9e-7c56-4f0e-9e6a-2f1c7a0b9d11",
  displayName: "Ada Lovelace",
  profession: "Programmer",
  company: "Analytical Engines",
  position: "Head of notes",
  yearsExperience: 8,
  email: "ada@example.com",
  phone: "+44 20 7946 0000",
  links: [
    { id: "one", name: "Notes", url: "https://example.com/notes" },
    { id: "two", name: "", url: "https://example.com/" },
  ],
  bio: "I write programs.",
  profileUrl: "/u/ada",
  cardUrl: "https://meishi.example/c/h7k2m9x",
};

function content(change: Partial<PassSource["card"]> = {}, source: Partial<Omit<PassSource, "card">> = {}) {
  const parts = { logoKey: null, avatarKey: null, colors, design: defaultPassDesign, plan: plans.premium, issuer };
  return passContent({ ...parts, ...source, card: { ...card, ...change } });
}

describe("a pass shows", () => {
  test("what is on the card's page, and its short address with a mark of its own", () => {
    const { id, displayName, email, phone, bio } = card;
    expect(content()).toMatchObject({
      cardId: id,
      qr: { message: "https://meishi.example/c/h7k2m9x?w", label: "meishi.example/c/h7k2m9x" },
      name: displayName,
      job: "Programmer · Analytical Engines",
      email,
      phone,
      bio,
      links: [
        { label: "Notes", url: "https://example.com/notes" },
        { label: "example.com/", url: "https://example.com/" },
      ],
      isVoided: false,
    });
  });

  test("the first visible email and phone, or none", () => {
    const others = { email: null, emails: [{ kind: "home", value: "a@b.example" }] as const, phone: null };
    expect(content(others)).toMatchObject({ email: "a@b.example", phone: "" });
    const nothing = { email: null, phone: null, profession: null, company: null, position: null, bio: null };
    expect(content(nothing)).toMatchObject({ email: "", phone: "", job: "", bio: "" });
  });

  test("the fields that the owner chose, links in the owner's order", () => {
    const hidden = { showsEmail: false, showsPhone: false, hasQrLabel: false };
    const design = { ...defaultPassDesign, ...hidden, linkOrder: ["two", "gone"] };
    const shown = content({}, { design });
    expect(shown).toMatchObject({ email: "", phone: "", qr: { label: "" } });
    expect(shown.links.map(({ url }) => url)).toEqual(["https://example.com/", "https://example.com/notes"]);
  });

  test("uploads and a tint on Premium, and the defaults on Free, where our name stays", () => {
    const images = {
      background: { kind: "asset", key: "pass-assets/ada/b" },
      logo: { kind: "asset", key: "pass-assets/ada/l" },
      tint: "#3a5f8c",
    } as const;
    const design = { ...defaultPassDesign, ...images };
    expect(content({}, { design })).toMatchObject({ hasBranding: false, images });
    const expected = { hasBranding: true, images: { background: { kind: "card" }, tint: "", logo: { kind: "seal" } } };
    expect(content({}, { design, plan: plans.free })).toMatchObject(expected);
  });

  test("the card's logo, our seal on Free without one, or none", () => {
    const logoOf = (source: Partial<PassSource>) => content({}, source).images.logo;
    expect(logoOf({ logoKey: "logos/1" })).toEqual({ kind: "card", key: "logos/1" });
    expect(logoOf({ plan: plans.free })).toEqual({ kind: "seal" });
    expect(logoOf({})).toEqual({ kind: "none" });
    const design = { ...defaultPassDesign, logo: { kind: "none" } } as const;
    expect(logoOf({ logoKey: "logos/1", design })).toEqual({ kind: "none" });
  });

  test("nothing of its owner once it is void", () => {
    const voided = voidedContent(content());
    expect(JSON.stringify(voided)).not.toMatch(/Ada|Programmer|example\.com|7946|programs/);
    expect(voided).toMatchObject({ cardId: card.id, isVoided: true });
  });
});

test("its texts are readable on every card design, theme and color (WCAG AA)", () => {
  const design = fc.record({
    accent: fc.oneof(fc.constantFrom(...accentChoices.map(({ id }) => id)), fc.stringMatching(/^#[\da-f]{6}$/)),
    layout: fc.constantFrom(...layoutChoices.map(({ id }) => id)),
    paper: fc.constantFrom(...paperChoices.map(({ id }) => id)),
  });
  fc.assert(
    fc.property(design, fc.constantFrom(...plans.premium.themes), (chosen, theme) => {
      const drawn = drawnStyle(chosen, { theme, plan: plans.premium });
      const { background, text, label } = content({}, { colors: drawn.colors }).colors;
      for (const back of background)
        for (const front of [text, label]) expect(contrast(front, back)).toBeGreaterThanOrEqual(leastTextContrast);
    }),
  );
});
