import { useState, useSyncExternalStore } from "react";

import { useIsHydrated } from "#app/ui/components/hydration.ts";
import { Icon } from "#app/ui/components/icon.tsx";

import type { findBrandDrawing } from "./icons/brands.ts";
import { addressKind, hostLabel, shortenHost } from "./rules.ts";
import type { Medium } from "./site-data.ts";

/** A list item with a link's icon, name and host, or a card with the medium or an image. Clicks are counted by `id`. */
export function LinkRow({ link, rel = "", medium, image }: LinkRowProps) {
  const host = hostLabel(link.url);
  const name = link.name.trim() || host;
  const isPage = /^https?:/i.test(link.url);
  return (
    <li className={image ? "featured" : medium && "media"}>
      <a
        href={link.href ?? link.url}
        target={isPage ? "_blank" : undefined}
        rel={`${rel} noopener noreferrer`.trim()}
        data-target={link.id}
      >
        {image ? (
          <img src={image.src} alt={image.alt} width={860} height={430} loading="lazy" decoding="async" />
        ) : (
          <span className="icon">
            <LinkIcon url={link.url} size={medium ? 32 : 20} />
          </span>
        )}
        <span className="text">
          <b dir="auto">{name}</b>
          {medium ? <small>{medium.label}</small> : name !== host && <small>{isPage ? shortenHost(host) : host}</small>}
        </span>
        <Icon name={medium?.isPlayed ? "play" : "arrow-up-right"} />
      </a>
    </li>
  );
}

type LinkRowProps = {
  /** `href`: where it leads, if that differs from what is shown. */
  link: { id: string; name: string; url: string; href?: string | undefined };
  rel?: string;
  medium?: Medium | undefined;
  /** Above the name of a featured link. */
  image?: { src: string; alt: string } | undefined;
};

/** A link's icon: of its brand, an envelope, a telephone, or a globe for any other page. */
export function LinkIcon({ url, size = 20 }: LinkIconProps) {
  const kind = addressKind(url);
  return kind === "page" ? <BrandIcon url={url} size={size} /> : <Icon name={kind} size={size} />;
}

type LinkIconProps = { url: string; size?: number };

/**
 * The server has all drawings, the browser none at first: hydration leaves the icons that the server rendered as they are. The set is
 * downloaded when an icon is first rendered in the browser (the editor's preview).
 */
function BrandIcon({ url, size }: Required<LinkIconProps>) {
  const [isClientRendered] = useState(useIsHydrated());
  const draw = useSyncExternalStore(isClientRendered ? subscribeAndLoad : subscribe, getDrawing, getDrawing);
  const { d, isLine } = draw?.(url) ?? globe;
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      {...(isLine ? lineProps : shapeProps)}
      aria-hidden="true"
      suppressHydrationWarning
    >
      <path d={d} suppressHydrationWarning />
    </svg>
  );
}

const lineProps = {
  fill: "none",
  stroke: "currentColor",
  strokeWidth: 1.7,
  strokeLinecap: "round",
  strokeLinejoin: "round",
} as const;
const shapeProps = { fill: "currentColor" } as const;

const globe = {
  d: "M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0M3.3 12h17.4M12 3c4.7 5 4.7 13 0 18M12 3c-4.7 5-4.7 13 0 18",
  isLine: true,
};

type FindDrawing = typeof findBrandDrawing;

// A static import would put the set into the browser's bundle as well.
let loadedDrawing: FindDrawing | undefined = import.meta.env.SSR
  ? (await import("./icons/brands.ts")).findBrandDrawing
  : undefined;
let isRequested = false;
const subscribers = new Set<() => void>();

function getDrawing(): FindDrawing | undefined {
  return loadedDrawing;
}

function subscribe(redraw: () => void) {
  subscribers.add(redraw);
  return () => subscribers.delete(redraw);
}

function subscribeAndLoad(redraw: () => void) {
  if (!loadedDrawing && !isRequested) loadDrawings();
  return subscribe(redraw);
}

function loadDrawings() {
  isRequested = true;
  void import("./icons/brands.ts").then(
    (brands) => {
      loadedDrawing = brands.findBrandDrawing;
      for (const redraw of subscribers) redraw();
    },
    // Offline: the globe stays, and the next icon tries again.
    () => (isRequested = false),
  );
}
