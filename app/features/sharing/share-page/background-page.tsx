import { useState } from "react";

import { loadOwnShare } from "#app/features/cards/share-subjects.server.ts";
import { ButtonLink } from "#app/ui/components/button.tsx";
import { Icon } from "#app/ui/components/icon.tsx";
import { ChoiceField } from "#app/ui/forms/choice-field.tsx";

import type { Route } from "./+types/background-page.ts";
import { ImagePreview } from "./image-preview.tsx";
import { ShareSection, toSectionSubject } from "./share-section.tsx";

export async function loader({ params, context }: Route.LoaderArgs) {
  return toSectionSubject(await loadOwnShare(context, params.id));
}

export const meta: Route.MetaFunction = () => [{ title: "Call background | Meishi" }];

/** A background image for video calls: the card, with a QR code that others can scan from their screens. */
export default function BackgroundPage({ loaderData: subject }: Route.ComponentProps) {
  const [tone, setTone] = useState<(typeof tones)[number]["id"]>("dark");
  const src = `${subject.sharePath}/background.png?tone=${tone}`;
  return (
    <ShareSection title="Call background" subject={subject}>
      <p className="text-muted">1920 × 1080 pixels. Others on the call can scan the code next to you.</p>
      <ImagePreview
        src={src}
        alt="Preview of your call background"
        frame="aspect-video w-full rounded-control border border-line-strong"
      />
      <div className="flex flex-wrap items-end justify-between gap-4 max-sm:*:grow">
        <ChoiceField label="Style" name="tone" options={tones} value={tone} onChoose={setTone} />
        <ButtonLink variant="main" href={src} download={`call-background-${tone}.png`}>
          <Icon name="download" />
          Download PNG
        </ButtonLink>
      </div>
      <p className="border-t border-line pt-4 text-sm text-muted">
        In Zoom, Teams or Meet, open the background settings and add the image. It may look mirrored to you, but others
        always see it the right way around.
      </p>
    </ShareSection>
  );
}

const tones = [
  { id: "dark", label: "Dark" },
  { id: "light", label: "Light" },
] as const;
