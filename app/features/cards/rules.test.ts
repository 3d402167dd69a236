import { describe, expect, test } from "vitest";

import { plans } from "#app/features/billing/rules.ts";

import { isSameText, printed, textOf } from "./card-text.ts";
import type { Card } from "./data.server.ts";
import { isPaused, listedCards, newCard, refuseNewCard } from "./rules.ts";

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
    expect(isPaused(plans.free, { isOldest: true })).toBe(false);
    expect(isPaused(plans.free, { isOldest: false })).toBe(true);
    expect(isPaused(plans.premium, { isOldest: false })).toBe(false);
  });
});

describe("the list of an owner's cards", () => {
  const cards = [
    { ...card, id: "newer", isPublic: false },
    { ...card, id: "older" },
  ];

  test("says what they do and where", () => {
    expect(listedCards(plans.premium, [card]).cards[0]?.work).toBe("Mathematician · Analytical Engines");
    expect(listedCards(plans.premium, [{ ...card, company: "" }]).cards[0]?.work).toBe("Mathematician");
  });

  test("marks what is private, and what is paused on Free", () => {
    const onFree = listedCards(plans.free, cards).cards;
    expect(onFree.map(({ id, isPublic, isPaused }) => ({ id, isPublic, isPaused }))).toEqual([
      { id: "newer", isPublic: false, isPaused: true },
      { id: "older", isPublic: true, isPaused: false },
    ]);
    expect(listedCards(plans.premium, cards).cards.some(({ isPaused }) => isPaused)).toBe(false);
  });

  test("has room on Free while it is empty, and always on Premium", () => {
    expect(listedCards(plans.free, []).hasRoom).toBe(true);
    expect(listedCards(plans.free, [card]).hasRoom).toBe(false);
    expect(listedCards(plans.premium, cards).hasRoom).toBe(true);
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

describe("the text of a card while it is typed", () => {
  test("is unchanged by spaces around it, empty links and a scheme that the server would add", () => {
    const saved = textOf({ ...card, links: [{ id: "a", name: "Site", url: "https://ada.example" }] });
    const typed = {
      ...saved,
      company: " Analytical Engines ",
      links: [
        { id: "a", name: "Site ", url: "ada.example" },
        { id: "b", name: "", url: "" },
      ],
    };
    expect(isSameText(typed, saved)).toBe(true);
    expect(isSameText({ ...typed, company: "Engines" }, saved)).toBe(false);
    expect(isSameText({ ...typed, is_public: false }, saved)).toBe(false);
  });

  test("is printed as it will be, without what is not a number of years yet", () => {
    const typed = { ...textOf(card), years_experience: "8 or so" };
    expect(printed(typed, "Ada")).toEqual({
      displayName: "Ada",
      profession: "Mathematician",
      company: "Analytical Engines",
      position: null,
      email: "ada@example.com",
      phone: null,
      yearsExperience: null,
    });
    expect(printed({ ...typed, years_experience: "8" }, "Ada").yearsExperience).toBe(8);
  });
});
