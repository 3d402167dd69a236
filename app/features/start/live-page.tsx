import { redirect } from "react-router";

import { toCardViewModel } from "#app/features/cards/card-view-model.ts";
import { listCardShares } from "#app/features/cards/share-subjects.server.ts";
import { loadOwnProfile } from "#app/features/profile/own-profile.server.ts";
import { publicName } from "#app/features/profile/rules.ts";
import { CopyButton } from "#app/features/sharing/copy-button.tsx";
import { qrPath } from "#app/features/drawing/qr-code.ts";
import type { QrDrawing } from "#app/features/drawing/qr-code.ts";
import { QrImage } from "#app/features/drawing/qr-image.tsx";
import { markedUrl } from "#app/features/sharing/source-marks.ts";
import { allowInlineStyle, services } from "#app/services/http/context.ts";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { useBrowserValue } from "#app/ui/components/hydration.ts";
import { Icon } from "#app/ui/components/icon.tsx";

import type { Route } from "./+types/live-page.ts";
import { findStart, isNamed, startCardStyle } from "./start-data.server.ts";
import { CardPreview, StartShell } from "./start-shell.tsx";

export async function loader({ context }: Route.LoaderArgs) {
  const profile = await loadOwnProfile(context);
  const { card } = await findStart(services(context).db, profile);
  const share = card && (await listCardShares(context, profile)).find(({ id }) => id === card.id);
  // Made elsewhere, or hidden from visitors: the profile has the list of cards.
  if (!card || !share || "hidden" in share) throw redirect("/start");
  const { displayName, avatarKey } = profile;
  const { subject } = share;
  const { url, path, sharePath, editPath } = subject;
  const style = await startCardStyle(services(context), profile, card.design);
  allowInlineStyle(context, style.css);
  const owner = { displayName: publicName(displayName), logoKey: card.logoKey, avatarKey, style };
  return {
    card: toCardViewModel(card, owner),
    share: { name: subject.name, url, path, sharePath, editPath },
    code: qrPath(markedUrl(url, "qr")),
    isNamed: isNamed(profile),
    isBare: ![card.profession, card.company, card.email, card.phone].some(Boolean),
  };
}

export default function LivePage({ loaderData }: Route.ComponentProps) {
  const { card, share, code, isBare } = loaderData;
  return (
    <StartShell
      step={3}
      back="/start/contact"
      title="Your card is live"
      lead="Anyone with the link can open it. No app needed."
      card={card}
    >
      <div className="lg:hidden">
        <CardPreview card={card} />
      </div>
      <ShareButtons share={share} />
      <Code share={share} code={code} />
      <section aria-labelledby="make-it-yours" className="grid gap-3 border-t border-line pt-6.5">
        <h2 id="make-it-yours" className="text-[1.125rem] leading-7 font-semibold">
          Make it yours
        </h2>
        {!loaderData.isNamed && (
          <MissingPart href="/start/name" text="Your name was taken from your email address." label="Add your name" />
        )}
        {isBare && (
          <MissingPart href="/start/contact" text="Your card has no contact details yet." label="Add contact details" />
        )}
        <div className="grid gap-2.5 sm:grid-cols-2">
          <ButtonLink href={share.editPath}>Edit your card</ButtonLink>
          <ButtonLink href="/profile">Edit your profile</ButtonLink>
        </div>
        <ButtonLink variant="plain" href={share.sharePath}>
          More ways to share
        </ButtonLink>
      </section>
    </StartShell>
  );
}

type Share = Route.ComponentProps["loaderData"]["share"];

/** On white in both themes. */
function Code({ share, code }: { share: Share; code: QrDrawing }) {
  return (
    <div className="grid justify-items-center rounded-card bg-white pb-4 text-center text-ink shadow-card forced-color-adjust-none">
      <QrImage code={code} label={`QR code for ${share.name}'s business card`} className="block w-full max-w-56" />
      <a
        href={share.url}
        target="_blank"
        className="inline-flex min-h-11 items-center px-5 text-sm break-all text-ink-soft outline-ink!"
        dir="ltr"
      >
        {share.url.replace(/^https?:\/\//, "")}
      </a>
    </div>
  );
}

function ShareButtons({ share: { name, url, path, sharePath } }: { share: Share }) {
  const link = markedUrl(url, "link");
  const canShare = useBrowserValue(() => "share" in navigator, false);
  const openSheet = () => void navigator.share({ title: name, url: link }).catch(ignoreCanceledShare);
  return (
    <div className="flex flex-wrap gap-2.5 *:grow">
      {canShare ? (
        <Button variant="main" onClick={openSheet}>
          <Icon name="share" />
          Share
        </Button>
      ) : (
        <ButtonLink variant="main" href={sharePath}>
          <Icon name="share" />
          Share
        </ButtonLink>
      )}
      <ButtonLink href={path} target="_blank">
        Open card
      </ButtonLink>
      <ButtonLink href={`${path}/contact.vcf`}>
        <Icon name="user-plus" />
        Save to my contacts
      </ButtonLink>
      <CopyButton content={{ text: link }} className="noscript:hidden">
        Copy link
      </CopyButton>
    </div>
  );
}

/** Closing the sheet and pressing the button twice are not errors. */
function ignoreCanceledShare(error: unknown) {
  if (!(error instanceof DOMException)) throw error;
}

function MissingPart({ href, text, label }: { href: string; text: string; label: string }) {
  return (
    <p className="text-muted">
      {text}{" "}
      <a href={href} className="-my-2.5 inline-flex min-h-11 items-center text-text underline underline-offset-4">
        {label}
      </a>
    </p>
  );
}
