import { Icon } from "#app/ui/icon.tsx";

import { LinkIcon } from "./link-icon.tsx";
import { hostLabel } from "./rules.ts";

/** One link of a person as an item of a list: its icon, its name, where it leads. Clicks on it are counted by `id`. */
export function LinkRow({ link, rel = "" }: { link: { id: string; name: string; url: string }; rel?: string }) {
  const place = hostLabel(link.url);
  const name = link.name.trim() || place;
  const isPage = /^https?:/i.test(link.url);
  return (
    <li>
      <a
        href={link.url}
        target={isPage ? "_blank" : undefined}
        rel={`${rel} noopener noreferrer`.trim()}
        data-target={link.id}
      >
        <span className="icon">
          <LinkIcon url={link.url} />
        </span>
        <span className="words">
          <b dir="auto">{name}</b>
          {name !== place && <small>{place}</small>}
        </span>
        <Icon name="arrow-up-right" />
      </a>
    </li>
  );
}
