import { describe, expect, test } from "vitest";

import { isSameDraft } from "./form-data.ts";
import type { ProfileDraft } from "./form-data.ts";

import { initialEdits, profileFormReducer } from "./form-state.ts";
import type { ProfileEdits, ProfileFormAction } from "./form-state.ts";

const makeLink = (key: string, label: string, url: string) => ({
  key,
  id: key,
  kind: "link" as const,
  label,
  url,
  on: true,
  from: "",
  until: "",
  tab: "",
  picture: "",
  alt: "",
  utmSource: "",
  utmMedium: "",
  utmCampaign: "",
});
const draft: ProfileDraft = {
  displayName: "Ada",
  bio: "",
  handle: "",
  theme: "default",
  showBusinessCard: true,
  contactCardId: "",
  isListed: true,
  links: [makeLink("a", "GitHub", "https://github.com/ada"), makeLink("b", "Blog", "https://ada.example")],
};
const start = initialEdits(draft);
const after = (...edits: ProfileFormAction[]): ProfileEdits => edits.reduce(profileFormReducer, start);
const isDirty = (state: ProfileEdits) => !isSameDraft(state.draft, draft);
const labels = (state: ProfileEdits) => state.draft.links.map(({ label }) => label);

describe("unsaved changes", () => {
  test("don't exist at first and after a change is reverted", () => {
    expect(isDirty(start)).toBe(false);
    const typed = after({ kind: "text", name: "bio", value: "x" });
    expect(isDirty(typed)).toBe(true);
    expect(isDirty(profileFormReducer(typed, { kind: "text", name: "bio", value: "" }))).toBe(false);
  });

  test("don't include an empty new link", () => {
    expect(isDirty(after({ kind: "add" }))).toBe(false);
  });

  test("include a link that is switched off, moved or removed", () => {
    expect(isDirty(after({ kind: "link", key: "a", change: { on: false } }))).toBe(true);
    expect(isDirty(after({ kind: "move", key: "a", to: 1 }))).toBe(true);
    expect(isDirty(after({ kind: "remove", key: "b" }))).toBe(true);
  });

  test("include a time, another tab and a page that is no longer listed", () => {
    for (const change of [{ from: "1795500000000" }, { until: "1795500000000" }, { tab: "personal" }])
      expect(isDirty(after({ kind: "link", key: "a", change }))).toBe(true);
    expect(isDirty(after({ kind: "switch", name: "isListed", isOn: false }))).toBe(true);
  });
});

describe("editing links", () => {
  test("adds at most eight", () => {
    const nine = Array.from({ length: 9 }, (): ProfileFormAction => ({ kind: "add" }));
    const state = after(...nine);
    expect(state.draft.links).toHaveLength(8);
    expect(new Set(state.draft.links.map(({ key }) => key)).size).toBe(8);
  });

  test("announces a move and stops at the ends", () => {
    const moved = after({ kind: "move", key: "b", to: 0 });
    expect(labels(moved)).toEqual(["Blog", "GitHub"]);
    expect(moved.announcement).toBe("Blog moved to position 1 of 2.");
    expect(after({ kind: "move", key: "b", to: 2 })).toBe(start);
    expect(after({ kind: "move", key: "a", to: -1 })).toBe(start);
  });

  test("adds https:// on blur and reports an invalid URL", () => {
    const typed = after({ kind: "link", key: "a", change: { url: "example.com/me" } }, { kind: "leave-url", key: "a" });
    expect(typed.draft.links[0]?.url).toBe("https://example.com/me");
    const invalid = after(
      { kind: "link", key: "a", change: { url: "javascript:alert(1)" } },
      { kind: "leave-url", key: "a" },
    );
    expect(invalid.errors["a.url"]).toBe("Invalid URL");
    const corrected = profileFormReducer(invalid, { kind: "link", key: "a", change: { url: "https://example.com" } });
    expect(corrected.errors["a.url"]).toBeUndefined();
  });

  test("adds headings beside the links, at most eight", () => {
    const heading = { kind: "heading", label: "", url: "" } as const;
    const links = Array.from({ length: 8 }, (): ProfileFormAction => ({ kind: "add" }));
    const headings = links.map((): ProfileFormAction => ({ kind: "add", link: heading }));
    const state = after(...links, ...headings, { kind: "add", link: heading });
    expect(state.draft.links.filter(({ kind }) => kind === "heading")).toHaveLength(8);
    expect(state.draft.links).toHaveLength(16);
  });

  test("closes the other links when one is added, but none with an error", () => {
    const added = after({ kind: "open", key: "a", isOpen: true }, { kind: "add" });
    expect(added.openKeys).toEqual(["new-0"]);
    const refused = after({ kind: "rejected", errors: { "links.1.url": "Invalid URL" } }, { kind: "add" });
    expect(refused.openKeys).toEqual(["b", "new-0"]);
  });

  test("fills in the name from the URL until a name is typed", () => {
    const type = (change: { url?: string; label?: string }): ProfileFormAction => ({
      kind: "link",
      key: "new-0",
      change,
    });
    const labelAfter = (...actions: ProfileFormAction[]) => after({ kind: "add" }, ...actions).draft.links[2]?.label;
    const suggested = [type({ url: "calendly.com/ada" })];
    expect(labelAfter(...suggested)).toBe("Calendly");
    expect(labelAfter(...suggested, type({ url: "cal.com/ada" }))).toBe("Cal.com");
    expect(labelAfter(...suggested, type({ label: "Meet me" }), type({ url: "cal.com/ada" }))).toBe("Meet me");
  });

  test("asks for the network of a user name, and guesses none", () => {
    const left = after({ kind: "link", key: "a", change: { url: "@ada" } }, { kind: "leave-url", key: "a" });
    expect(left.draft.links[0]?.url).toBe("@ada");
    expect(left.errors["a.url"]).toBe("Enter a full URL, or choose a network for “ada”:");
  });

  test("keeps a server error at its link when that moves, and opens the link", () => {
    const refused = after({ kind: "rejected", errors: { "links.1.url": "Invalid URL" } });
    const moved = profileFormReducer(refused, { kind: "move", key: "b", to: 0 });
    expect(moved.errors).toMatchObject({ "b.url": "Invalid URL" });
    expect(moved.openKeys).toContain("b");
  });
});

test("what was typed before hydration keeps the errors of the last save", () => {
  const other: ProfileDraft = { ...draft, bio: "From the phone", links: [] };
  const rejected = after({ kind: "rejected", errors: { bio: "Too long" } });
  const typed = profileFormReducer(rejected, { kind: "typed-early", draft: other });
  expect(typed).toMatchObject({ draft: other, errors: { bio: "Too long" } });
});
