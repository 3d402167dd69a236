import { useCallback, useState, useSyncExternalStore } from "react";
import { useLocation } from "react-router";

import { ButtonLink, IconButton } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";

import { isDismissed, keepDismissal, readDismissal } from "./banner-dismissal.ts";
import { built } from "./built.ts";
import { ReadingMark } from "./reading-mark.tsx";

/**
 * What to do next, at the lower edge of a phone, for whoever has begun to read. It comes last in the document and sticks to the window: it
 * takes its own room below the footer, so it covers nothing for good and moves nothing when it appears, and whoever comes by keyboard
 * finds it behind the last link. There it stays. Dismissed, it stays away for a week (signing out empties the browser's storage, and
 * with it this).
 */
export function CallBanner({ isMember }: { isMember: boolean }) {
  const { pathname } = useLocation();
  const isResting = useSyncExternalStore(onStorage, isDismissedNow, () => true);
  const [isGone, setGone] = useState(false);
  const [isDue, setDue] = useState(false);
  const readOn = useCallback(() => setDue(true), []);
  const { title, caption, action, href } = isMember ? forMembers : forVisitors;
  if (isResting || isGone || pathname === href || busy.includes(pathname)) return null;
  if (!isDue) return <ReadingMark hasOpening={pathname === "/"} onReadOn={readOn} />;
  const dismiss = () => {
    keepDismissal(Date.now());
    setGone(true);
  };
  return (
    <aside aria-label={title} className="ui-call md:hidden print:hidden">
      <div className={panel}>
        <p className="min-w-0 flex-1 text-sm">
          <strong className="block font-semibold text-balance">{title}</strong>
          {/* Where it would make four lines of two, it is only said. */}
          <span className="text-muted max-[25rem]:sr-only">{caption}</span>
        </p>
        <ButtonLink variant="main" size="s" href={href} className="shrink-0">
          {action}
        </ButtonLink>
        <IconButton label="Dismiss" onClick={dismiss}>
          <Icon name="close" />
        </IconButton>
      </div>
    </aside>
  );
}

/** Where it would lie over what somebody is about to press. */
const busy = ["/contact"];

const panel =
  "flex items-center gap-2 border-t border-line-strong bg-raised py-3 ps-5 pe-2 pb-[max(0.75rem,env(safe-area-inset-bottom))] motion-safe:animate-rise";

const forVisitors = {
  title: "Create your free Profile Hub today",
  caption: "Share a beautiful profile with QR/NFC in minutes.",
  action: "See Plans",
  href: "/pricing",
};

// The pass is what the specification calls attention to. As long as there are none, the rest of its sentence is true of the profile.
const forMembers = {
  title: built.passes ? "Finish your wallet pass" : "Finish your profile",
  caption: "Add your links, photo, and theme—looks great on iOS & Android.",
  action: "Open Profile",
  href: "/profile",
};

function isDismissedNow(): boolean {
  return isDismissed(readDismissal(), Date.now());
}

/** Dismissed in one tab, it goes in the others. */
function onStorage(tell: () => void) {
  window.addEventListener("storage", tell);
  return () => window.removeEventListener("storage", tell);
}
