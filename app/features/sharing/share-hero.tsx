import { useSyncExternalStore } from "react";

import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";

import { CopyButton } from "./share-copy.tsx";
import type { ShareSubject } from "./share-subject.ts";
import type { QrDrawing } from "./share-view.tsx";
import { markedUrl } from "./source-marks.ts";

/** The code as it is held out to somebody, on white in any light, and the address for whoever can't scan. */
export function ShareHero({ subject, code }: { subject: ShareSubject; code: QrDrawing }) {
  const { name, work, url, kind } = subject;
  const link = markedUrl(url, "link");
  return (
    <section aria-label="Show" className="grid gap-4">
      <div className="rounded-card bg-white px-1 pb-5 text-center text-ink shadow-card forced-color-adjust-none">
        <svg
          className="mx-auto block w-full max-w-100"
          viewBox={`0 0 ${code.size} ${code.size}`}
          shapeRendering="crispEdges"
          role="img"
          aria-label={`QR code of ${name}'s ${kind === "card" ? "business card" : "profile"}`}
        >
          <path d={code.d} fill="none" stroke="#000" />
        </svg>
        <p className="heading px-4 text-lg" dir="auto">
          {name}
        </p>
        {work && (
          <p className="px-4 text-sm text-ink-soft" dir="auto">
            {work}
          </p>
        )}
        <p className="mt-2.5 px-6 text-xs break-all text-balance text-ink-soft" dir="ltr">
          {url.replace(/^https?:\/\//, "")}
        </p>
      </div>
      <div className="flex flex-wrap gap-2.5 *:grow">
        <CopyButton content={{ text: link }} variant="main">
          Copy link
        </CopyButton>
        <NativeShare title={name} url={link} />
        <ButtonLink href={subject.path} target="_blank">
          <Icon name="arrow-up-right" />
          Open page
        </ButtonLink>
      </div>
    </section>
  );
}

/** The device's own sheet, where it has one. Closing it is no error, and neither is a second press while it opens. */
function NativeShare({ title, url }: { title: string; url: string }) {
  const canShare = useSyncExternalStore(
    neverChanges,
    () => "share" in navigator,
    () => false,
  );
  if (!canShare) return null;
  const share = () => void navigator.share({ title, url }).catch(refused);
  return (
    <Button onClick={share}>
      <Icon name="share" />
      Share
    </Button>
  );
}

const neverChanges = () => () => undefined;

function refused(error: unknown) {
  if (!(error instanceof DOMException)) throw error;
}
