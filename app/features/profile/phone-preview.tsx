import { useCallback, useState } from "react";
import { createPortal } from "react-dom";

import { isAllowedAddress, tabNamed, tabOf, withScheme } from "#app/features/links/rules.ts";
import { isShownAt } from "#app/features/links/schedule.ts";
import publicStyles from "#app/ui/public.css?url";

import { isBlankLink, scheduleOf } from "./draft.ts";
import type { ProfileDraft } from "./draft.ts";
import { PhoneFrame } from "./phone-frame.tsx";
import { ProfileView } from "./profile-view.tsx";
import type { PublicProfile } from "./profile-view.tsx";
import { maxTyped, shownTheme } from "./rules.ts";
import { themeIdOf } from "./theme-choices.ts";

/**
 * The profile as visitors would see it with what is typed now. In a frame of its own: the public pages' styles would meet ours
 * otherwise, and only a frame makes a phone's width true for them. Without script there is nothing live to show.
 */
export function PhonePreview({ draft, page, now }: PhonePreviewProps) {
  const [body, setBody] = useState<HTMLElement>();
  const show = (frame: HTMLIFrameElement) => setBody(loadedBody(frame));
  // The frame may have been loaded before our script came, and then tells nobody.
  const frame = useCallback((element: HTMLIFrameElement | null) => {
    if (element) setBody(loadedBody(element));
  }, []);
  const profile = shownProfile(draft, page, now);
  // Which tab is open at first is decided when the view is made, as for a visitor.
  const opensPersonal =
    profile.links.length > 0 && profile.links.every(({ tab }) => tab === "personal") && profile.resumeFilename === "";
  return (
    // Events come through the portal as well. Only what opens in a new tab may be followed: the frame itself stays where it is.
    <PhoneFrame onClickCapture={stayInside}>
      {/* Without a sandbox: it holds our own view alone, and WebKit would keep the clicks in it from us. */}
      {/* oxlint-disable-next-line react/iframe-missing-sandbox */}
      <iframe
        ref={frame}
        title="Your profile as visitors see it"
        srcDoc={blank}
        onLoad={(event) => show(event.currentTarget)}
        className={glass}
      />
      {body && createPortal(<Shown key={String(opensPersonal)} profile={profile} />, body)}
    </PhoneFrame>
  );
}

/** What the preview knows of the page beside what is typed. */
export type PreviewPage = Pick<
  PublicProfile,
  "id" | "profileUrl" | "hasBranding" | "avatarStem" | "bannerStem" | "resumeFilename"
> & { themes: readonly string[]; canMoveLinks: boolean };

type PhonePreviewProps = {
  draft: ProfileDraft;
  page: PreviewPage;
  /** Epoch milliseconds: links that visitors don't see at this time are not shown. */
  now: number;
};

/** A part of the page it is shown on, and not a page of its own with a footer and all. */
function Shown({ profile }: { profile: PublicProfile }) {
  return (
    <article className="page" data-theme={themeIdOf(profile.theme)}>
      <ProfileView profile={profile} idPrefix="preview" />
    </article>
  );
}

function stayInside(event: React.MouseEvent) {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (link && (link.target !== "_blank" || !link.getAttribute("href"))) event.preventDefault();
}

function shownProfile(draft: ProfileDraft, { themes, canMoveLinks, ...page }: PreviewPage, now: number): PublicProfile {
  return {
    ...page,
    displayName: shown(draft.displayName),
    bio: shown(draft.bio.trim()) || null,
    theme: shownTheme({ themes }, draft.theme),
    links: draft.links
      .filter((link) => !isBlankLink(link) && isShownAt({ on: link.on, ...scheduleOf(link) }, now))
      .map(({ key, label, url, tab }) => ({
        id: key,
        label: shown(label || url),
        url: safeAddress(url),
        tab: tabOf({ label, url, tab: tabNamed(tab) }, { canMoveLinks }),
      })),
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

const glass =
  "block size-full border-0 lg:h-[calc(100%/0.78)] lg:w-[390px] lg:origin-top-left lg:scale-[0.78] rtl:lg:origin-top-right";
