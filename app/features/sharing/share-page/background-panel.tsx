import { useState } from "react";

import { ButtonLink } from "#app/ui/components/button.tsx";
import { Icon } from "#app/ui/components/icon.tsx";
import { Panel } from "#app/ui/components/panel.tsx";

import { ChoiceField } from "#app/ui/forms/choice-field.tsx";
import { ImagePreview } from "./image-preview.tsx";

/** A background image for video calls: the card, with a QR code that others can scan from their screens. */
export function BackgroundPanel({ path }: { path: string }) {
  const [tone, setTone] = useState<(typeof tones)[number]["id"]>("dark");
  const src = `${path}/background.png?tone=${tone}`;
  return (
    <Panel title="Video call background">
      <p className="text-muted">1920 × 1080 pixels. Others on the call can scan the code next to you.</p>
      <ImagePreview
        src={src}
        alt="Preview of your video call background"
        frame="mt-4 aspect-video w-full rounded-control border border-line-strong"
      />
      <div className="mt-4 flex flex-wrap items-end justify-between gap-4 max-sm:*:grow">
        <ChoiceField label="Style" name="tone" options={tones} value={tone} onChoose={setTone} />
        <ButtonLink href={src} download={`video-call-background-${tone}.png`}>
          <Icon name="download" />
          Download PNG
        </ButtonLink>
      </div>
      <p className="mt-4 border-t border-line pt-4 text-sm text-muted">
        In Zoom, Teams or Meet, open the background settings and add the image. It may look mirrored to you, but others
        always see it the right way around.
      </p>
    </Panel>
  );
}

const tones = [
  { id: "dark", label: "Dark" },
  { id: "light", label: "Light" },
] as const;
