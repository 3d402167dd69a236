import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { plans } from "#app/features/billing/rules.ts";
import type { Plan } from "#app/features/billing/rules.ts";

import type { Card } from "./schema.ts";
import { copyName, byAge, hiddenReason, idsBeyondPlan, isBeyondPlan, newCard, hasRoomForCard } from "./rules.ts";
import { toCardList } from "./list/card-rows.server.ts";
import { moveInOrder } from "./list/order-rules.ts";
import { maxLengths } from "./card-fields.ts";
import { beyondPlanText, cardLimitMessage, fullListNote } from "./limit-messages.ts";
import { serverMessages } from "./messages.ts";

const stored = {
  ownerId: "ada",
  logoKey: null,
  isPaused: false,
  listPosition: 1,
  version: 1,
  createdAt: 1,
  updatedAt: 1,
};
const card: Card = {
  ...newCard({ displayName: "Ada", links: [] }),
  ...stored,
  id: "card-1",
  code: "h7k2m9x",
  profession: "Mathematician",
  company: "Analytical Engines",
};

const owner = { displayName: "Ada", avatarKey: null, theme: "default", contactCardId: "" };

describe("the card limit", () => {
  test("allows one card on Free, and any number on Premium", () => {
    expect([0, 1].map((count) => hasRoomForCard(plans.free, count))).toEqual([true, false]);
    expect(hasRoomForCard(plans.premium, 10_000)).toBe(true);
    expect(toCardList(plans.free, [], owner).hasRoom).toBe(true);
    expect(toCardList(plans.free, [card], owner).hasRoom).toBe(false);
    expect(toCardList(plans.premium, [card, card], owner).hasRoom).toBe(true);
  });

  test("invites to upgrade only where Premium can be bought", () => {
    expect(cardLimitMessage(plans.free, true)).toEqual({
      title: "Upgrade to create more cards",
      text: "Free users can only have one business card. Please upgrade to Premium to create more.",
    });
    expect(JSON.stringify(cardLimitMessage(plans.free, false))).not.toMatch(/upgrade|premium/i);
  });

  test("names the plan and its number of cards", () => {
    const starter = { name: "Starter", maxCards: 3 };
    expect(cardLimitMessage(starter, true).text).toBe(
      "Starter users can only have 3 business cards. Please upgrade to Premium to create more.",
    );
    expect(cardLimitMessage(starter, false).title).toBe("Starter includes 3 business cards");
    expect(fullListNote(starter, [{ isBeyondPlan: true }], "sold")).toMatch(/^Starter includes your 3 oldest cards\./);
    expect(beyondPlanText(starter)).toMatch(/^The Starter plan shows only your 3 oldest cards\./);
    expect(cardLimitMessage({ name: "Team", maxCards: Infinity }, true).text).not.toMatch(/upgrade/i);
  });

  test("keeps the oldest cards public after a downgrade, as many as the plan has, whatever their position", () => {
    const [first, second, third] = [
      { id: "b", createdAt: 1 },
      { id: "c", createdAt: 1 },
      { id: "a", createdAt: 2 },
    ] as const;
    const beyond = (maxCards: number) => [...idsBeyondPlan({ maxCards }, [third, second, first])];
    expect([plans.free.maxCards, 2, plans.premium.maxCards].map(beyond)).toEqual([["c", "a"], ["a"], []]);
    expect(byAge([third, second, first])).toEqual([first, second, third]);
    expect([0, 1, 2].map((olderCards) => isBeyondPlan({ maxCards: 2 }, { olderCards }))).toEqual([false, false, true]);
  });
});

describe("the list of an owner's cards", () => {
  const cards = [
    { ...card, id: "older", listPosition: 9 },
    { ...card, id: "newer", createdAt: 2, isPublic: false },
  ];

  test("shows the profession and the company", () => {
    expect(toCardList(plans.premium, [card], owner).cards[0]?.work).toBe("Mathematician · Analytical Engines");
    expect(toCardList(plans.premium, [{ ...card, company: "" }], owner).cards[0]?.work).toBe("Mathematician");
  });

  test("marks private cards and cards beyond the Free plan", () => {
    const onFree = toCardList(plans.free, cards, owner).cards;
    expect(onFree.map(({ id, isPublic, isBeyondPlan }) => ({ id, isPublic, isBeyondPlan }))).toEqual([
      { id: "older", isPublic: true, isBeyondPlan: false },
      { id: "newer", isPublic: false, isBeyondPlan: true },
    ]);
    expect(toCardList(plans.premium, cards, owner).cards.some(({ isBeyondPlan }) => isBeyondPlan)).toBe(false);
  });

  test("marks the card that visitors of the profile save, and cards without a way to reach the owner", () => {
    const all = [...cards, { ...card, id: "youngest", createdAt: 3, phone: "1", emails: [], listPosition: 20 }];
    const marked = (plan: Plan, contactCardId: string) =>
      toCardList(plan, all, { ...owner, contactCardId })
        .cards.filter(({ isMain }) => isMain)
        .map(({ id }) => id);
    expect(marked(plans.premium, "")).toEqual(["older"]);
    expect(marked(plans.premium, "youngest")).toEqual(["youngest"]);
    expect(marked(plans.premium, "newer")).toEqual(["older"]);
    expect(marked(plans.premium, "none")).toEqual([]);
    expect(marked(plans.free, "youngest")).toEqual(["older"]);
    const listed = toCardList(plans.premium, all, owner).cards;
    expect(listed.map(({ isUnreachable }) => isUnreachable)).toEqual([true, true, false]);
  });

  test("gives different reasons for paused, private and beyond-plan cards", () => {
    const shown = { isPublic: true, isPaused: false, isBeyondPlan: false };
    const titleOf = (change: Partial<typeof shown>) => hiddenReason({ ...shown, ...change }, plans.free)?.title;
    expect(titleOf({})).toBeUndefined();
    expect(titleOf({ isPublic: false })).toBe("Not public");
    expect(titleOf({ isBeyondPlan: true })).toBe("Paused on Free");
    expect(titleOf({ isPublic: false, isPaused: true, isBeyondPlan: true })).toBe("Paused by you");
  });
});

const ids = ["a", "b", "c"];

test("the order of cards changes by moving one up, down or to a position, within the list", () => {
  expect(moveInOrder(ids, { id: "b", to: "up" })).toEqual(["b", "a", "c"]);
  expect(moveInOrder(ids, { id: "b", to: "down" })).toEqual(["a", "c", "b"]);
  expect(moveInOrder(ids, { id: "a", to: 2 })).toEqual(["b", "c", "a"]);
  expect(moveInOrder(ids, { id: "a", to: 99 })).toEqual(["b", "c", "a"]);
  expect(moveInOrder(ids, { id: "a", to: "up" })).toBeUndefined();
  expect(moveInOrder(ids, { id: "unknown", to: 0 })).toBeUndefined();
});

test('a copy of a card is named "Copy of …" within the length limit, without half a character at the end', () => {
  expect(copyName("Studio")).toBe("Copy of Studio");
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: maxLengths.cardName }), (name) => {
      const copy = copyName(name);
      expect(copy.length).toBeLessThanOrEqual(maxLengths.cardName);
      expect(copy.isWellFormed()).toBe(true);
    }),
  );
});

test("a new card starts with the profile's name and links, or with default names", () => {
  const links = ["Site", ""].map((label) => ({ id: "a", label, url: "ada.example" }));
  expect(newCard({ displayName: "Ada", links })).toMatchObject({
    cardName: "Ada Business Card",
    links: ["Site", "Link"].map((name) => ({ id: "a", name, url: "https://ada.example" })),
    profession: "",
    email: "",
    yearsExperience: null,
    isPublic: true,
  });
  expect(newCard({ displayName: "", links: [] }).cardName).toBe("My Business Card");
});

test("a further card gets a number, and the phone number and email of the one it starts from, where they are visible", () => {
  const visibility = { email: "file", address: "page" } as const;
  const contact = { ...card, email: "ada@ada.example", phone: "+44 1", visibility };
  const next = newCard({ displayName: "Ada", links: [], names: ["Ada Business Card", "Ada Business Card 2"], contact });
  expect(next).toMatchObject({
    cardName: "Ada Business Card 3",
    email: "ada@ada.example",
    phone: "+44 1",
    company: "",
  });
  expect(next.visibility).toEqual({ email: "file" });
});

test("a new card has as many of the profile's links as a card can have, and the owner reads what is left out", () => {
  const links = Array.from({ length: 12 }, (_, n) => ({
    id: String(n),
    label: `Link ${n}`,
    url: "https://ada.example",
  }));
  const taken = (shown: number, hidden: number) => serverMessages.linksTaken({ shown, hidden, maxLinks: 8 });
  const shown = newCard({ displayName: "Ada", links, maxLinks: 8 }).links;
  expect(shown.map(({ name }) => name)).toEqual(links.slice(0, 8).map(({ label }) => label));
  const [start, hidden] = [
    "These are your profile’s links. Remove what doesn’t fit this card.",
    "your profile doesn’t show now",
  ];
  expect([taken(0, 0), taken(0, 1)]).toEqual([undefined, `1 link that ${hidden} was left out.`]);
  expect(taken(8, 0)).toBe(start);
  expect(taken(12, 2)).toBe(
    `${start} Your profile shows 12 links, and a card can have 8: the last 4 were left out. 2 links that ${hidden} were left out.`,
  );
});
