import { useRef, useState } from "react";

import { LandingSection } from "#app/features/marketing/landing/section.tsx";
import { Button } from "#app/ui/components/button.tsx";
import { useValuesBeforeHydration } from "#app/ui/components/hydration.ts";
import { Icon } from "#app/ui/components/icon.tsx";

import { DemoCardView, DemoCodeView } from "./demo-card-view.tsx";
import { initialDemoCard, qrPayload, readDemoCard } from "./demo-card.ts";
import { DemoForm } from "./demo-form.tsx";
import { useDemoCode } from "./use-demo-code.ts";

/** A card that changes as the visitor types, with a QR code that can be scanned. Runs entirely in the browser. */
export function DemoSection({ baseUrl }: { baseUrl: string }) {
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
      intro="Scan the code with your phone to open whatever you put in it. What you type stays in your browser."
    >
      <div className="demo reveal">
        <div>
          <DemoCardView card={card}>
            <DemoCodeView state={state} text={text} onRetry={retry} />
          </DemoCardView>
          <WalletButton />
          <p className="mt-4 text-center text-sm text-muted">A sample: this person and company are made up.</p>
        </div>
        <DemoForm first={first} form={form} onChange={read} />
      </div>
    </LandingSection>
  );
}

/** Explains that there are no passes yet, in a popover, which works without script. */
export function WalletButton() {
  return (
    <>
      <Button variant="main" popoverTarget={noteId} className="w-80 max-w-full">
        <Icon name="wallet" />
        Add to Apple Wallet
      </Button>
      <div id={noteId} popover="auto" role="dialog" aria-labelledby={`${noteId}-title`} className={noteClass}>
        <p id={`${noteId}-title`} className="font-semibold">
          Wallet passes are not built yet
        </p>
        <p className="mt-1 mb-5 text-muted">
          Nothing was added to your wallet. Today a card goes over by link, QR code, NFC tag and contact file.
        </p>
        <Button popoverTarget={noteId} popoverTargetAction="hide" autoFocus>
          Close
        </Button>
      </div>
    </>
  );
}

const noteId = "demo-wallet";
const noteClass =
  "m-auto w-72 rounded-card border border-line-strong bg-raised p-6 text-text [box-shadow:var(--shadow-card)] backdrop:bg-[#060709a8]";
