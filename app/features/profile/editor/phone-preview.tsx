import { useCallback, useState } from "react";
import type { ReactNode } from "react";
import { createPortal } from "react-dom";

import { hostLabel, isAllowedAddress, withScheme } from "#app/features/links/rules.ts";
import { isShownAt } from "#app/features/links/schedule.ts";
import { findMedium } from "#app/features/links/site-data.ts";
import { linkTab, parseTab } from "#app/features/links/tab-rules.ts";
import { isBlankLink, toSchedule } from "./form-data.ts";
import type { ProfileDraft } from "./form-data.ts";
import type { PublicProfile } from "#app/features/profile/public-profile.server.ts";
import { maxTyped, publicTheme } from "#app/features/profile/rules.ts";
import { toThemeId } from "#app/features/profile/themes.ts";
import { LazyPart } from "#app/ui/components/loading.tsx";
import type { QrDrawing } from "#app/features/drawing/qr-code.ts";
import publicStyles from "#app/features/sharing/public-page/public-page.css?url";

/**
 * A live preview of the public page with the typed values. It is rendered into an iframe, because the public pages' styles would clash with
 * the app's, and their media queries need the width of a phone.
 */
export function PhonePreview({ draft, page, qr, contact, now }: PhonePreviewProps) {
  const [body, setBody] = useState<HTMLElement>();
  // The load event may have fired before hydration.
  const frame = useCallback((element: HTMLIFrameElement | null) => {
    if (element) setBody(loadedBody(element));
  }, []);
  const profile = toPreviewedProfile(draft, page, now);
  return (
    // Events bubble through the portal. Only links that open in a new tab are allowed; the iframe must not navigate.
    <PhoneFrame onClickCapture={blockNavigation}>
      {/* Without a sandbox: it shows only our own view, and WebKit would not pass on its clicks. */}
      {/* oxlint-disable-next-line react/iframe-missing-sandbox */}
      <iframe
        ref={frame}
        title="Your profile as visitors see it"
        srcDoc={blankDocument}
        onLoad={(event) => setBody(loadedBody(event.currentTarget))}
        className={frameClass}
      />
      {body && createPortal(<PreviewedProfile profile={profile} qr={qr} contact={contact} />, body)}
    </PhoneFrame>
  );
}

/** What the preview shows besides the typed values. */
export type PreviewPage = Pick<
  PublicProfile,
  "id" | "profileUrl" | "hasBranding" | "avatarKey" | "bannerKey" | "resumeFilename"
> & { themes: readonly string[]; canMoveLinks: boolean };

type PhonePreviewProps = {
  draft: ProfileDraft;
  page: PreviewPage;
  /** The QR code of the saved page. */
  qr: QrDrawing;
  contact: ReactNode;
  /** Epoch milliseconds; decides which scheduled links are shown. */
  now: number;
};

function PreviewedProfile({ profile, ...shown }: PreviewedProfileProps) {
  return (
    <article className="page" data-theme={toThemeId(profile.theme)}>
      <LazyPart load={loadProfileView} fallback={skeleton}>
        {({ ProfileView }) => <ProfileView profile={profile} {...shown} isPreview />}
      </LazyPart>
    </article>
  );
}

type PreviewedProfileProps = Pick<PhonePreviewProps, "qr" | "contact"> & { profile: PublicProfile };

/** In the shape of the page's top, without a name. */
const skeleton = (
  <div className="column profile">
    <div className="banner" />
    <div className="top">
      <div className="avatar" />
    </div>
  </div>
);

// A phone loads it when the preview is opened.
const loadProfileView = () => import("#app/features/profile/public/profile-view.tsx");

function blockNavigation(event: React.MouseEvent) {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (link && (link.target !== "_blank" || !link.getAttribute("href"))) event.preventDefault();
}

function toPreviewedProfile(
  draft: ProfileDraft,
  { themes, canMoveLinks, ...page }: PreviewPage,
  now: number,
): PublicProfile {
  return {
    ...page,
    displayName: limitTyped(draft.displayName),
    bio: limitTyped(draft.bio.trim()) || null,
    theme: publicTheme({ themes }, draft.theme),
    links: draft.links
      .filter((link) => !isBlankLink(link) && isShownAt({ on: link.on, ...toSchedule(link) }, now))
      .map(({ key, kind, label, url, tab, ...link }) => ({
        ...link,
        id: key,
        campaign: link,
        kind: kind === "media" && !findMedium(url) ? "link" : kind,
        label: limitTyped(label.trim() || hostLabel(withScheme(url)) || url),
        url: allowedAddressOrEmpty(url),
        tab: linkTab({ label, url, tab: parseTab(tab) }, { canMoveLinks }),
      })),
  };
}

/** Keeps the preview fast after a megabyte was pasted, which the save refuses. */
function limitTyped(text: string): string {
  return text.slice(0, maxTyped);
}

/** "" while the address is incomplete. */
function allowedAddressOrEmpty(typed: string): string {
  const url = withScheme(typed);
  return isAllowedAddress(url) ? url : "";
}

function loadedBody(frame: HTMLIFrameElement): HTMLElement | undefined {
  const body = frame.contentDocument?.body;
  return body && "preview" in body.dataset ? body : undefined;
}

const blankDocument =
  `<!doctype html><html lang="en"><head><title>Preview</title><meta name="viewport" content="width=device-width">` +
  `<link rel="stylesheet" href="${publicStyles}"></head><body data-preview></body></html>`;

const frameClass =
  "block size-full border-0 lg:h-[calc(100%/0.78)] lg:w-[390px] lg:origin-top-left lg:scale-[0.78] rtl:lg:origin-top-right";

/** A phone with a screen of 390 px, scaled down beside the form and never taller than the window. */
function PhoneFrame({ children, onClickCapture }: PhoneFrameProps) {
  return (
    // Not a control: it handles clicks on the links inside.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <div className={bezelClass} onClickCapture={onClickCapture}>
      <div className={screenClass}>{children}</div>
    </div>
  );
}

type PhoneFrameProps = { children: ReactNode; onClickCapture: (event: React.MouseEvent) => void };

const bezelClass =
  "mx-auto w-full max-w-105 rounded-[44px] border border-line-strong bg-black p-2.5 shadow-card sm:p-3.5 lg:w-fit lg:rounded-[52px]";
const screenClass =
  "h-[min(44rem,calc(100dvh-9rem))] overflow-hidden rounded-[34px] bg-ground sm:rounded-[30px] lg:h-[min(658px,calc(100dvh-14.5rem))] lg:w-[304px] lg:rounded-[38px]";
