import { describe, expect, test } from "vitest";

import { plans } from "#app/features/billing/rules.ts";
import { messages as linkMessages } from "#app/features/links/messages.ts";

import { toDraft } from "./editor/form-data.ts";
import type { LinkDraft } from "./editor/form-data.ts";
import { checkProfile } from "./schema.ts";

const empty = {
  displayName: "Ada",
  bio: "",
  handle: "",
  theme: "default",
  links: [],
  showBusinessCard: true,
  contactCardId: "",
  isListed: true,
};

function check({ links }: { links: LinkDraft[] }) {
  const stored = { ownerId: "ada", displayName: "", theme: "default", links: [] };
  const checked = checkProfile({ ...toDraft(empty), links }, { plan: plans.free, stored });
  return "errors" in checked ? { errors: checked.errors } : { change: checked.change, errors: {} };
}

describe("a featured link", () => {
  const featured = {
    key: "a",
    id: "a",
    kind: "featured" as const,
    label: "My garden",
    url: "https://garden.example",
    on: true,
    from: "",
    until: "",
    tab: "",
    picture: "pictures/ada/x1_1790000000000",
    alt: " A garden ",
    utmSource: "",
    utmMedium: "",
    utmCampaign: "",
  };

  test("has a picture of its owner and a description", () => {
    const { picture, alt, kind } = check({ links: [featured] }).change?.links[0] ?? {};
    expect({ picture, alt, kind }).toEqual({ kind: "featured", picture: featured.picture, alt: "A garden" });
    expect(check({ links: [{ ...featured, alt: "x".repeat(121) }] }).errors).toEqual({
      "links.0.alt": linkMessages.altTooLong,
    });
  });

  test("is refused without a picture, and with anyone else's", () => {
    for (const picture of ["", "pictures/eve/x_1", "avatars/ada/x_1", "pictures/ada/../eve/x_1", "pictures/ada/x"])
      expect(check({ links: [{ ...featured, picture }] }).errors).toEqual({
        "links.0.picture": linkMessages.pictureRequired,
      });
  });

  test("loses its picture as a plain link", () => {
    expect(check({ links: [{ ...featured, kind: "link" }] }).change?.links[0]).not.toHaveProperty("picture");
  });
});
