import { useState } from "react";
import { useSearchParams } from "react-router";

import { loadOwnShare } from "#app/features/cards/share-subjects.server.ts";
import { findColorProblem, qrLogos, readColor } from "#app/features/drawing/qr-style.ts";
import type { QrLogo } from "#app/features/drawing/qr-style.ts";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { Icon } from "#app/ui/components/icon.tsx";
import { ChoiceField } from "#app/ui/forms/choice-field.tsx";

import type { Route } from "./+types/qr-page.ts";
import { ImagePreview } from "./image-preview.tsx";
import { isSwatch, QrColorField } from "./qr-color-field.tsx";
import { ShareSection, toSectionSubject } from "./share-section.tsx";

export async function loader({ params, context, url }: Route.LoaderArgs) {
  const subject = await loadOwnShare(context, params);
  const opensForm = url.searchParams.get("opens") === "connect" && subject.kind === "card";
  return { subject: toSectionSubject(subject), hasAvatar: subject.hasAvatar, opensForm };
}

export const meta: Route.MetaFunction = () => [{ title: "QR code design | Meishi" }];

/** The QR code in a color and with a logo, as files. The choices are kept in the page's URL. Works without script. */
export default function QrPage({ loaderData: { subject, hasAvatar, opensForm } }: Route.ComponentProps) {
  const [params] = useSearchParams();
  const [style, setStyle] = useState(() => readChoices(params));
  const [typed, setTyped] = useState(params.get("color") ?? style.color);
  const problem = findColorProblem(typed);
  const opens = opensForm ? { opens: "connect" } : undefined;

  const choose = (change: Partial<typeof style>) => {
    const next = { ...style, ...change };
    setStyle(next);
    const search = new URLSearchParams({ ...opens, logo: next.logo, color: next.color.slice(1) });
    // Not by the router, which would load the page's data again.
    history.replaceState(history.state, "", `?${search}`);
  };
  const chooseColor = (text: string) => {
    setTyped(text);
    const color = readColor(text.trim());
    if (color && !findColorProblem(text)) choose({ color });
  };
  const query = new URLSearchParams({ ...opens, color: style.color.slice(1), logo: style.logo }).toString();
  const file = (kind: "svg" | "png") => `${subject.path}/qr.${kind}?size=1024&${query}`;
  return (
    <ShareSection title="QR code design" subject={subject}>
      <p className="text-muted">
        {opensForm
          ? "This code opens the card’s contact form at once. While the form is off, it opens the card."
          : "For screens, posters and flyers. The code always opens your current page, so you never have to reprint it."}
      </p>
      <form className="grid gap-x-8 gap-y-5 sm:grid-cols-[15rem_minmax(0,1fr)]">
        <ImagePreview
          src={`${subject.path}/qr.svg?size=480&${query}`}
          alt="Preview of your QR code"
          frame="mx-auto aspect-square w-full max-w-60 rounded-control border border-line bg-white forced-color-adjust-none"
        />
        <div className="grid content-start gap-5">
          {opensForm && <input type="hidden" name="opens" value="connect" />}
          <QrColorField name="color" value={typed} problem={problem} onType={chooseColor} />
          {!isSwatch(style.color) && <input type="hidden" name="color" value={style.color} />}
          <ChoiceField
            label="Logo in the center"
            name="logo"
            options={hasAvatar ? logos : logos.slice(0, 2)}
            value={style.logo}
            onChoose={(logo) => choose({ logo })}
          />
          <Button type="submit" className="hidden! noscript:inline-flex!">
            Show
          </Button>
        </div>
      </form>
      <div className="flex flex-wrap gap-2.5 *:grow">
        <Download href={file("png")} file="qr-code.png" variant="main" isRefused={problem !== undefined}>
          Download PNG
        </Download>
        <Download href={file("svg")} file="qr-code.svg" variant="quiet" isRefused={problem !== undefined}>
          Download SVG
        </Download>
      </div>
    </ShareSection>
  );
}

/** The choices in the URL; the usual ones where they are missing or invalid. */
function readChoices(params: URLSearchParams): { color: string; logo: QrLogo } {
  const typed = params.get("color") ?? "#000000";
  const color = findColorProblem(typed) === undefined ? readColor(typed.trim()) : undefined;
  return { color: color ?? "#000000", logo: qrLogos.find((logo) => logo === params.get("logo")) ?? "none" };
}

/** A download link, disabled while the chosen color would not scan. */
function Download({ href, file, variant, isRefused, children }: DownloadProps) {
  const label = (
    <>
      <Icon name="download" />
      {children}
    </>
  );
  if (isRefused)
    return (
      <Button variant={variant} disabled>
        {label}
      </Button>
    );
  return (
    <ButtonLink variant={variant} href={href} download={file}>
      {label}
    </ButtonLink>
  );
}

type DownloadProps = { href: string; file: string; variant: "main" | "quiet"; isRefused: boolean; children: string };

const logos = [
  { id: "none", label: "None" },
  { id: "seal", label: "Meishi seal" },
  { id: "avatar", label: "Your avatar" },
] as const;
