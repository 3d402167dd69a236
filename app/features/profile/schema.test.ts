import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { plans } from "#app/features/billing/rules.ts";
import { messages as linkMessages } from "#app/features/links/messages.ts";
import { linkKinds } from "#app/features/links/rules.ts";
import type { LinkKind } from "#app/features/links/rules.ts";
import { timeInScans } from "#tests/support/measurements.ts";

import { toDraft } from "./editor/form-data.ts";
import type { ProfileDraft } from "./editor/form-data.ts";
import { messages, saveMessages } from "./messages.ts";
import { checkProfile } from "./schema.ts";
import type { CheckProfileOptions } from "./schema.ts";

const noCampaign = { utmSource: "", utmMedium: "", utmCampaign: "" };
const emptyFields = { from: "", until: "", tab: "", picture: "", alt: "", ...noCampaign };
const plainLink = { id: "a", kind: "link" as LinkKind, label: "GitHub", url: "https://github.com/ada", on: true };
const link = { key: "a", ...plainLink, ...emptyFields };
const texts = { displayName: "Ada Lovelace", bio: "Notes on the engine.", handle: "ada", theme: "default" };
const ada: ProfileDraft = { ...texts, showBusinessCard: true, isListed: true, links: [link] };
const nothing: CheckProfileOptions["stored"] = { ownerId: "ada", displayName: "", theme: "default", links: [] };
const free = { plan: plans.free, stored: nothing };
const premium = { plan: plans.premium, stored: nothing };

function check(change: Partial<ProfileDraft>, allowed = free) {
  const checked = checkProfile({ ...ada, ...change }, allowed);
  return "errors" in checked ? { errors: checked.errors } : { change: checked.change, errors: {} };
}

describe("the fields of a profile", () => {
  test("accepts a complete profile unchanged", () => {
    expect(check({}).change).toEqual({ ...ada, links: [{ ...plainLink, from: null, until: null, tab: null }] });
  });

  test("limits the name to 50 code points, and the bio to 160 characters after trimming", () => {
    expect(check({ displayName: "𝒜".repeat(50), bio: `  ${"é".repeat(160)}\r\n` }).errors).toEqual({});
    expect(check({ displayName: "𝒜".repeat(51) }).errors).toEqual({ displayName: messages.nameTooLong });
    expect(check({ bio: "é".repeat(161) }).errors).toEqual({ bio: messages.bioTooLong });
  });

  test("removes line breaks, NUL and direction marks from a name, but not emoji and right-to-left letters", () => {
    const displayName = "\u202eفاطمة 👩‍🚀\r\nBcc: x\u0000";
    const expected = { displayName: "فاطمة 👩‍🚀 Bcc: x", bio: "one\ntwo" };
    expect(check({ displayName, bio: "one\r\ntwo\u0000" }).change).toMatchObject(expected);
  });

  test.each(["", "  ", "\u200B \u2060"])(
    "a name can't be replaced by %j, unless the profile never had one",
    (blank) => {
      const named = { plan: plans.free, stored: { ...nothing, displayName: "Ada" } };
      expect(check({ displayName: blank }, named).errors).toEqual({ displayName: "Enter your name." });
      expect(check({ displayName: blank }).change).toMatchObject({ displayName: "" });
    },
  );

  test("treats the id of a card with a NUL as no card", () => {});

  test("lowercases the handle, accepts an empty one and refuses a reserved one", () => {
    expect(check({ handle: " Ada-L " }).change?.handle).toBe("ada-l");
    expect(check({ handle: "  " }).change?.handle).toBe("");
    expect(check({ handle: "admin" }).errors).toHaveProperty("handle");
    expect(check({ handle: "a\u0000b" }).errors).toHaveProperty("handle");
  });

  test("refuses a megabyte in any field quickly, with an error for that field", async () => {
    // Unicode normalization of a letter with half a million accents takes a minute.
    const huge = `a${"\u0301\u0316".repeat(500_000)}`;
    const typed = { displayName: huge, bio: huge, handle: huge, links: [{ ...link, label: huge, url: huge }] };
    const fields = ["bio", "displayName", "handle", "links.0.label", "links.0.url"];
    expect(Object.keys(check(typed).errors).toSorted()).toEqual(fields);
    expect(await timeInScans(() => check(typed), 50)).toBeLessThan(50);
  });
});

test("themes are three on Free and six on Premium", () => {
  for (const theme of ["default", "ocean", "minimal"]) expect(check({ theme }).errors).toEqual({});
  for (const name of ["Sunset", "Forest", "Royal"]) {
    const theme = name.toLowerCase();
    expect(check({ theme }).errors).toEqual({ theme: saveMessages.themeIsPremium(name) });
    expect(check({ theme }, premium).errors).toEqual({});
  }
  expect(check({ theme: "neon" }).errors).toEqual({ theme: saveMessages.themeUnknown });
});

test("themes of Premium stay after Premium has ended", () => {
  const after = { plan: plans.free, stored: { ...nothing, theme: "royal" } };
  expect(check({ theme: "royal" }, after).change?.theme).toBe("royal");
});

const withLinks = (...links: Partial<typeof link>[]) => check({ links: links.map((part) => ({ ...link, ...part })) });

test("links are cleaned and dropped when empty; errors keep their index, and the plan limits them", () => {
  const typed = withLinks({ label: " ", url: "" }, { url: "example.com/me", on: false });
  expect(typed.change?.links).toMatchObject([{ url: "https://example.com/me", on: false }]);
  const invalid = { "links.1.url": "Invalid URL" };
  expect(withLinks({ label: "", url: "" }, { url: " jAvAsCrIpT:alert(1)" }).errors).toEqual(invalid);
  const many = (count: number) => Array.from({ length: count }, (_, at) => ({ id: `l${at}` }));
  expect(withLinks(...many(8)).errors).toEqual({});
  expect(withLinks(...many(9)).errors).toEqual({ links: "You can add a maximum of 8 links." });
  const onPremium = (count: number) => check({ links: many(count).map((part) => ({ ...link, ...part })) }, premium);
  expect(onPremium(30).errors).toEqual({});
  expect(onPremium(31).errors).toEqual({ links: "You can add a maximum of 30 links." });
});

test("links that are stored stay after Premium has ended: they can be changed and removed, and none is added", () => {
  const many = (count: number) => Array.from({ length: count }, (_, at) => ({ ...link, id: `l${at}` }));
  const stored = { ...nothing, links: check({ links: many(12) }, premium).change?.links ?? [] };
  const save = (links: ReturnType<typeof many>) => check({ links }, { plan: plans.free, stored });
  expect(save(many(12).map((one) => ({ ...one, label: "Changed" }))).errors).toEqual({});
  expect(save(many(11)).errors).toEqual({});
  expect(save(many(13)).errors).toEqual({ links: "You can add a maximum of 8 links." });
});

describe("for any input", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 400 }),
    fc.constantFrom("", "example.com", "ada", "javascript:1", "Ada \u200e", "https://a.example/e\u200e\u0301"),
  );
  const time = fc.oneof(text, fc.integer({ min: 0, max: 5e12 }).map(String), fc.constant(""));
  const kind = fc.constantFrom(...linkKinds);
  const picture = fc.oneof(text, fc.constant("pictures/ada/x_1"));
  const content = { key: text, id: text, kind, label: text, url: text, picture, alt: text, tab: text };
  const campaign = { utmSource: text, utmMedium: text, utmCampaign: text };
  const links = fc.array(fc.record({ ...content, ...campaign, on: fc.boolean(), from: time, until: time }), {
    maxLength: 10,
  });
  const draft = fc.record({
    displayName: text,
    bio: text,
    handle: text,
    theme: fc.oneof(text, fc.constantFrom("default", "ocean", "royal")),
    showBusinessCard: fc.boolean(),
    isListed: fc.boolean(),
    links,
  });

  test("errors name fields that exist, and the result is within the limits and unchanged by a second check", () => {
    const fields = Object.keys(link).join("|");
    const field = new RegExp(`^(displayName|bio|handle|theme|links(\\.\\d\\.(${fields}))?)$`);
    const isClean = (typed: ProfileDraft) => {
      const names = Object.keys(check(typed).errors);
      const { change } = check({ ...typed, theme: "ocean", handle: "ada", links: typed.links.slice(0, 1) });
      const isFair = names.every((name) => field.test(name)) && (names.length > 0 || check(typed).change !== undefined);
      if (!change) return isFair;
      const again = check(toDraft(change)).change;
      const isShort = [...change.displayName].length <= 50 && [...change.bio].length <= 160;
      const isSame = JSON.stringify(again) === JSON.stringify(change);
      return isFair && isShort && isSame && !JSON.stringify(change).includes("\\u0000");
    };
    fc.assert(fc.property(draft, isClean), { numRuns: 300 });
  });
});

describe("the schedule of a link", () => {
  const times = (from: string, until: string) => check({ links: [{ ...link, from, until }] });
  const noon = Date.UTC(2026, 10, 24, 12);

  test("is stored in milliseconds, and each end is optional", () => {
    expect(times(String(noon), "").change?.links[0]).toMatchObject({ from: noon, until: null });
    expect(times("", String(noon)).change?.links[0]).toMatchObject({ from: null, until: noon });
    expect(times("", "").change?.links[0]).toMatchObject({ from: null, until: null });
  });

  test("must end after it starts", () => {
    expect(times(String(noon), String(noon + 1)).errors).toEqual({});
    for (const until of [noon, noon - 1])
      expect(times(String(noon), String(until)).errors).toEqual({ "links.0.until": linkMessages.endsBeforeStart });
  });

  test("must be a time between 2000 and 2099", () => {
    for (const far of ["1", "-62000000000000", "4102444800000", "999999999999999"])
      expect(times(far, "").errors).toEqual({ "links.0.from": linkMessages.dateOutOfRange });
    for (const odd of ["tomorrow", "1e12", "NaN", "9".repeat(40), "12.5"])
      expect(times("", odd).errors).toEqual({ "links.0.until": linkMessages.unreadableDate });
  });
});

describe("the tab of a link", () => {
  const moved = { ...link, tab: "personal" };
  const stored = { ...nothing, links: [{ ...link, from: null, until: null, tab: "personal" as const }] };

  test("is the owner's choice on Premium and refused on Free", () => {
    expect(check({ links: [moved] }, premium).change?.links[0]?.tab).toBe("personal");
    const refused = check({ links: [{ ...link, label: "Other", id: "" }, moved] });
    expect(refused.errors).toEqual({ "links.1.tab": linkMessages.tabIsPremium });
    // An unknown value means the rule's choice.
    expect(check({ links: [{ ...link, tab: "both" }] }, premium).change?.links[0]?.tab).toBeNull();
  });

  test("that was chosen before Premium ended may stay or be reset, but not change", () => {
    const after = { plan: plans.free, stored };
    expect(check({ links: [moved] }, after).change?.links[0]?.tab).toBe("personal");
    expect(check({ links: [link] }, after).change?.links[0]?.tab).toBeNull();
    expect(check({ links: [{ ...link, tab: "professional" }] }, after).errors).toHaveProperty("links.0.tab");
    expect(check({ links: [{ ...moved, id: "new" }] }, after).errors).toHaveProperty("links.0.tab");
  });
});

describe("a featured link", () => {
  const content = { picture: "pictures/ada/x1_1790000000000", alt: " A garden " };
  const featured = { ...link, kind: "featured" as const, ...content };

  test("has an image of its owner and a description", () => {
    const { picture, alt, kind } = check({ links: [featured] }).change?.links[0] ?? {};
    expect({ picture, alt, kind }).toEqual({ kind: "featured", picture: featured.picture, alt: "A garden" });
    const tooLong = { "links.0.alt": linkMessages.altTooLong };
    expect(check({ links: [{ ...featured, alt: "x".repeat(121) }] }).errors).toEqual(tooLong);
  });

  test("is refused without an image, and with anyone else's, which a plain link loses", () => {
    const refused = { "links.0.picture": linkMessages.imageRequired };
    for (const picture of ["", "pictures/eve/x_1", "avatars/ada/x_1", "pictures/ada/../eve/x_1", "pictures/ada/x"])
      expect(check({ links: [{ ...featured, picture }] }).errors).toEqual(refused);
    expect(check({ links: [{ ...featured, kind: "link" }] }).change?.links[0]).not.toHaveProperty("picture");
  });
});
