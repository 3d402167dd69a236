import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { plans } from "#app/features/billing/rules.ts";
import { messages as linkMessages } from "#app/features/links/messages.ts";
import { maxLinks } from "#app/features/links/rules.ts";
import { processorTime } from "#tests/support/processor-time.ts";

import type { ProfileChange } from "./data.server.ts";
import { draftOf, readDraft } from "./draft.ts";
import type { ProfileDraft } from "./draft.ts";
import { checkProfile } from "./form.ts";
import { answerWords } from "./answer-words.ts";
import { messages } from "./messages.ts";

const link = {
  key: "a",
  id: "a",
  label: "GitHub",
  url: "https://github.com/ada",
  on: true,
  from: "",
  until: "",
  tab: "",
};
const ada: ProfileDraft = {
  displayName: "Ada Lovelace",
  bio: "Notes on the engine.",
  handle: "ada",
  theme: "default",
  showBusinessCard: true,
  isListed: true,
  links: [link],
};
const nothing: Pick<ProfileChange, "theme" | "links"> = { theme: "default", links: [] };
const free = { plan: plans.free, stored: nothing };

function check(change: Partial<ProfileDraft>, allowed = free) {
  const checked = checkProfile({ ...ada, ...change }, allowed);
  return "problems" in checked ? { problems: checked.problems } : { change: checked.change, problems: {} };
}

describe("what a profile may say", () => {
  test("a whole profile passes as it is", () => {
    const { key: _, ...saved } = link;
    expect(check({}).change).toEqual({ ...ada, links: [{ ...saved, from: null, until: null, tab: null }] });
  });

  test("a name of 50 characters passes, one more is refused; a sign beyond the basic plane is one", () => {
    expect(check({ displayName: "𝒜".repeat(50) }).problems).toEqual({});
    expect(check({ displayName: "𝒜".repeat(51) }).problems).toEqual({ displayName: messages.nameTooLong });
  });

  test("a bio of 160 characters passes, one more is refused, and spaces around it do not count", () => {
    expect(check({ bio: `  ${"é".repeat(160)}\r\n` }).problems).toEqual({});
    expect(check({ bio: "é".repeat(161) }).problems).toEqual({ bio: messages.bioTooLong });
  });

  test("names keep emoji and right-to-left letters, and lose line breaks, NUL and marks that turn the direction", () => {
    const displayName = "\u202eفاطمة 👩‍🚀\r\nBcc: x\u0000";
    expect(check({ displayName }).change?.displayName).toBe("فاطمة 👩‍🚀 Bcc: x");
  });

  test("a name of signs that nobody sees is no name", () => {
    expect(check({ displayName: "\u200b \u2060" }).change?.displayName).toBe("");
  });

  test("a bio keeps its lines", () => {
    expect(check({ bio: "one\r\ntwo\u0000" }).change?.bio).toBe("one\ntwo");
  });

  test("a handle is saved in small letters; none is none; a reserved one is refused", () => {
    expect(check({ handle: " Ada-L " }).change?.handle).toBe("ada-l");
    expect(check({ handle: "  " }).change?.handle).toBe("");
    expect(check({ handle: "admin" }).problems).toHaveProperty("handle");
    expect(check({ handle: "a\u0000b" }).problems).toHaveProperty("handle");
  });

  test("a megabyte in any field is refused at once, and said beside that field", async () => {
    const huge = `a${"\u0301\u0316".repeat(500_000)}`;
    const typed = { displayName: huge, bio: huge, handle: huge, links: [{ ...link, label: huge, url: huge }] };
    const { answer, seconds } = await processorTime(() => check(typed));
    expect(Object.keys(answer.problems).toSorted()).toEqual([
      "bio",
      "displayName",
      "handle",
      "links.0.label",
      "links.0.url",
    ]);
    expect(seconds).toBeLessThan(1);
  });
});

describe("themes", () => {
  test("Free has three; the others are refused on the server as well", () => {
    for (const theme of ["default", "ocean", "minimal"]) expect(check({ theme }).problems).toEqual({});
    for (const theme of ["sunset", "forest", "royal"])
      expect(check({ theme }).problems).toEqual({ theme: answerWords.themeIsPremium });
  });

  test("Premium has six", () => {
    const premium = { plan: plans.premium, stored: nothing };
    for (const theme of ["default", "ocean", "minimal", "sunset", "forest", "royal"]) {
      expect(check({ theme }, premium).problems).toEqual({});
    }
  });

  test("a Premium theme that is stored already may stay after Premium has ended", () => {
    expect(check({ theme: "royal" }, { plan: plans.free, stored: { ...nothing, theme: "royal" } }).change?.theme).toBe(
      "royal",
    );
  });

  test("a theme that we do not have is refused", () => {
    expect(check({ theme: "neon" }).problems).toEqual({ theme: answerWords.themeUnknown });
  });
});

describe("links", () => {
  const withLinks = (...links: Partial<typeof link>[]) => check({ links: links.map((part) => ({ ...link, ...part })) });

  test("an address without https:// gets it on the server too", () => {
    expect(withLinks({ url: "example.com/me" }).change?.links[0]?.url).toBe("https://example.com/me");
  });

  test("javascript: and data: are refused beside their field", () => {
    for (const url of ["javascript:alert(1)", "data:text/html,x", " jAvAsCrIpT:alert(1)", "vbscript:x"]) {
      expect(withLinks({ url }).problems).toEqual({ "links.0.url": "Invalid URL" });
    }
  });

  test("a link with neither name nor address is dropped, and the problems of others keep their place", () => {
    expect(withLinks({ label: " ", url: "" }, {}).change?.links).toHaveLength(1);
    expect(withLinks({ label: "", url: "" }, { label: "" }).problems).toEqual({
      "links.1.label": "Link name is required",
    });
  });

  test("eight pass, nine are refused", () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => ({ id: `l${at}` }));
    expect(withLinks(...many(maxLinks)).problems).toEqual({});
    expect(withLinks(...many(maxLinks + 1)).problems).toEqual({ links: "You can add a maximum of 8 links." });
  });

  test("a link that is off stays, switched off", () => {
    expect(withLinks({ on: false }).change?.links[0]?.on).toBe(false);
  });
});

describe("whatever is typed", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 400 }),
    fc.constantFrom("", "example.com", "ada", "javascript:1", "Ada \u200e", "https://a.example/e\u200e\u0301"),
  );
  const time = fc.oneof(text, fc.integer({ min: 0, max: 5e12 }).map(String), fc.constant(""));
  const links = fc.array(
    fc.record({ key: text, id: text, label: text, url: text, on: fc.boolean(), from: time, until: time, tab: text }),
    {
      maxLength: 10,
    },
  );
  const draft = fc.record({
    displayName: text,
    bio: text,
    handle: text,
    theme: fc.oneof(text, fc.constantFrom("default", "ocean", "royal")),
    showBusinessCard: fc.boolean(),
    isListed: fc.boolean(),
    links,
  });

  test("a refusal names fields that exist", () => {
    const field = /^(displayName|bio|handle|theme|links(\.\d\.(label|url|from|until|tab))?)$/;
    const isFair = (typed: ProfileDraft) => {
      const names = Object.keys(check(typed).problems);
      return names.every((name) => field.test(name)) && (check(typed).change !== undefined || names.length > 0);
    };
    expect(fc.check(fc.property(draft, isFair), { numRuns: 500 }).failed).toBe(false);
  });

  test("what is saved is within its limits, and saving it once more changes nothing", () => {
    const isClean = (typed: ProfileDraft) => {
      const { change } = check({ ...typed, theme: "ocean", handle: "ada", links: typed.links.slice(0, 1) });
      if (!change) return true;
      const again = check(draftOf(change)).change;
      const isShort = [...change.displayName].length <= 50 && [...change.bio].length <= 160;
      return isShort && !JSON.stringify(change).includes("\\u0000") && JSON.stringify(again) === JSON.stringify(change);
    };
    expect(fc.check(fc.property(draft, isClean), { numRuns: 500 }).failed).toBe(false);
  });
});

describe("the schedule of a link", () => {
  const times = (from: string, until: string) => check({ links: [{ ...link, from, until }] });
  const noon = Date.UTC(2026, 10, 24, 12);

  test("is kept in milliseconds, each end alone or both, and none is none", () => {
    expect(times(String(noon), "").change?.links[0]).toMatchObject({ from: noon, until: null });
    expect(times("", String(noon)).change?.links[0]).toMatchObject({ from: null, until: noon });
    expect(times("", "").change?.links[0]).toMatchObject({ from: null, until: null });
  });

  test("ends after it starts, or that is said beside its end", () => {
    expect(times(String(noon), String(noon + 1)).problems).toEqual({});
    for (const until of [noon, noon - 1]) {
      expect(times(String(noon), String(until)).problems).toEqual({ "links.0.until": linkMessages.endsBeforeStart });
    }
  });

  test("has no year far off, and nothing that is no time", () => {
    for (const far of ["1", "-62000000000000", "4102444800000", "999999999999999"]) {
      expect(times(far, "").problems).toEqual({ "links.0.from": linkMessages.dateFarOff });
    }
    for (const odd of ["?", "tomorrow", "1e12", "NaN", "9".repeat(40), "12.5"]) {
      expect(times("", odd).problems).toEqual({ "links.0.until": linkMessages.unreadableDate });
    }
  });
});

describe("the tab of a link", () => {
  const moved = { ...link, tab: "personal" };
  const stored = { ...nothing, links: [{ ...link, from: null, until: null, tab: "personal" as const }] };

  test("is the owner's choice with Premium, and refused beside the link on Free", () => {
    const premium = { plan: plans.premium, stored: nothing };
    expect(check({ links: [moved] }, premium).change?.links[0]?.tab).toBe("personal");
    expect(check({ links: [{ ...link, label: "Other", id: "" }, moved] }).problems).toEqual({
      "links.1.tab": linkMessages.tabIsPremium,
    });
  });

  test("chosen before Premium ended stays as it is, may be given up, and may not be changed", () => {
    const after = { plan: plans.free, stored };
    expect(check({ links: [moved] }, after).change?.links[0]?.tab).toBe("personal");
    expect(check({ links: [link] }, after).change?.links[0]?.tab).toBeNull();
    expect(check({ links: [{ ...link, tab: "professional" }] }, after).problems).toHaveProperty("links.0.tab");
    expect(check({ links: [{ ...moved, id: "new" }] }, after).problems).toHaveProperty("links.0.tab");
  });

  test("is one of two; any other word leaves it to the rule", () => {
    expect(
      check({ links: [{ ...link, tab: "both" }] }, { plan: plans.premium, stored }).change?.links[0]?.tab,
    ).toBeNull();
  });
});

describe("reading the form", () => {
  const form = (fields: Record<string, string | File>) => {
    const data = new FormData();
    for (const [name, value] of Object.entries(fields)) data.append(name, value);
    return data;
  };
  const whole = { version: "3", displayName: "Ada", bio: "", handle: "", theme: "ocean" };

  test("links come in the order of their numbers, with holes closed; what is not checked is off; other fields are ignored", () => {
    const { typed, version, isWhole } = readDraft(
      form({
        ...whole,
        "links.7.label": "Later",
        "links.2.label": "Earlier",
        "links.2.on": "on",
        "links.2.user_id": "mallory",
        "links.x.label": "no",
        subscription_tier: "premium",
        user_id: "mallory",
      }),
    );
    expect({ version, isWhole }).toEqual({ version: 3, isWhole: true });
    expect(typed.links.map(({ label, on }) => [label, on])).toEqual([
      ["Earlier", true],
      ["Later", false],
    ]);
    expect(typed).toMatchObject({ displayName: "Ada", theme: "ocean", showBusinessCard: false });
    expect(JSON.stringify(typed)).not.toContain("mallory");
  });

  test("a form with a field missing, a file in place of a text or no version is not whole", () => {
    const { bio: _, ...withoutBio } = whole;
    expect(readDraft(form(withoutBio)).isWhole).toBe(false);
    expect(readDraft(form({ ...whole, bio: new File(["x"], "bio.txt") })).isWhole).toBe(false);
    for (const version of ["", "-1", "0", "1.5", "NaN", "99999999999"]) {
      expect(readDraft(form({ ...whole, version })).isWhole).toBe(false);
    }
  });

  test("what 'Keep mine' replaces goes before the version that the form was opened with", () => {
    expect(readDraft(form({ ...whole, replaces: "5" })).version).toBe(5);
  });
});
