import { useState } from "react";

import { loadOwnShare } from "#app/features/cards/share-subjects.server.ts";
import { CopyButton } from "#app/features/sharing/copy-button.tsx";
import { signatureHtml, signatureText } from "#app/features/sharing/images/signature.ts";
import { Switch } from "#app/ui/forms/checkbox-field.tsx";

import type { Route } from "./+types/signature-page.ts";
import { ShareSection, toSectionSubject } from "./share-section.tsx";

export async function loader({ params, context }: Route.LoaderArgs) {
  const own = await loadOwnShare(context, params.id);
  const signature = { html: signatureHtml(own.signature), text: signatureText(own.signature) };
  return { subject: toSectionSubject(own), signature };
}

export const meta: Route.MetaFunction = () => [{ title: "Email signature | Meishi" }];

/** A preview of the signature, buttons to copy it, and instructions for mail programs. */
export default function SignaturePage({ loaderData: { subject, signature } }: Route.ComponentProps) {
  const previewPath = `${subject.sharePath}/signature.html`;
  const [isDark, setIsDark] = useState(false);
  return (
    <ShareSection title="Email signature" subject={subject}>
      <p className="text-muted">Copy it and paste it into your email app’s signature settings.</p>
      {/* A page of its own with its own rules: this one lets no inline style in, and a mail has nothing else. */}
      <iframe
        title="Preview of your email signature"
        sandbox="allow-popups allow-popups-to-escape-sandbox"
        src={isDark ? `${previewPath}?dark` : previewPath}
        height={previewHeight(signature.text)}
        className="mt-4 block w-full rounded-control border border-line-strong bg-white"
      />
      <Switch
        label="Preview in dark mode"
        checked={isDark}
        onChange={({ currentTarget }) => setIsDark(currentTarget.checked)}
        className="mt-1"
      />
      <div className="mt-3 flex flex-wrap items-center gap-2.5 max-sm:*:grow">
        <CopyButton content={signature}>Copy signature</CopyButton>
        <CopyButton content={{ text: signature.text }}>Copy as plain text</CopyButton>
      </div>
      <p className="mt-3 text-sm text-muted">
        Or{" "}
        <a href={previewPath} target="_blank" rel="noreferrer" className={linkClass}>
          open it in a new tab
        </a>
        , select all, and copy.
      </p>
      <dl className="mt-4 grid gap-3 border-t border-line pt-4 text-sm">
        {mailPrograms.map(([name, way]) => (
          <div key={name} className="grid gap-x-4 sm:grid-cols-[6.5rem_1fr]">
            <dt className="font-medium">{name}</dt>
            <dd className="text-muted">{way}</dd>
          </div>
        ))}
      </dl>
    </ShareSection>
  );
}

/** Estimates the height of the preview, because the frame can't measure its page: 20 pixels a line, 24 for the name, 32 for margins, and a third for wrapped lines. */
function previewHeight(text: string): number {
  return Math.max(128, Math.round(56 + text.split("\n").length * 27));
}

const mailPrograms = [
  [
    "Gmail",
    "Settings (gear icon) > See all settings > General > Signature > Create new. Paste, then select Save Changes at the bottom.",
  ],
  [
    "Outlook",
    "Settings > Account > Signatures > New. Paste, then save. In classic Outlook: File > Options > Mail > Signatures.",
  ],
  [
    "Apple Mail",
    "Mail > Settings > Signatures > +. Clear “Always match my default message font” and paste. The image appears when you write an email.",
  ],
] as const;

const linkClass = "inline-flex min-h-6 items-center text-text underline underline-offset-4";
