import { z } from "zod";

import { messages as linkMessages } from "#app/features/links/messages.ts";
import { isAllowedAddress, withScheme } from "#app/features/links/rules.ts";

import { emailLine, line, phoneLine } from "./line-form.ts";
import { messages } from "./messages.ts";
import { emailKinds, maxReach, moreLengths, phoneKinds, placedFields } from "./more-fields.ts";
import type { CardMore, Reach } from "./more-fields.ts";
import { placeOf } from "./more-text.ts";
import { cleaned } from "./sent-text.ts";

const website = line(moreLengths.website).pipe(
  z
    .string()
    .transform((typed) => withScheme(typed))
    .refine((url) => url === "" || (/^https?:/.test(url) && isAllowedAddress(url)), linkMessages.invalidUrl),
);

/** The further fields of a card's form, all of them flat; `moreOf` makes a card's part of them. */
export const moreForm = z.object({
  prefix: line(moreLengths.prefix),
  suffix: line(moreLengths.suffix),
  pronouns: line(moreLengths.pronouns),
  department: line(moreLengths.department),
  website,
  street: line(moreLengths.street),
  city: line(moreLengths.city),
  region: line(moreLengths.region),
  postcode: line(moreLengths.postcode),
  country: line(moreLengths.country),
  phones: reaches({ kind: z.enum(phoneKinds).catch("work"), value: phoneLine, tooMany: messages.tooManyPhones }),
  emails: reaches({ kind: z.enum(emailKinds).catch("work"), value: emailLine, tooMany: messages.tooManyEmails }),
  shown: z.partialRecord(z.enum(placedFields), z.string()).transform(placesOf),
});

export function moreOf({ street, city, region, postcode, country, ...more }: z.output<typeof moreForm>): CardMore {
  return { ...more, address: { street, city, region, postcode, country } };
}

/** Rows without a value are dropped; the problems of the others keep their place in the list that was sent. */
function reaches({ kind, value, tooMany }: ReachRules) {
  const row = z.object({ kind, value, shown: z.string().transform(placeOf) });
  return z.array(z.unknown()).transform((sent, context) => {
    const filled = sent.flatMap((item, index) => (isFilled(item) ? [{ item, index }] : []));
    if (filled.length > maxReach) {
      context.addIssue({ code: "custom", message: tooMany });
      return z.NEVER;
    }
    return filled.flatMap(({ item, index }): Reach[] => {
      const read = row.safeParse(item);
      if (read.success) return [withoutEverywhere(read.data)];
      for (const { message, path } of read.error.issues)
        context.addIssue({ code: "custom", message, path: [index, ...path] });
      return [];
    });
  });
}

type ReachRules = { kind: z.ZodType<Reach["kind"]>; value: z.ZodType<string, string>; tooMany: string };

const written = z.object({ value: z.string() });

function isFilled(item: unknown): boolean {
  const read = written.safeParse(item);
  return !read.success || cleaned(read.data.value) !== "";
}

/** Without a mark a field is in both places. */
function withoutEverywhere({ kind, value, shown }: Reach): Reach {
  return shown ? { kind, value, shown } : { kind, value };
}

function placesOf(said: Partial<Record<(typeof placedFields)[number], string>>): CardMore["shown"] {
  const shown: CardMore["shown"] = {};
  for (const field of placedFields) {
    const place = placeOf(said[field] ?? "");
    if (place) shown[field] = place;
  }
  return shown;
}
