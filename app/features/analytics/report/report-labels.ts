import type { ReportCard, ReportLink } from "./report-data.server.ts";
import { deviceLabels, sourceLabels } from "./report-messages.ts";
import type { ListDimension } from "./report-rules.ts";

type Named = { links: ReportLink[]; cards: ReportCard[] };

const regions = new Intl.DisplayNames("en", { type: "region", fallback: "code" });

/** What a value of a dimension is called: "card:<id>" -> "Work", "qr" -> "QR code", "DE" -> "Germany". */
export function labelOf(dimension: ListDimension, value: string, { links, cards }: Named): string {
  switch (dimension) {
    case "page": {
      if (value.startsWith("profile:")) return "Profile";
      const card = cards.find(({ id }) => value === `card:${id}`);
      return card ? card.name || "Card" : "Deleted card";
    }
    case "link":
      return linkLabel(value, { links, cards });
    // An address can name any source: "constructor" is no label.
    case "source":
      return Object.hasOwn(sourceLabels, value) ? (sourceLabels[value] ?? value) : value;
    case "device":
      return deviceLabels[value] ?? value;
    case "country":
      return regions.of(value) ?? value;
    case "referrer":
    case "campaign":
      return value;
  }
}

/** Cards often have the same links: then each is named with its page, "LinkedIn (Work)". */
function linkLabel(value: string, { links, cards }: Named): string {
  const pages = [
    { name: "Profile", links },
    ...cards.map((card) => ({ name: card.name || "Card", links: card.links })),
  ];
  const page = pages.find((one) => one.links.some(({ id }) => id === value));
  const link = page?.links.find(({ id }) => id === value);
  if (!page || !link) return "Removed link";
  const label = link.label || link.url;
  const isElsewhere = pages.some(
    (one) => one !== page && one.links.some((other) => (other.label || other.url) === label),
  );
  return isElsewhere ? `${label} (${page.name})` : label;
}
