import { usePremiumAccess, useSignUpNote } from "#app/features/shell/site-facts.ts";
import { homePath, signUpPath } from "#app/features/shell/site-links.ts";
import { pageWidthClass } from "#app/ui/components/page-width.ts";
import { ButtonLink } from "#app/ui/components/button.tsx";

import { HeroBackdrop } from "./hero-backdrop.tsx";
import { HeroImage } from "./hero-image.tsx";
import { backdropTints } from "./showcase.ts";
import type { ShowcaseTheme } from "./showcase.ts";

/** The first screen: headline, image and links. Links to the sample profile only where it exists. */
export function HeroSection({ hasSample, isSignedIn = false, theme = "slate" }: HeroSectionProps) {
  return (
    <section aria-label="Meishi" className="relative">
      <div className={`${pageWidthClass} ${gridClass}`}>
        <HeroHeadline isSignedIn={isSignedIn} />
        <HeroImage theme={theme} />
        <StartLink isSignedIn={isSignedIn} />
        {hasSample && (
          <p className={sampleClass}>
            <a href="/u/demo-user" className={textLinkClass}>
              View a sample profile
            </a>
          </p>
        )}
      </div>
      <SharingMethods />
      <HeroBackdrop tint={backdropTints[theme]} buttonClass="absolute! end-3 bottom-2" />
    </section>
  );
}

type HeroSectionProps = { hasSample: boolean; isSignedIn?: boolean; theme?: ShowcaseTheme };

function HeroHeadline({ isSignedIn }: { isSignedIn: boolean }) {
  const hasPlans = usePremiumAccess() !== "everyone";
  const isOpen = useSignUpNote() === undefined;
  const start = useStartLink(isSignedIn);
  return (
    <div className="sm:self-end">
      <h1 className="heading text-[clamp(1.5rem,11.2vw,4.75rem)] sm:text-[clamp(2.5rem,6vw,4.75rem)] leading-[1.12] tracking-[-0.025em] sm:whitespace-pre-line">
        {/* One text node that wraps where there is room, so its position doesn't depend on which fonts have loaded. */}
        {"One tap,\nendless"}
        <br />
        <span className="inline-block border-b-[0.11em] border-seal pb-[0.02em] leading-[0.98]">connections.</span>
      </h1>
      <p className="mt-4 max-w-[30rem] leading-[1.6] text-text/85 lg:mt-7 lg:text-lg">
        A card you share by link, QR code or NFC. A page for everything else. No app to install, and your cards never
        run out.
      </p>
      <div className="mt-5 flex gap-2.5 lg:mt-9 lg:gap-3.5">
        {isOpen && !isSignedIn ? (
          <ButtonLink variant="main" href={hasPlans ? "/pricing" : signUpPath} className={buttonClass}>
            Get your card
          </ButtonLink>
        ) : (
          <ButtonLink variant="main" href={start.href} className={buttonClass}>
            {start.label}
          </ButtonLink>
        )}
        <ButtonLink href="#personas" className={buttonClass}>
          See how it works
        </ButtonLink>
      </div>
    </div>
  );
}

function StartLink({ isSignedIn }: { isSignedIn: boolean }) {
  const note = useSignUpNote();
  const hasPlans = usePremiumAccess() !== "everyone";
  const start = useStartLink(isSignedIn);
  return (
    <p className={startClass}>
      {note === undefined ? (
        <a href={start.href} className={textLinkClass}>
          {start.label}
        </a>
      ) : (
        !isSignedIn && <span className="inline-flex min-h-11 items-center font-medium">{note}</span>
      )}
      <span className="text-sm text-text/85">
        {hasPlans && note === undefined && "Your first card is free. "}No trackers, no cookies for your visitors.
      </span>
    </p>
  );
}

/** Where the page's own "Get Started" leads: for users to their profile, and where visitors can't sign up, to the sign-in. */
export function useStartLink(isSignedIn: boolean): { href: string; label: string } {
  const isOpen = useSignUpNote() === undefined;
  const hasPlans = usePremiumAccess() !== "everyone";
  if (isSignedIn) return { href: homePath, label: "Open your cards" };
  if (!isOpen) return { href: "/auth", label: "Sign in" };
  return { href: signUpPath, label: hasPlans ? "Get Started — Free" : "Get Started" };
}

// On a phone the first screen is the headline and the card; the links are beside the phone, below the card. On wider screens headline
// and image are side by side, with the link to the sample below the image.
const gridClass = "grid grid-cols-1 gap-x-5 gap-y-4 pt-4 sm:grid-cols-[minmax(0,1fr)_minmax(0,1.05fr)] sm:gap-y-0";
const besideImageClass = "relative max-sm:col-start-1 max-sm:row-start-2 max-sm:w-[47%] max-sm:text-sm";
const startClass = `flex flex-col items-start max-sm:mt-[64%] sm:mt-3 lg:mt-5 lg:flex-row lg:flex-wrap lg:items-center lg:gap-x-4 ${besideImageClass}`;
const sampleClass = `max-sm:self-end sm:col-start-2 sm:-mb-6 sm:text-end ${besideImageClass}`;
const buttonClass = "max-lg:grow max-lg:px-2 lg:min-h-15 lg:px-7 lg:text-[1.125rem]";
const textLinkClass =
  "inline-flex min-h-11 items-center font-medium underline decoration-muted decoration-1 underline-offset-[6px] hover:decoration-text";

/** The ways to share a card, below the first screen. */
export function SharingMethods() {
  return (
    <div className={`${pageWidthClass} mt-8`}>
      <ul aria-label="Ways to share" className={methodsClass}>
        {sharingMethods.map((way) => (
          <li key={way}>{way}</li>
        ))}
      </ul>
    </div>
  );
}

const sharingMethods = [
  "Link",
  "QR code",
  "NFC tap",
  "Contact file",
  "Email signature",
  "Printed cards",
  "Video call background",
];

// Leaves room at its end for the button that pauses the background.
const methodsClass =
  "flex flex-wrap gap-x-7 gap-y-2 border-t border-line py-6 pe-12 text-text/85 max-lg:text-sm md:justify-between md:gap-x-3 lg:py-7 xl:pe-0";
