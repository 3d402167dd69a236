import { Fragment } from "react";

import { LinkRow } from "#app/features/links/link-row.tsx";
import { findMedium } from "#app/features/links/site-data.ts";
import { linkImageUrl } from "#app/features/uploads/image-urls.ts";
import type { PublicProfileLink } from "#app/features/profile/public-profile.server.ts";

import { withCampaign } from "./campaign-url.ts";

/** The links of one tab, in a list for each heading. */
export function LinkList({ entries }: { entries: readonly PublicProfileLink[] }) {
  return groupByHeading(entries).map(({ heading, links }) => (
    <Fragment key={heading?.id ?? ""}>
      {heading && <h3 dir="auto">{heading.label}</h3>}
      <ul className="cards">
        {links.map(({ id, kind, label, url, href, picture, alt = "", campaign = {} }) => (
          <LinkRow
            key={id}
            link={{ id, name: label, url: withCampaign(url, campaign), href }}
            rel="me"
            medium={kind === "media" ? findMedium(url) : undefined}
            image={kind === "featured" && picture ? { src: linkImageUrl(picture), alt } : undefined}
          />
        ))}
      </ul>
    </Fragment>
  ));
}

type Group = { heading?: PublicProfileLink; links: PublicProfileLink[] };

/** The links before the first heading form a group without one. */
function groupByHeading(entries: readonly PublicProfileLink[]): Group[] {
  const groups: Group[] = [];
  for (const entry of entries) {
    if (entry.kind === "heading") groups.push({ heading: entry, links: [] });
    else if (groups.length === 0) groups.push({ links: [entry] });
    else groups.at(-1)?.links.push(entry);
  }
  return groups;
}
