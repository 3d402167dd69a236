import { useCallback, useState } from "react";
import { createPortal } from "react-dom";

import { isAllowedAddress, isProfessional, withScheme } from "#app/features/links/rules.ts";
import publicStyles from "#app/ui/public.css?url";

import { isBlankLink } from "./draft.ts";
import type { ProfileDraft } from "./draft.ts";
import { ProfileView } from "./profile-view.tsx";
import type { PublicProfile } from "./profile-view.tsx";
import { maxTyped, shownTheme } from "./rules.ts";
import { themeOf } from "./themes.ts";

/**
 * The profile as visitors would see it with what is typed now. In a frame of its own: the public pages' styles would meet ours
 * otherwise, and only a frame makes a phone's width true for them. Without script there is nothing live to show.
 */
export function PhonePreview({ draft, page }: { draft: ProfileDraft; page: PreviewPage }) {
  const [body, setBody] = useState<HTMLElement>();
  const show = (frame: HTMLIFrameElement) => setBody(loadedBody(frame));
  // The frame may have been loaded before our script came, and then tells nobody.
  const frame = useCallback((element: HTMLIFrameElement | null) => {
    if (element) setBody(loadedBody(element));
  }, []);
  const profile = shownProfile(draft, page);
  // Which tab is open at first is decided when the view is made, as for a visitor.
  const opensPersonal = profile.links.length > 0 && !profile.links.some(isProfessional);
  return (
    // Events come through the portal as well. Only what opens in a new tab may be followed: the frame itself stays where it is.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <div className={bezel} onClickCapture={stayInside}>
      <div className={screen}>
        {/* Without a sandbox: it holds our own view alone, and WebKit would keep the clicks in it from us. */}
        {/* oxlint-disable-next-line react/iframe-missing-sandbox */}
        <iframe
          ref={frame}
          title="Your profile as visitors see it"
          srcDoc={blank}
          onLoad={(event) => show(event.currentTarget)}
          className={glass}
        />
      </div>
      {body && createPortal(<Shown key={String(opensPersonal)} profile={profile} />, body)}
    </div>
  );
}

/** What the preview knows of the page beside what is typed. */
export type PreviewPage = { id: string; profileUrl: string; hasBranding: boolean; themes: readonly string[] };

/** A part of the page it is shown on, and not a page of its own with a footer and all. */
function Shown({ profile }: { profile: PublicProfile }) {
  return (
    <article className="page" data-theme={themeOf(profile.theme).id}>
      <ProfileView profile={profile} idPrefix="preview" />
    </article>
  );
}

function stayInside(event: React.MouseEvent) {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (link && (link.target !== "_blank" || !link.getAttribute("href"))) event.preventDefault();
}

function shownProfile(draft: ProfileDraft, { themes, ...page }: PreviewPage): PublicProfile {
  return {
    ...page,
    displayName: shown(draft.displayName),
    bio: shown(draft.bio.trim()) || null,
    theme: shownTheme({ themes }, draft.theme),
    links: draft.links
      .filter((link) => link.on && !isBlankLink(link))
      .map(({ key, label, url }) => ({ id: key, label: shown(label || url), url: safeAddress(url) })),
  };
}

/** A megabyte pasted by mistake is refused by the save; drawing it would only keep the browser busy. */
function shown(text: string): string {
  return text.slice(0, maxTyped);
}

/** "" while an address is still being typed. */
function safeAddress(typed: string): string {
  const url = withScheme(typed);
  return isAllowedAddress(url) ? url : "";
}

function loadedBody(frame: HTMLIFrameElement): HTMLElement | undefined {
  const body = frame.contentDocument?.body;
  return body && "preview" in body.dataset ? body : undefined;
}

const blank =
  `<!doctype html><html lang="en"><head><title>Preview</title><meta name="viewport" content="width=device-width">` +
  `<link rel="stylesheet" href="${publicStyles}"></head><body data-preview></body></html>`;

// 390 points wide, as the phones of most visitors; beside the form drawn at four fifths, and never taller than the window.
const bezel =
  "mx-auto w-full max-w-105 rounded-[44px] border border-line-strong bg-black p-2.5 shadow-card sm:p-3.5 lg:w-fit lg:rounded-[52px]";
const screen =
  "h-[min(44rem,calc(100dvh-9rem))] overflow-hidden rounded-[34px] bg-ground sm:rounded-[30px] lg:h-[min(658px,calc(100dvh-14.5rem))] lg:w-[304px] lg:rounded-[38px]";
const glass =
  "block size-full border-0 lg:h-[calc(100%/0.78)] lg:w-[390px] lg:origin-top-left lg:scale-[0.78] rtl:lg:origin-top-right";
