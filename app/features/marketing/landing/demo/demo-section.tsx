import { useRef, useState } from "react";

import { LandingSection } from "#app/features/marketing/landing/section.tsx";
import { useSignUpNote } from "#app/features/shell/site-facts.ts";
import { Button } from "#app/ui/components/button.tsx";
import { useValuesBeforeHydration } from "#app/ui/components/hydration.ts";

import { DemoCardView, DemoCodeView } from "./demo-card-view.tsx";
import { initialDemoCard, qrPayload, readDemoCard } from "./demo-card.ts";
import { DemoForm, demoFormId } from "./demo-form.tsx";
import { useDemoCode } from "./use-demo-code.ts";

/**
 * A card that changes as the visitor types, with a QR code that can be scanned. Nothing is sent until the visitor keeps it or, where the site
 * makes Apple passes (`hasPasses`), downloads it as a pass.
 */
export function DemoSection({ baseUrl, hasPasses, isSignedIn }: DemoSectionProps) {
  const note = useSignUpNote();
  const canKeep = note === undefined || isSignedIn;
  const kept = canKeep ? " until you keep the card" : "";
  const passed = hasPasses ? `${canKeep ? " or" : " until you"} add it to a wallet` : "";
  const [first] = useState(initialDemoCard);
  const [card, setCard] = useState(first);
  const form = useRef<HTMLFormElement>(null);
  const read = (from: HTMLFormElement) => setCard(readDemoCard(new FormData(from)));

  useValuesBeforeHydration(form, read);

  const text = qrPayload(card.payload, baseUrl);
  const { state, retry } = useDemoCode({ text, mode: card.mode });
  return (
    <LandingSection
      id="live-demo"
      eyebrow="Try it"
      title="Make one now, no account needed"
      intro={`Scan the code with your phone to open whatever you put in it. Nothing you type leaves your browser${kept}${passed}.`}
    >
      <div className="demo reveal">
        <div>
          <DemoCardView card={card}>
            <DemoCodeView state={state} text={text} onRetry={retry} />
          </DemoCardView>
          {/* The form may be folded, and isn't shown without JavaScript. */}
          {canKeep && (
            <Button variant="main" type="submit" form={demoFormId} className="w-80 max-w-full">
              Keep this card
            </Button>
          )}
          {hasPasses && (
            <Button type="submit" form={demoFormId} formAction="/demo-pass" className="w-80 max-w-full">
              Add to Apple Wallet
            </Button>
          )}
          <p className={`mt-4 text-center text-sm text-muted ${card.name === first.name ? "" : "invisible"}`}>
            This is a sample. The person and company are made up.
          </p>
          {hasPasses && (
            <p className="max-w-80 text-center text-sm text-muted">
              The pass is a demo that expires within a day, and its code can only open pages on this site.
            </p>
          )}
        </div>
        <DemoForm isUsefulWithoutScript={hasPasses} first={first} form={form} onChange={read} />
      </div>
    </LandingSection>
  );
}

type DemoSectionProps = { baseUrl: string; hasPasses: boolean; isSignedIn: boolean };
