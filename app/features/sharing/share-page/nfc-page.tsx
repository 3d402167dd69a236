import { loadOwnShare } from "#app/features/cards/share-subjects.server.ts";
import { markedUrl } from "#app/features/sharing/source-marks.ts";
import { useBrowserValue } from "#app/ui/components/hydration.ts";

import type { Route } from "./+types/nfc-page.ts";
import { AppInstructions, canWriteTags, TagWriter } from "./nfc-panel.tsx";
import { ShareSection, toSectionSubject } from "./share-section.tsx";

/** With `?opens=connect` the tag opens the card's contact form at once. */
export async function loader({ params, context, url }: Route.LoaderArgs) {
  const subject = await loadOwnShare(context, params);
  const opensForm = url.searchParams.get("opens") === "connect" && subject.kind === "card";
  const opened = opensForm ? `${subject.url}/connect` : subject.url;
  return { subject: toSectionSubject(subject), opensForm, url: markedUrl(opened, "nfc") };
}

export const meta: Route.MetaFunction = () => [{ title: "NFC tag | Meishi" }];

/** Writes the page's URL to an NFC tag if the browser can, and explains how to do it with an app otherwise. */
export default function NfcPage({ loaderData: { subject, opensForm, url } }: Route.ComponentProps) {
  // Unknown on the server: the page starts with the instructions, which work everywhere.
  const canWrite = useBrowserValue(canWriteTags, false);
  return (
    <ShareSection title="NFC tag" subject={subject}>
      <p className="text-muted">
        Use a sticker or card with an NFC chip (NTAG213 or larger). Anyone who taps it with their phone sees{" "}
        {opensForm ? "your contact form" : "your page"}.
      </p>
      {canWrite ? (
        <TagWriter url={url} />
      ) : (
        <>
          <p className="text-muted">
            This browser can’t write NFC tags. Open this page in Chrome on an Android phone, or use an app.
          </p>
          <AppInstructions url={url} variant="main" />
        </>
      )}
    </ShareSection>
  );
}
