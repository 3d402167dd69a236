import { describe, expect, test } from "vitest";

import { differences, isSameDraft } from "./draft.ts";
import type { ProfileDraft } from "./draft.ts";
import { edit, startEditing } from "./editing.ts";
import type { Edit, Editing } from "./editing.ts";

const linkOf = (key: string, label: string, url: string) => ({
  key,
  id: key,
  label,
  url,
  on: true,
  from: "",
  until: "",
  tab: "",
});
const draft: ProfileDraft = {
  displayName: "Ada",
  bio: "",
  handle: "",
  theme: "default",
  showBusinessCard: true,
  isListed: true,
  links: [linkOf("a", "GitHub", "https://github.com/ada"), linkOf("b", "Blog", "https://ada.example")],
};
const start = startEditing({ draft, version: 1 });
const after = (...edits: Edit[]): Editing => edits.reduce(edit, start);
const isDirty = (state: Editing) => !isSameDraft(state.draft, state.saved);
const labels = (state: Editing) => state.draft.links.map(({ label }) => label);

describe("unsaved changes", () => {
  test("there are none at first, and none when a change is taken back", () => {
    expect(isDirty(start)).toBe(false);
    const typed = after({ kind: "text", name: "bio", value: "x" });
    expect(isDirty(typed)).toBe(true);
    expect(isDirty(edit(typed, { kind: "text", name: "bio", value: "" }))).toBe(false);
  });

  test("an empty new link is none", () => {
    expect(isDirty(after({ kind: "add" }))).toBe(false);
  });

  test("a link that is switched off, moved or removed is one", () => {
    expect(isDirty(after({ kind: "link", key: "a", change: { on: false } }))).toBe(true);
    expect(isDirty(after({ kind: "move", key: "a", to: 1 }))).toBe(true);
    expect(isDirty(after({ kind: "remove", key: "b" }))).toBe(true);
  });

  test("so is a time, another tab, and a page that is no longer listed", () => {
    for (const change of [{ from: "1795500000000" }, { until: "1795500000000" }, { tab: "personal" }])
      expect(isDirty(after({ kind: "link", key: "a", change }))).toBe(true);
    expect(isDirty(after({ kind: "switch", name: "isListed", isOn: false }))).toBe(true);
  });
});

describe("links while they are edited", () => {
  test("a ninth can't be added", () => {
    const nine = Array.from({ length: 9 }, (): Edit => ({ kind: "add" }));
    const state = after(...nine);
    expect(state.draft.links).toHaveLength(8);
    expect(new Set(state.draft.links.map(({ key }) => key)).size).toBe(8);
  });

  test("moving is said aloud, and stops at the ends", () => {
    const moved = after({ kind: "move", key: "b", to: 0 });
    expect(labels(moved)).toEqual(["Blog", "GitHub"]);
    expect(moved.news).toBe("Blog moved to place 1 of 2.");
    expect(after({ kind: "move", key: "b", to: 2 })).toBe(start);
    expect(after({ kind: "move", key: "a", to: -1 })).toBe(start);
  });

  test("leaving the field adds https:// to a domain, and names what is no address", () => {
    const typed = after({ kind: "link", key: "a", change: { url: "example.com/me" } }, { kind: "leave-url", key: "a" });
    expect(typed.draft.links[0]?.url).toBe("https://example.com/me");
    const wrong = after(
      { kind: "link", key: "a", change: { url: "javascript:alert(1)" } },
      { kind: "leave-url", key: "a" },
    );
    expect(wrong.problems["a.url"]).toBe("Invalid URL");
    const mended = edit(wrong, { kind: "link", key: "a", change: { url: "https://example.com" } });
    expect(mended.problems["a.url"]).toBeUndefined();
  });

  test("a problem that the server found stays with its link when that moves, and opens it", () => {
    const notice = { title: "", text: "" };
    const refused = after({ kind: "answer", answer: { notice, problems: { "links.1.url": "Invalid URL" } } });
    const moved = edit(refused, { kind: "move", key: "b", to: 0 });
    expect(moved.problems).toMatchObject({ "b.url": "Invalid URL" });
    expect(moved.open).toContain("b");
  });
});

describe("two tabs", () => {
  const other = { draft: { ...draft, bio: "From the phone", links: [] }, version: 4 };
  const notice = { title: "", text: "" };

  test("what differs is shown field by field", () => {
    expect(differences(draft, other.draft)).toEqual([
      { field: "Bio", mine: "", other: "From the phone" },
      { field: "Links", mine: "GitHub: https://github.com/ada\nBlog: https://ada.example", other: "" },
    ]);
  });

  test("the version of the form stays the old one until somebody chooses; taking the other one takes its version", () => {
    const asked = after({ kind: "answer", answer: { notice, other } });
    expect(asked.version).toBe(1);
    const taken = edit(asked, { kind: "take", stored: other });
    expect(taken).toMatchObject({ version: 4, draft: other.draft, saved: other.draft });
    expect(taken.other).toBeUndefined();
  });
});
