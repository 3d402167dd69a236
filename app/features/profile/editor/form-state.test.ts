import { describe, expect, test } from "vitest";

import { isSameDraft, readDraft } from "./form-data.ts";

import { initialEdits, profileFormReducer } from "./form-state.ts";
import type { ProfileEdits, ProfileFormAction } from "./form-state.ts";

const form = new FormData();
const fields = {
  displayName: "Ada",
  theme: "default",
  isListed: "on",
  "links.0.label": "GitHub",
  "links.1.label": "Blog",
};
for (const [name, value] of Object.entries({ ...fields, "links.0.on": "on", "links.1.on": "on" }))
  form.set(name, value);
const draft = readDraft(form);
const [github, blog] = ["https://github.com/ada", "https://ada.example"];
draft.links = draft.links.map((link, index) => ({ ...link, key: "ab"[index] ?? "", url: [github, blog][index] ?? "" }));
const start = initialEdits(draft);
const after = (...edits: ProfileFormAction[]): ProfileEdits => edits.reduce(profileFormReducer, start);
const isDirty = (state: ProfileEdits) => !isSameDraft(state.draft, draft);
const add = { kind: "add", maxLinks: 8 } as const;
const labels = (state: ProfileEdits) => state.draft.links.map(({ label }) => label);

test("there are no unsaved changes at first, after a change is reverted, and with an empty new link", () => {
  expect(isDirty(start)).toBe(false);
  const typed = after({ kind: "text", name: "bio", value: "x" });
  expect(isDirty(typed)).toBe(true);
  expect(isDirty(profileFormReducer(typed, { kind: "text", name: "bio", value: "" }))).toBe(false);
  expect(isDirty(after(add))).toBe(false);
});

test("unsaved changes include a link that is moved, removed or changed, and a page that is no longer listed", () => {
  expect(isDirty(after({ kind: "move", key: "a", to: 1 }))).toBe(true);
  expect(isDirty(after({ kind: "remove", key: "b" }))).toBe(true);
  for (const change of [{ on: false }, { from: "1795500000000" }, { until: "1795500000000" }, { tab: "personal" }])
    expect(isDirty(after({ kind: "link", key: "a", change }))).toBe(true);
  expect(isDirty(after({ kind: "switch", name: "isListed", isOn: false }))).toBe(true);
});

describe("editing links", () => {
  test("announces a move and stops at the ends", () => {
    const moved = after({ kind: "move", key: "b", to: 0 });
    expect(labels(moved)).toEqual(["Blog", "GitHub"]);
    expect(moved.announcement).toBe("Blog moved to position 1 of 2.");
    expect(after({ kind: "move", key: "b", to: 2 })).toBe(start);
    expect(after({ kind: "move", key: "a", to: -1 })).toBe(start);
  });

  test("adds https:// on blur and reports an invalid URL", () => {
    const leave = (url: string) => after({ kind: "link", key: "a", change: { url } }, { kind: "leave-url", key: "a" });
    expect(leave("example.com/me").draft.links[0]?.url).toBe("https://example.com/me");
    const invalid = leave("javascript:alert(1)");
    expect(invalid.errors["a.url"]).toBe("Invalid URL");
    const corrected = profileFormReducer(invalid, { kind: "link", key: "a", change: { url: "https://example.com" } });
    expect(corrected.errors["a.url"]).toBeUndefined();
    // A user name isn't taken for that of any network.
    const named = leave("@ada");
    expect(named.draft.links[0]?.url).toBe("@ada");
    expect(named.errors["a.url"]).toBe("Enter a full URL, or choose a network for “ada”:");
  });

  test("adds at most eight links, and eight headings beside them", () => {
    const adds = Array.from({ length: 9 }, () => add);
    const heading = { kind: "heading", label: "", url: "" } as const;
    const state = after(...adds, ...adds.map(() => ({ ...add, link: heading })));
    expect(state.draft.links.filter(({ kind }) => kind === "heading")).toHaveLength(8);
    expect(state.draft.links).toHaveLength(16);
    expect(new Set(state.draft.links.map(({ key }) => key)).size).toBe(16);
  });

  test("puts a new heading above the open link, or else the first one, and an imported one at the end", () => {
    const heading = { kind: "heading", label: "", url: "" } as const;
    const kinds = (...edits: ProfileFormAction[]) => after(...edits).draft.links.map(({ kind }) => kind);
    expect(kinds({ ...add, link: heading })).toEqual(["heading", "link", "link"]);
    const opened = { kind: "open", key: "b", isOpen: true } as const;
    expect(kinds(opened, { ...add, link: heading })).toEqual(["link", "heading", "link"]);
    expect(kinds(opened, { ...add, link: { ...heading, label: "Talks" } })).toEqual(["link", "link", "heading"]);
  });

  test("closes the other links when one is added, but none with an error", () => {
    const added = after({ kind: "open", key: "a", isOpen: true }, add);
    expect(added.openKeys).toEqual(["new-0"]);
    const refused = after({ kind: "rejected", errors: { "links.1.url": "Invalid URL" } }, add);
    expect(refused.openKeys).toEqual(["b", "new-0"]);
  });

  test("fills in the name from the URL until a name is typed", () => {
    const labelAfter = (...changes: { url?: string; label?: string }[]) => {
      const actions = changes.map((change) => ({ kind: "link" as const, key: "new-0", change }));
      return after(add, ...actions).draft.links[2]?.label;
    };
    const [typed, other] = [{ url: "calendly.com/ada" }, { url: "cal.com/ada" }];
    expect(labelAfter(typed)).toBe("Calendly");
    expect(labelAfter(typed, other)).toBe("Cal.com");
    expect(labelAfter(typed, { label: "Meet me" }, other)).toBe("Meet me");
  });

  test("keeps a server error at its link when that moves, and opens the link", () => {
    const refused = after({ kind: "rejected", errors: { "links.1.url": "Invalid URL" } });
    const moved = profileFormReducer(refused, { kind: "move", key: "b", to: 0 });
    expect(moved.errors).toMatchObject({ "b.url": "Invalid URL" });
    expect(moved.openKeys).toContain("b");
  });
});

test("what was typed before hydration keeps the errors of the last save", () => {
  const other = { ...draft, bio: "From the phone", links: [] };
  const rejected = after({ kind: "rejected", errors: { bio: "Too long" } });
  const typed = profileFormReducer(rejected, { kind: "typed-early", draft: other });
  expect(typed).toMatchObject({ draft: other, errors: { bio: "Too long" } });
});
