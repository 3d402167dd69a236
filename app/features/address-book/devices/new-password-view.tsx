import { QrImage } from "#app/features/drawing/qr-image.tsx";
import type { QrDrawing } from "#app/features/drawing/qr-code.ts";
import { CopyField } from "#app/features/sharing/copy-button.tsx";
import { ButtonLink } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import { Page } from "#app/ui/components/page.tsx";
import { Panel } from "#app/ui/components/panel.tsx";

type SetupLink = { url: string; code: QrDrawing };

/** A password that was just created, with the links that set up a device. Without https there are none. */
export type CreatedPassword = {
  name: string;
  server: string;
  email: string;
  password: string;
  apple?: SetupLink;
  android?: SetupLink;
};

/** Shows a new password once. */
export function NewPassword({ name, server, email, password, apple, android }: CreatedPassword) {
  return (
    <Page width="form" title="Device password created">
      <Notice tone="warning" title="Set up the device now. The password isn’t shown again.">
        Use it on “<bdi>{name}</bdi>” only. Anyone who has it can read your leads.
      </Notice>
      {apple && (
        <Panel title="iPhone, iPad or Mac">
          <Setup
            {...apple}
            label="QR code for iPhone and iPad"
            hint="Scan the code with the camera, or download the profile on the device itself, within 10 minutes. Then open Settings and choose “Profile Downloaded”."
            button="Download profile"
          />
        </Panel>
      )}
      {android && (
        <Panel title="Android">
          <Setup
            {...android}
            label="QR code for DAVx⁵"
            hint="Install the app DAVx⁵, then scan the code with the camera, or open DAVx⁵ on the device itself."
            button="Open DAVx⁵"
          />
        </Panel>
      )}
      <Panel title="Other apps">
        <div className="grid gap-4">
          <p className="text-sm text-muted">Add a CardDAV account with these details.</p>
          <CopyField label="Server address" value={server} button="Copy address" />
          <CopyField label="User name" value={email} button="Copy user name" />
          <CopyField label="Password" value={password} button="Copy password" />
        </div>
      </Panel>
      <ButtonLink variant="main" href="/leads/devices" className="justify-self-start">
        Continue
      </ButtonLink>
    </Page>
  );
}

function Setup({ url, code, label, hint, button }: SetupLink & { label: string; hint: string; button: string }) {
  return (
    <div className="grid justify-items-start gap-4">
      <p className="text-sm text-muted">{hint}</p>
      <QrImage
        className="w-56 max-w-full rounded-control bg-white forced-color-adjust-none"
        code={code}
        label={label}
      />
      <ButtonLink href={url}>{button}</ButtonLink>
    </div>
  );
}
