import { useState } from "react";
import { redirect } from "react-router";

import { loadOwnShare } from "#app/features/cards/share-subjects.server.ts";
import { offlineFields, offlineQr } from "#app/features/sharing/offline/offline-qr.ts";
import type { OfflineField, OfflineQr } from "#app/features/sharing/offline/offline-qr.ts";
import { QrImage } from "#app/features/drawing/qr-image.tsx";
import { ButtonLink } from "#app/ui/components/button.tsx";
import { Icon } from "#app/ui/components/icon.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import { CheckboxField } from "#app/ui/forms/checkbox-field.tsx";

import type { Route } from "./+types/offline-page.ts";
import { ShareSection, toSectionSubject } from "./share-section.tsx";

export async function loader({ params, context }: Route.LoaderArgs) {
  const subject = await loadOwnShare(context, params);
  const { contact, sharePath } = subject;
  // Only cards have contact details.
  if (!contact) throw redirect(sharePath);
  const fields = offlineFields.filter((field) => contact[field].trim() !== "");
  return { subject: toSectionSubject(subject), contact, fields, first: offlineQr(contact, fields) };
}

export const meta: Route.MetaFunction = () => [{ title: "Offline contact code | Meishi" }];

/** A QR code that contains the contact itself, for places without a network. `first` is the code with all of `fields`. */
export default function OfflinePage({ loaderData: { subject, contact, fields, first } }: Route.ComponentProps) {
  const [included, setIncluded] = useState<readonly OfflineField[]>(fields);
  const [qr, setQr] = useState(first);
  const [hasFailed, setHasFailed] = useState(false);

  const choose = (chosen: readonly OfflineField[]) => {
    setIncluded(chosen);
    // Loads the code generator when it is first needed: most owners don't change the fields.
    import("#app/features/sharing/offline/offline-qr.ts").then(
      (loaded) => {
        setHasFailed(false);
        setQr(loaded.offlineQr(contact, chosen));
      },
      () => setHasFailed(true),
    );
  };
  const without = fields.filter((field) => !included.includes(field)).map((field) => `without=${field}`);
  const query = without.length > 0 ? `?${without.join("&")}` : "";
  return (
    <ShareSection title="Offline contact code" subject={subject}>
      <p className="text-muted">
        Works when neither phone is online: the code contains your contact details, without your avatar. It doesn’t
        update, so use it on screens rather than in print.
      </p>
      <div className="grid gap-x-6 gap-y-4 sm:grid-cols-[14rem_minmax(0,1fr)]">
        <ContactCode qr={qr} name={contact.name} />
        <fieldset className="min-w-0">
          <legend className="mb-1 text-sm font-medium">Your name, plus</legend>
          {fields.map((field) => (
            <CheckboxField
              key={field}
              label={<OfflineFieldLabel field={field} value={contact[field]} />}
              checked={included.includes(field)}
              onChange={({ currentTarget: { checked } }) =>
                choose(fields.filter((one) => (one === field ? checked : included.includes(one))))
              }
            />
          ))}
        </fieldset>
      </div>
      <div role="status" className="empty:hidden">
        {hasFailed && (
          <Notice tone="error" title="Couldn’t generate the code">
            Check your connection and try again.
          </Notice>
        )}
        {!hasFailed && <DensityNotice qr={qr} />}
      </div>
      {qr.kind === "code" && !hasFailed && (
        <div className="flex flex-wrap gap-2.5 max-sm:*:grow">
          <ButtonLink variant="main" href={`${subject.sharePath}/contact-code.png${query}`} download="contact-code.png">
            <Icon name="download" />
            PNG
          </ButtonLink>
          <ButtonLink href={`${subject.sharePath}/contact-code.svg${query}`} download="contact-code.svg">
            <Icon name="download" />
            SVG
          </ButtonLink>
        </div>
      )}
    </ShareSection>
  );
}

function ContactCode({ qr, name }: { qr: OfflineQr; name: string }) {
  const look = "mx-auto aspect-square w-full max-w-70 rounded-control forced-color-adjust-none";
  if (qr.kind === "too-much") {
    return (
      <div
        className={`${look} grid place-items-center border border-dashed border-line-strong p-4 text-center text-sm text-muted`}
      >
        Too much for one QR code
      </div>
    );
  }
  return (
    <QrImage
      code={qr.code}
      label={`QR code with the contact details of ${name}`}
      className={`${look} block bg-white`}
    />
  );
}

function OfflineFieldLabel({ field, value }: { field: OfflineField; value: string }) {
  return (
    <>
      {offlineFieldLabels[field]}
      <span className="line-clamp-1 text-sm font-normal break-all text-muted" dir="auto">
        {value.replace(/^https?:\/\//, "")}
      </span>
    </>
  );
}

function DensityNotice({ qr }: { qr: OfflineQr }) {
  if (qr.kind === "code" && qr.density === "fine") return null;
  const advice = qr.leaveOut ? ` Try leaving out “${offlineFieldLabels[qr.leaveOut]}” first.` : "";
  if (qr.kind === "too-much")
    return (
      <Notice tone="warning" title="Too much for one QR code">
        {advice.trim()}
      </Notice>
    );
  return (
    <Notice tone="warning" title="Too dense to scan well from a screen">
      {`In print, make it at least ${qr.printWidth} mm wide.${advice}`}
    </Notice>
  );
}

const offlineFieldLabels: Record<OfflineField, string> = {
  phone: "Phone",
  email: "Email",
  company: "Company",
  title: "Profession / Title",
  url: "Card link",
};
