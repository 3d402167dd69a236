import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { useLocation } from "react-router";

import { usePremiumAccess, useSignUpNote } from "#app/features/shell/site-facts.ts";
import { signUpPath } from "#app/features/shell/site-links.ts";
import { ButtonLink, IconButton } from "#app/ui/components/button.tsx";
import { Icon } from "#app/ui/components/icon.tsx";

/**
 * A call to action at the bottom of a phone's screen, shown once the visitor has started to read. It is the last element of the document and
 * sticky: it has its own space below the footer, so it hides nothing and causes no layout shift, and the keyboard reaches it after the last
 * link. A dismissal lasts a week, or until the user signs out, which clears the browser's storage.
 */
export function CallToActionBanner({ isSignedIn, gaps, hasUnfinishedPass = false }: CallToActionBannerProps) {
  const { pathname } = useLocation();
  const hasPlans = usePremiumAccess() !== "everyone";
  const isDismissedBefore = useSyncExternalStore(subscribeToStorage, isDismissedNow, () => true);
  const [isClosed, setClosed] = useState(false);
  const [isDue, setDue] = useState(false);
  const startReading = useCallback(() => setDue(true), []);
  const { title, caption, action, href } = isSignedIn
    ? accountText({ gaps, hasUnfinishedPass })
    : visitorText(hasPlans);
  const isOpen = useSignUpNote() === undefined;
  const isComplete = isSignedIn ? gaps?.length === 0 && !hasUnfinishedPass : !isOpen;
  if (isDismissedBefore || isClosed || isComplete || pathname === href) return null;
  if (!isDue) return <ReadingSentinel hasOpening={pathname === "/"} onReadOn={startReading} />;
  const dismiss = () => {
    storeDismissal(Date.now());
    setClosed(true);
  };
  return (
    <aside aria-label={title} className="ui-bottom-banner md:hidden print:hidden">
      <div className={bannerClass}>
        <p className="contents">
          <strong className="self-center font-semibold">{title}</strong>
          <span className="col-start-1 row-start-2 text-muted">{caption}</span>
        </p>
        <ButtonLink variant="main" size="s" href={href} className="row-start-2 self-end">
          {action}
        </ButtonLink>
        <IconButton label="Dismiss" onClick={dismiss} className="col-start-2 row-start-1 -my-2 -me-3 justify-self-end">
          <Icon name="close" />
        </IconButton>
      </div>
    </aside>
  );
}

/** A part that the owner's profile lacks. */
export type ProfileGap = "links" | "photo";

type CallToActionBannerProps = Partial<BannerFacts> & { isSignedIn: boolean };

/** What a signed-in user has yet to do. With nothing left there is no banner. */
export type BannerFacts = {
  /** Undefined when it isn't known. */
  gaps: readonly ProfileGap[] | undefined;
  /** Whether passes can be made, and none of the user's is designed and on a device. */
  hasUnfinishedPass: boolean;
};

const bannerClass =
  "grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1 border-t border-line-strong bg-raised px-5 pt-3 text-sm " +
  "pb-[max(0.75rem,env(safe-area-inset-bottom))] motion-safe:animate-rise";

function visitorText(hasPlans: boolean) {
  return {
    title: `Create your ${hasPlans ? "free " : ""}Profile Hub today`,
    caption: "Share a beautiful profile with QR/NFC in minutes.",
    action: hasPlans ? "See Plans" : "Get Started",
    href: hasPlans ? "/pricing" : signUpPath,
  };
}

/** The specification's title names the wallet pass. Without one to finish, the title names what the profile lacks. */
function accountText({ gaps, hasUnfinishedPass }: BannerFacts) {
  const [gap] = gaps?.length === 1 ? gaps : [];
  return {
    title: hasUnfinishedPass ? "Finish your wallet pass" : gap ? gapTitles[gap] : "Finish your profile",
    caption: "Add your links, photo, and theme—looks great on iOS & Android.",
    action: "Open Profile",
    href: "/profile",
  };
}

const gapTitles: Record<ProfileGap, string> = { links: "Add your links", photo: "Add your photo" };

function isDismissedNow(): boolean {
  return isDismissed(readDismissal(), Date.now());
}

/** A dismissal in one tab closes the banner in the others. */
function subscribeToStorage(notify: () => void) {
  window.addEventListener("storage", notify);
  return () => window.removeEventListener("storage", notify);
}

type ReadingSentinelProps = {
  /** Whether the page has an opening section, which is to be read first. Without one it is the first screen. */
  hasOpening: boolean;
  onReadOn: () => void;
};

/**
 * An invisible element at the end of the page: reports when the visitor has scrolled past the opening, or at once when the end of the page is
 * less than a screen away.
 */
function ReadingSentinel({ hasOpening, onReadOn }: ReadingSentinelProps) {
  const end = useRef<HTMLDivElement>(null);
  // Only an observer knows what is in view.
  useEffect(() => {
    const opening = document.querySelector(hasOpening ? "#content > section" : "header");
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ target, isIntersecting }) => isIntersecting !== (target === opening))) onReadOn();
      },
      { rootMargin: `${hasOpening ? 0 : 100}% 0px 100%` },
    );
    for (const element of [opening, end.current]) if (element) observer.observe(element);
    return () => observer.disconnect();
  }, [hasOpening, onReadOn]);
  return <div ref={end} />;
}

/** How long a dismissal lasts: 7 days. */
const dismissalSeconds = 7 * 24 * 60 * 60;

const storageKey = "meishi.banner-dismissed-until";

/** The stored value of a dismissal at `now` (epoch milliseconds): its end in epoch seconds. */
export function dismissalEnd(now: number): string {
  return String(Math.floor(now / 1000) + dismissalSeconds);
}

/** Whether a stored dismissal is still valid. Ignores invalid values and those too far in the future, which come from a wrong clock. */
export function isDismissed(stored: string | null, now: number): boolean {
  if (stored === null || !/^\d{1,12}$/.test(stored)) return false;
  const left = Number(stored) - now / 1000;
  return left > 0 && left <= dismissalSeconds;
}

/** Null when nothing is stored, and when storage is unavailable: then a dismissal lasts for one page. */
function readDismissal(): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch (error) {
    return ignoreStorageError(error, null);
  }
}

function storeDismissal(now: number): void {
  try {
    localStorage.setItem(storageKey, dismissalEnd(now));
  } catch (error) {
    ignoreStorageError(error, undefined);
  }
}

/** SecurityError: storage is disabled. QuotaExceededError: it is full. Anything else is a bug. */
function ignoreStorageError<Value>(error: unknown, value: Value): Value {
  if (error instanceof DOMException) return value;
  throw error;
}
