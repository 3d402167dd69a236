import { useState } from "react";

import { loadOwnShare, loadSignature } from "#app/features/cards/share-subjects.server.ts";
import { CopyButton } from "#app/features/sharing/copy-button.tsx";
import {
  hasDesign,
  readDesign,
  signatureDesigns,
  signatureHtml,
  signatureText,
} from "#app/features/sharing/images/signature.ts";
import type { Signature, SignatureDesign } from "#app/features/sharing/images/signature.ts";
import { Button } from "#app/ui/components/button.tsx";
import { Switch } from "#app/ui/forms/checkbox-field.tsx";
import { ChoiceField } from "#app/ui/forms/choice-field.tsx";

import type { Route } from "./+types/signature-page.ts";
import { ShareSection, toSectionSubject } from "./share-section.tsx";

export async function loader({ params, context, url }: Route.LoaderArgs) {
  const own = await loadOwnShare(context, params);
  const signature = await loadSignature(context, own);
  return {
    subject: toSectionSubject(own),
    kind: own.kind,
    editPath: own.editPath,
    signature,
    shown: { design: readDesign(url.searchParams.get("design"), signature), isDark: url.searchParams.has("dark") },
  };
}

export const meta: Route.MetaFunction = () => [{ title: "Email signature | Meishi" }];

/** The designs of a signature with a preview, buttons to copy it, and instructions for mail programs. Each can be seen without script. */
export default function SignaturePage({ loaderData }: Route.ComponentProps) {
  const { subject, kind, editPath, signature } = loaderData;
  const [{ design, isDark }, setShown] = useState(loaderData.shown);
  const choose = (chosen: SignatureDesign) => {
    setShown({ design: chosen, isDark });
    // Not by the router, which would load the page's data again.
    history.replaceState(history.state, "", `?design=${chosen}`);
  };
  const previewPath = `${subject.sharePath}/signature.html?design=${design}`;
  const text = signatureText(signature);
  const html = signatureHtml(signature, design);
  return (
    <ShareSection title="Email signature" subject={subject}>
      <form className="grid gap-3">
        <ChoiceField
          label="Design"
          name="design"
          options={signatureDesigns
            .filter(({ id }) => kind === "card" || id !== "logo")
            .map((option) => ({ ...option, isDisabled: !hasDesign(signature, option.id) }))}
          value={design}
          onChoose={choose}
        />
        <MissingImages signature={signature} editPath={kind === "card" ? editPath : undefined} />
        {/* A page of its own with its own rules: this one lets no inline style in, and a mail has nothing else. */}
        <iframe
          title="Preview of your email signature"
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          src={isDark ? `${previewPath}&dark` : previewPath}
          height={previewHeight(signature, design)}
          className="block w-full rounded-control border border-line-strong bg-white"
        />
        <Switch
          label="Preview in dark mode"
          name="dark"
          checked={isDark}
          onChange={({ currentTarget }) => setShown({ design, isDark: currentTarget.checked })}
        />
        <Button type="submit" className="hidden! noscript:inline-flex!">
          Show
        </Button>
      </form>
      <div className="flex flex-wrap items-center gap-2.5 max-sm:*:grow">
        <CopyButton content={{ html, text }} variant="main">
          Copy signature
        </CopyButton>
        <CopyButton content={{ text }}>Copy as plain text</CopyButton>
      </div>
      <p className="text-sm text-muted">
        Paste it into your email app’s signature settings. Or{" "}
        <a href={previewPath} target="_blank" rel="noreferrer" className={linkClass}>
          open it in a new tab
        </a>
        , select all, and copy.
        {(design === "photo" || design === "logo") &&
          " After you change your avatar or logo, copy the signature again: the old image is deleted."}
      </p>
      <dl className="grid gap-3 border-t border-line pt-5 text-sm">
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

/** What the designs that can't be chosen need. A profile has no logo. */
function MissingImages({ signature, editPath }: { signature: Signature; editPath: string | undefined }) {
  const missing = [
    !signature.photo && { design: "Photo", path: "/profile", action: "add an avatar" },
    !signature.logo && editPath && { design: "Logo", path: editPath, action: "add a logo to the card" },
  ].filter((one) => typeof one === "object");
  if (missing.length === 0) return null;
  return (
    <p className="text-sm text-muted">
      {missing.map(({ design, path, action }) => (
        <span key={design}>
          For {design},{" "}
          <a href={path} className={linkClass}>
            {action}
          </a>
          .{" "}
        </span>
      ))}
    </p>
  );
}

/** Estimates the height of the preview, because the frame can't measure its page: 20 pixels a line, 24 for the name, 32 for margins, and a third for wrapped lines. */
function previewHeight(signature: Signature, design: SignatureDesign): number {
  const lines = design === "compact" ? 3 : signatureText(signature).split("\n").length;
  const logo = (design === "photo" || design === "logo") && signature.logo ? signature.logo.height + 20 : 0;
  return Math.max(128, Math.round(56 + lines * 27 + logo));
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
