/**
 * What a card can hold beside the fields that every card has. Text that was left empty is "". The card's own `email` and `phone`
 * are those of work; these are further ones.
 */
export type CardMore = Record<(typeof moreLines)[number], string> & {
  phones: Reach[];
  emails: Reach[];
  address: Address;
  /** Absent: shown in both places. */
  shown: Partial<Record<(typeof placedFields)[number], Place>>;
};

/** One more phone number or e-mail address; without `shown` it is in both places. */
export type Reach = { kind: ReachKind; value: string; shown?: Place };

export type Address = Record<(typeof addressLines)[number], string>;

/** The only place a field is in: the card's page, or the contact file that people save. */
export type Place = (typeof places)[number];

export type ReachKind = (typeof phoneKinds)[number];

export const places = ["page", "file"] as const;
export const phoneKinds = ["work", "mobile", "home"] as const;
export const emailKinds = ["work", "home"] as const satisfies ReachKind[];
export const moreLines = ["prefix", "suffix", "pronouns", "department", "website"] as const;
export const addressLines = ["street", "city", "region", "postcode", "country"] as const;

/** Fields that can be kept from one of the two places; further phones and e-mails say it for each. */
export const placedFields = ["email", "phone", ...moreLines, "address"] as const;

/** Further phones, and further e-mails, on one card. */
export const maxReach = 5;

export const reachNames = { work: "Work", mobile: "Mobile", home: "Home" } satisfies Record<ReachKind, string>;

/** In UTF-16 code units, as `maxLengths` of rules.ts. */
export const moreLengths = {
  prefix: 40,
  suffix: 40,
  pronouns: 40,
  department: 100,
  website: 2048,
  street: 200,
  city: 100,
  region: 100,
  postcode: 20,
  country: 100,
} as const;

/** A card that holds nothing more. A new one each time: whoever gets it may write in it. */
export function noMore(): CardMore {
  return {
    prefix: "",
    suffix: "",
    pronouns: "",
    department: "",
    website: "",
    phones: [],
    emails: [],
    address: { street: "", city: "", region: "", postcode: "", country: "" },
    shown: {},
  };
}

/** A card as it is in one of the two places: what its owner keeps from there is empty. */
export function cardIn<Card extends { email: string; phone: string; more: CardMore }>(place: Place, card: Card): Card {
  const { more } = card;
  const isThere = (shown: Place | undefined) => shown === undefined || shown === place;
  const only = (field: (typeof placedFields)[number], text: string) => (isThere(more.shown[field]) ? text : "");
  return {
    ...card,
    email: only("email", card.email),
    phone: only("phone", card.phone),
    more: {
      prefix: only("prefix", more.prefix),
      suffix: only("suffix", more.suffix),
      pronouns: only("pronouns", more.pronouns),
      department: only("department", more.department),
      website: only("website", more.website),
      phones: more.phones.filter(({ shown }) => isThere(shown)),
      emails: more.emails.filter(({ shown }) => isThere(shown)),
      address: isThere(more.shown.address) ? more.address : noMore().address,
      shown: more.shown,
    },
  };
}

/** "Dr. Ada Lovelace, PhD". */
export function fullName(name: string, { prefix, suffix }: { prefix?: string | null; suffix?: string | null }): string {
  return [[prefix, name].filter(Boolean).join(" "), suffix].filter(Boolean).join(", ");
}

/** An address as it is written on a letter, a line each; what is empty takes no line. */
export function addressWords({ street, city, region, postcode, country }: Address): string[] {
  return [street, [city, [region, postcode].filter(Boolean).join(" ")].filter(Boolean).join(", "), country].filter(
    Boolean,
  );
}
