import { useEffect, useRef, useState } from "react";

import { codeText, firstDemoCard, readDemoCard } from "./demo-card.ts";
import { useDemoCode } from "./demo-code-state.ts";
import { DemoCodeView } from "./demo-code-view.tsx";
import { DemoControls } from "./demo-controls.tsx";
import { DemoPreview } from "./demo-preview.tsx";
import { DemoWallet } from "./demo-wallet.tsx";
import { Section } from "./section.tsx";

/** A card that changes as one types, with a code that can be scanned. Everything happens in the browser. */
export function LiveDemo({ hasSample, baseUrl }: { hasSample: boolean; baseUrl: string }) {
  const [first] = useState(() => firstDemoCard(hasSample));
  const [card, setCard] = useState(first);
  const form = useRef<HTMLFormElement>(null);
  const read = (from: HTMLFormElement) => setCard(readDemoCard(new FormData(from)));

  // What somebody typed before this script was there, or the browser put back, stands in the fields alone.
  useEffect(() => {
    if (form.current) setCard(readDemoCard(new FormData(form.current)));
  }, []);

  const text = codeText(card.payload, baseUrl);
  const { state, retry } = useDemoCode({ text, mode: card.mode });
  return (
    <Section
      id="live-demo"
      eyebrow="Try it"
      title="Make one now, without an account"
      intro="A phone that scans the code opens what you put into it. What you type stays in your browser."
    >
      <div className="demo reveal">
        <div>
          <DemoPreview card={card}>
            <DemoCodeView state={state} text={text} onRetry={retry} />
          </DemoPreview>
          <DemoWallet />
        </div>
        <DemoControls first={first} form={form} onChange={read} />
      </div>
    </Section>
  );
}
