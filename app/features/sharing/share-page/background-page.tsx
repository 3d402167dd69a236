import { useState } from "react";
import { useSearchParams } from "react-router";

import { loadOwnShare } from "#app/features/cards/share-subjects.server.ts";
import { defaultImages, defaultImageUrl } from "#app/features/wallet/assets/default-image-model.ts";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { Icon } from "#app/ui/components/icon.tsx";

import type { Route } from "./+types/background-page.ts";
import { ImagePreview } from "./image-preview.tsx";
import { ShareSection, toSectionSubject } from "./share-section.tsx";

export async function loader({ params, context }: Route.LoaderArgs) {
  return toSectionSubject(await loadOwnShare(context, params));
}

export const meta: Route.MetaFunction = () => [{ title: "Call background | Meishi" }];

/** A background image for video calls: the card, with a QR code that others can scan from their screens. Each can be seen without script. */
export default function BackgroundPage({ loaderData: subject }: Route.ComponentProps) {
  const [params] = useSearchParams();
  const [tone, setTone] = useState(() => grounds.find(({ id }) => id === params.get("tone"))?.id ?? "dark");
  const src = `${subject.sharePath}/background.png?tone=${tone}`;
  const choose = (chosen: string) => {
    setTone(chosen);
    // Not by the router, which would load the page's data again.
    history.replaceState(history.state, "", `?tone=${chosen}`);
  };
  return (
    <ShareSection title="Call background" subject={subject}>
      <p className="text-muted">1920 × 1080 pixels. Others on the call can scan the code next to you.</p>
      <ImagePreview
        src={src}
        alt="Preview of your call background"
        frame="aspect-video w-full rounded-control border border-line-strong"
      />
      <ButtonLink variant="main" href={src} download={`call-background-${tone}.png`} className="sm:justify-self-start">
        <Icon name="download" />
        Download PNG
      </ButtonLink>
      <form className="grid gap-4">
        <fieldset className="min-w-0">
          <legend className="mb-2 text-sm font-medium">Style</legend>
          <div className="grid grid-cols-3 gap-2 sm:grid-cols-5">
            {grounds.map((ground) => (
              <GroundChoice
                key={ground.id}
                {...ground}
                isChosen={ground.id === tone}
                onChoose={() => choose(ground.id)}
              />
            ))}
          </div>
        </fieldset>
        <Button type="submit" className="hidden! noscript:inline-flex!">
          Show
        </Button>
      </form>
      <p className="border-t border-line pt-4 text-sm text-muted">
        In Zoom, Teams or Meet, open the background settings and add the image. It may look mirrored to you, but others
        always see it the right way around.
      </p>
    </ShareSection>
  );
}

type Ground = { id: string; name: string; description?: string; color?: string };

const grounds: readonly Ground[] = [
  { id: "dark", name: "Dark", color: "bg-[#16181d]" },
  { id: "light", name: "Light", color: "bg-[#f1ede3]" },
  ...defaultImages.map(({ id, name, description }) => ({ id, name, description })),
];

function GroundChoice({ id, name, description, color, isChosen, onChoose }: GroundChoiceProps) {
  const tileClass = "aspect-video w-full rounded-[8px] border border-line-strong";
  return (
    <label className={groundClass} title={description}>
      <input
        type="radio"
        name="tone"
        value={id}
        autoComplete="off"
        checked={isChosen}
        onChange={onChoose}
        className="absolute inset-0 size-full cursor-pointer appearance-none rounded-control opacity-0"
      />
      {color ? (
        <span aria-hidden="true" className={`${tileClass} ${color}`} />
      ) : (
        <img
          src={defaultImageUrl(id, "small")}
          alt=""
          width={160}
          height={90}
          loading="lazy"
          className={`${tileClass} object-cover`}
        />
      )}
      <span className="leading-tight">{name}</span>
    </label>
  );
}

type GroundChoiceProps = Ground & { isChosen: boolean; onChoose: () => void };

const groundClass =
  "relative grid content-start gap-1.5 rounded-control border-2 border-transparent p-1 text-center text-sm text-muted hover:text-text " +
  "has-checked:border-text has-checked:text-text has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-text " +
  "forced-colors:has-checked:border-[Highlight]";
