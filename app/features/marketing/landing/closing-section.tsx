import { Seal } from "#app/features/shell/brand.tsx";
import { usePremiumAccess } from "#app/features/shell/frame/site-facts.ts";
import { pageWidthClass, signUpPath } from "#app/features/shell/site-links.ts";
import { ButtonLink } from "#app/ui/components/button.tsx";

/** The last section: a blank card, 91 by 55. */
export function ClosingSection({ hasSample, isSignedIn }: { hasSample: boolean; isSignedIn: boolean }) {
  const hasPlans = usePremiumAccess() !== "everyone";
  return (
    <section aria-labelledby="closing-title" className={`${pageWidthClass} pt-20 sm:pt-30`}>
      <div className="crop reveal mx-auto max-w-[45.5rem] border-0">
        <div className="last-card">
          <div className="flex items-start justify-between gap-6">
            <p className="eyebrow text-ink-soft">What you do</p>
            <Seal size={36} />
          </div>
          <h2 id="closing-title" className="heading">
            Your name here
          </h2>
          {hasPlans && <p>Your first card is free.</p>}
          <div className="mt-5 flex flex-wrap items-center gap-x-6 gap-y-2.5 border-t border-paper-line pt-5 sm:mt-8">
            <ButtonLink
              href={isSignedIn ? "/profile" : signUpPath}
              className="border-transparent! bg-ink! text-paper! max-sm:w-full"
            >
              {isSignedIn ? "Open your profile" : hasPlans ? "Get Started — Free" : "Get Started"}
            </ButtonLink>
            {hasSample && (
              <a
                href="/card/demo-card"
                className="inline-flex min-h-11 items-center font-medium underline decoration-1 underline-offset-[6px] max-sm:mx-auto"
              >
                See a sample first
              </a>
            )}
          </div>
        </div>
      </div>
    </section>
  );
}
