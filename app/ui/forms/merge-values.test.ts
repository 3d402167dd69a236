import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { mergeValues, parseBase } from "./merge-values.ts";

type Link = { id: string; label: string; url: string };
type Values = { name: string; bio: string; isListed: boolean; links: Link[] };

const link = (id: string, label = id): Link => ({ id, label, url: `https://${id}.example` });
const base: Values = { name: "Ada", bio: "Notes", isListed: true, links: [link("a"), link("b"), link("c")] };
const [a, b, c] = [link("a"), link("b"), link("c")];
const labels = ({ links }: Values) => links.map(({ label }) => label);
const pathsOf = (result: { conflicts: { path: string }[] }) => result.conflicts.map(({ path }) => path);
const withLinks = (...links: Link[]): Values => ({ ...base, links });

describe("fields", () => {
  test("that only one side changed have that side's value", () => {
    const mine = { ...base, bio: "Mine" };
    const other = { ...base, name: "Other", isListed: false };
    const merged = mergeValues({ base, mine, other });
    expect(merged).toEqual({ values: { ...base, bio: "Mine", name: "Other", isListed: false }, conflicts: [] });
  });

  test("that both sides changed are conflicts with both values, and keep mine", () => {
    const merged = mergeValues({ base, mine: { ...base, bio: "Mine" }, other: { ...base, bio: "Other", name: "New" } });
    expect(merged.conflicts).toEqual([{ path: "bio", mine: "Mine", other: "Other" }]);
    expect(merged.values).toMatchObject({ bio: "Mine", name: "New" });
  });

  test("that both sides changed alike aren't a conflict, whatever their line breaks", () => {
    const merged = mergeValues({ base, mine: { ...base, bio: "x\r\ny " }, other: { ...base, bio: "x\ny" } });
    expect(merged).toEqual({ values: { ...base, bio: "x\ny" }, conflicts: [] });
  });

  test("are decided by the owner's choice", () => {
    const versions = { base, mine: { ...base, bio: "Mine" }, other: { ...base, bio: "Other" } };
    for (const choice of ["mine", "other"] as const) {
      const { values, conflicts } = mergeValues(versions, { choose: (path) => (path === "bio" ? choice : undefined) });
      expect([values.bio, conflicts]).toEqual([choice === "mine" ? "Mine" : "Other", []]);
    }
  });

  test("without a base are conflicts where they differ", () => {
    for (const unknown of [undefined, null, 5, "text", [], { links: 5 }]) {
      const merged = mergeValues({ base: unknown, mine: { ...base, bio: "Mine" }, other: { ...base, name: "Other" } });
      expect(pathsOf(merged).toSorted()).toEqual(["bio", "name"]);
    }
  });
});

describe("links", () => {
  test("added on both sides are all kept", () => {
    const mine = withLinks(...base.links, link("m"));
    const merged = mergeValues({ base, mine, other: withLinks(link("o"), ...base.links) });
    expect(labels(merged.values)).toEqual(["o", "a", "b", "c", "m"]);
    expect(merged.conflicts).toEqual([]);
  });

  test("added alike on both sides are one link, with the stored id", () => {
    const mine = withLinks(...base.links, { ...link("m"), id: "new" });
    const other = { ...withLinks(...base.links, { ...link("m"), id: "stored" }), bio: "Other" };
    expect(mergeValues({ base, mine, other }).values.links.map(({ id }) => id)).toEqual(["a", "b", "c", "stored"]);
  });

  test("removed on one side are gone, unless the other side changed them", () => {
    const mine = withLinks(a, { ...b, label: "Mine" }, c);
    expect(labels(mergeValues({ base, mine, other: withLinks(a, b) }).values)).toEqual(["a", "Mine"]);
    const asked = mergeValues({ base, mine, other: withLinks(a, c) });
    expect(asked.conflicts).toEqual([{ path: "links.b", mine: { ...b, label: "Mine" }, other: undefined }]);
    const removed = mergeValues({ base, mine, other: withLinks(a, c) }, { choose: () => "other" });
    expect(labels(removed.values)).toEqual(["a", "c"]);
  });

  test("changed on both sides are merged by field", () => {
    const mine = withLinks({ ...a, label: "Mine" }, b, c);
    expect(mergeValues({ base, mine, other: withLinks({ ...a, url: "https://o.example" }, b, c) })).toMatchObject({
      values: { links: [{ id: "a", label: "Mine", url: "https://o.example" }, b, c] },
      conflicts: [],
    });
    expect(pathsOf(mergeValues({ base, mine, other: withLinks({ ...a, label: "Other" }, b, c) }))).toEqual([
      "links.a.label",
    ]);
  });

  test("moved on one side keep the other side's changes", () => {
    const mine = withLinks(c, a, b);
    const other = withLinks(a, { ...b, label: "Other" }, link("o"), c);
    const merged = mergeValues({ base, mine, other });
    expect([labels(merged.values), merged.conflicts]).toEqual([["c", "a", "Other", "o"], []]);
  });

  test("moved on both sides are a conflict about the order", () => {
    const versions = { base, mine: withLinks(c, a, b), other: withLinks(b, a, c) };
    expect(pathsOf(mergeValues(versions))).toEqual(["links.order"]);
    expect(labels(mergeValues(versions, { choose: () => "other" }).values)).toEqual(["b", "a", "c"]);
  });

  test("that are too many together are a conflict of the whole list", () => {
    const [mine, other] = ["m", "o"].map((id) => withLinks(...base.links, link(id)));
    const versions = { base, mine: mine ?? base, other: other ?? base };
    const maxRows = { links: 4 };
    expect(pathsOf(mergeValues(versions, { maxRows }))).toEqual(["links"]);
    const theirs = mergeValues(versions, { maxRows, choose: () => "other" });
    expect([labels(theirs.values), theirs.conflicts]).toEqual([["a", "b", "c", "o"], []]);
  });
});

const anyLink = fc.record({ id: fc.constantFrom("a", "b", "c", "d", "e"), label: fc.string(), url: fc.string() });
const anyValues = fc.record({
  name: fc.string(),
  bio: fc.string(),
  isListed: fc.boolean(),
  links: fc.uniqueArray(anyLink, { selector: ({ id }) => id, maxLength: 5 }),
});
const any = { base: anyValues, mine: anyValues, other: anyValues };
const trimmed = (text: string) => text.replaceAll("\r\n", "\n").trim();

describe("whatever was changed", () => {
  test("a side that changed nothing takes the other side's version", () => {
    fc.assert(
      fc.property(anyValues, anyValues, (before, after) => {
        expect(mergeValues({ base: before, mine: before, other: after })).toEqual({ values: after, conflicts: [] });
        const { values } = mergeValues({ base: before, mine: after, other: before });
        expect([trimmed(values.name), values.links.length]).toEqual([trimmed(after.name), after.links.length]);
      }),
    );
  });

  test("both sides get the same questions, and the same fields when there are none", () => {
    fc.assert(
      fc.property(fc.record(any), ({ base: before, mine, other }) => {
        const one = mergeValues({ base: before, mine, other });
        const two = mergeValues({ base: before, mine: other, other: mine });
        expect(pathsOf(one).toSorted()).toEqual(pathsOf(two).toSorted());
      }),
    );
  });

  test("a link that one side added or changed is kept or asked about", () => {
    fc.assert(
      fc.property(fc.record(any), ({ base: before, mine, other }) => {
        const { values, conflicts } = mergeValues({ base: before, mine, other });
        for (const row of mine.links) {
          const was = before.links.find(({ id }) => id === row.id);
          const isChanged = !was || trimmed(was.label) !== trimmed(row.label) || trimmed(was.url) !== trimmed(row.url);
          const isKept = values.links.some(
            ({ label, url }) => trimmed(label) === trimmed(row.label) || trimmed(url) === trimmed(row.url),
          );
          expect(!isChanged || isKept || conflicts.length > 0).toBe(true);
        }
        expect(new Set(values.links.map(({ id }) => id)).size).toBe(values.links.length);
      }),
    );
  });

  test("nothing is open after every question is answered, and each answer is followed", () => {
    fc.assert(
      fc.property(fc.record(any), fc.constantFrom("mine" as const, "other" as const), (versions, choice) => {
        const asked = mergeValues(versions).conflicts;
        const { values, conflicts } = mergeValues(versions, { choose: () => choice });
        expect(conflicts).toEqual([]);
        for (const { path } of asked)
          if (path === "name" || path === "bio") expect(values[path]).toBe(versions[choice][path]);
      }),
    );
  });

  test("nothing of the base becomes part of the result", () => {
    fc.assert(
      fc.property(fc.anything(), anyValues, anyValues, (unknown, mine, other) => {
        const { values } = mergeValues({ base: parseBase(JSON.stringify(unknown) ?? ""), mine, other });
        expect([mine.name, other.name]).toContain(values.name);
        const urls = [...mine.links, ...other.links].map(({ url }) => url);
        for (const { url } of values.links) expect(urls).toContain(url);
      }),
    );
  });
});

test("the base that a form carries is read from JSON, may be nested as deep as a sender likes, and is undefined else", () => {
  expect(parseBase(JSON.stringify(base))).toEqual(base);
  for (const text of ["", "{", "null{"]) expect(parseBase(text)).toBeUndefined();
  const deep = `${"[".repeat(40_000)}${"]".repeat(40_000)}`;
  expect(mergeValues({ base: parseBase(deep), mine: base, other: base }).conflicts).toEqual([]);
});
