import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { plans } from "#app/features/billing/rules.ts";

import type { Card } from "./data.server.ts";
import { movedTo } from "./card-moves.ts";
import { noMore } from "./more-fields.ts";
import {
  copyName,
  hiddenBecause,
  isBeyondPlan,
  listedCards,
  maxLengths,
  newCard,
  oldestOf,
  refuseNewCard,
} from "./rules.ts";

const card: Card = {
  id: "card-1",
  userId: "ada",
  cardName: "My Business Card",
  profession: "Mathematician",
  company: "Analytical Engines",
  position: "",
  email: "ada@example.com",
  phone: "",
  yearsExperience: null,
  links: [],
  isPublic: true,
  more: noMore(),
  logoStem: null,
  isPaused: false,
  place: 1,
  version: 1,
  createdAt: 1,
  updatedAt: 1,
};

describe("the room for cards", () => {
  test("Free has room for one card", () => {
    expect(refuseNewCard(plans.free, 0)).toBeUndefined();
    expect(refuseNewCard(plans.free, 1)?.title).toBe("Upgrade to create more cards");
  });

  test("Premium always has room for one more", () => {
    expect(refuseNewCard(plans.premium, 10_000)).toBeUndefined();
  });

  test("after a downgrade only the oldest card stays public", () => {
    expect(isBeyondPlan(plans.free, { isOldest: true })).toBe(false);
    expect(isBeyondPlan(plans.free, { isOldest: false })).toBe(true);
    expect(isBeyondPlan(plans.premium, { isOldest: false })).toBe(false);
  });

  test("the oldest card is the one that was made first, wherever its owner put it", () => {
    const first = { id: "b", createdAt: 1 };
    expect(oldestOf([first, { id: "a", createdAt: 2 }])).toBe(first);
    expect(oldestOf([{ id: "c", createdAt: 1 }, first])).toBe(first);
    expect(oldestOf([])).toBeUndefined();
  });
});

describe("the list of an owner's cards", () => {
  const cards = [
    { ...card, id: "older", place: 9 },
    { ...card, id: "newer", createdAt: 2, isPublic: false },
  ];

  test("says what they do and where", () => {
    expect(listedCards(plans.premium, [card]).cards[0]?.work).toBe("Mathematician · Analytical Engines");
    expect(listedCards(plans.premium, [{ ...card, company: "" }]).cards[0]?.work).toBe("Mathematician");
  });

  test("marks what is private, and what Free has no room for", () => {
    const onFree = listedCards(plans.free, cards).cards;
    expect(onFree.map(({ id, isPublic, isBeyondPlan }) => ({ id, isPublic, isBeyondPlan }))).toEqual([
      { id: "older", isPublic: true, isBeyondPlan: false },
      { id: "newer", isPublic: false, isBeyondPlan: true },
    ]);
    expect(listedCards(plans.premium, cards).cards.some(({ isBeyondPlan }) => isBeyondPlan)).toBe(false);
  });

  test("says in different words what its owner paused, what is private and what the plan has no room for", () => {
    const shown = { isPublic: true, isPaused: false, isBeyondPlan: false };
    expect(hiddenBecause(shown)).toBeUndefined();
    expect(hiddenBecause({ ...shown, isPaused: true })?.title).toBe("Paused by you");
    expect(hiddenBecause({ ...shown, isPublic: false })?.title).toBe("Not public");
    expect(hiddenBecause({ ...shown, isBeyondPlan: true })?.title).toBe("Paused on Free");
    expect(hiddenBecause({ isPublic: false, isPaused: true, isBeyondPlan: true })?.title).toBe("Paused by you");
  });

  test("has room on Free while it is empty, and always on Premium", () => {
    expect(listedCards(plans.free, []).hasRoom).toBe(true);
    expect(listedCards(plans.free, [card]).hasRoom).toBe(false);
    expect(listedCards(plans.premium, cards).hasRoom).toBe(true);
  });
});

describe("the order of cards", () => {
  const ids = ["a", "b", "c"];

  test("a card goes up, down, or to a place, and not past the ends", () => {
    expect(movedTo(ids, { id: "b", to: "up" })).toEqual(["b", "a", "c"]);
    expect(movedTo(ids, { id: "b", to: "down" })).toEqual(["a", "c", "b"]);
    expect(movedTo(ids, { id: "a", to: 2 })).toEqual(["b", "c", "a"]);
    expect(movedTo(ids, { id: "a", to: 99 })).toEqual(["b", "c", "a"]);
    expect(movedTo(ids, { id: "a", to: "up" })).toBeUndefined();
    expect(movedTo(ids, { id: "unknown", to: 0 })).toBeUndefined();
  });

  test("no move loses a card or makes one", () => {
    const move = fc.record({
      id: fc.constantFrom(...ids),
      to: fc.oneof(fc.constantFrom("up" as const, "down" as const), fc.nat()),
    });
    fc.assert(
      fc.property(fc.array(move), (moves) => {
        const after = moves.reduce<readonly string[]>((order, one) => movedTo(order, one) ?? order, ids);
        expect(after.toSorted()).toEqual(ids);
      }),
    );
  });
});

describe("a copy of a card", () => {
  test("is called so, within the length of a name and without half a sign at its end", () => {
    expect(copyName("Studio")).toBe("Copy of Studio");
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: maxLengths.card_name }), (name) => {
        const copy = copyName(name);
        expect(copy.length).toBeLessThanOrEqual(maxLengths.card_name);
        expect(copy.isWellFormed()).toBe(true);
      }),
    );
  });
});

describe("a new card", () => {
  test("starts with the profile's name and links", () => {
    const links = [{ id: "a", label: "Site", url: "ada.example" }];
    expect(newCard({ displayName: "Ada", links })).toMatchObject({
      cardName: "Ada Business Card",
      links: [{ id: "a", name: "Site", url: "https://ada.example" }],
      profession: "",
      email: "",
      yearsExperience: null,
      isPublic: true,
    });
  });

  test("is 'My Business Card' where the profile has no name, and its links are called Link where they have none", () => {
    const fresh = newCard({ displayName: "", links: [{ id: "a", label: "", url: "https://ada.example" }] });
    expect(fresh.cardName).toBe("My Business Card");
    expect(fresh.links[0]?.name).toBe("Link");
  });
});
