import { useState } from "react";

import { ButtonLink } from "#app/ui/button.tsx";
import { CheckboxField } from "#app/ui/checkbox-field.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { Panel } from "#app/ui/panel.tsx";

import { offlineFieldNames } from "./offline-fields.ts";
import type { OfflineContact, OfflineField, OfflineQr } from "./offline-qr.ts";

type OfflinePanelProps = { contact: OfflineContact; fields: readonly OfflineField[]; first: OfflineQr; path: string };

/** The contact itself in a code, for where nobody has a network, and what it is to hold. `first` is the code with all of `fields`. */
export function OfflinePanel({ contact, fields, first, path }: OfflinePanelProps) {
  const [held, setHeld] = useState(fields);
  const [qr, setQr] = useState(first);
  const [isLost, setIsLost] = useState(false);

  const choose = (wanted: readonly OfflineField[]) => {
    setHeld(wanted);
    // What draws codes comes when it is needed first: most owners leave this as it is.
    import("./offline-qr.ts").then(
      ({ offlineQr }) => {
        setIsLost(false);
        setQr(offlineQr(contact, wanted));
      },
      () => setIsLost(true),
    );
  };
  const without = fields.filter((field) => !held.includes(field)).map((field) => `without=${field}`);
  const query = without.length > 0 ? `?${without.join("&")}` : "";
  return (
    <Panel title="Contact in the code">
      <p className="text-muted">
        Works where neither phone has a network: the code holds the contact itself, without your picture. It says what
        is true today, so use it on screens rather than in print.
      </p>
      <div className="mt-4 grid gap-x-6 gap-y-4 sm:grid-cols-[14rem_minmax(0,1fr)]">
        <ContactCode qr={qr} name={contact.name} />
        <fieldset className="min-w-0">
          <legend className="mb-1 text-sm font-medium">It holds the name and</legend>
          {fields.map((field) => (
            <CheckboxField
              key={field}
              label={<Held field={field} value={contact[field]} />}
              checked={held.includes(field)}
              onChange={({ currentTarget: { checked } }) =>
                choose(fields.filter((one) => (one === field ? checked : held.includes(one))))
              }
            />
          ))}
        </fieldset>
      </div>
      <div role="status" className="mt-4 empty:hidden">
        {isLost && (
          <Notice tone="error" title="This could not be drawn">
            Check your connection, then choose again.
          </Notice>
        )}
        {!isLost && <Density qr={qr} />}
      </div>
      {qr.kind === "code" && !isLost && (
        <div className="mt-4 flex flex-wrap gap-2.5">
          <ButtonLink href={`${path}/contact-code.svg${query}`} download="contact-code.svg">
            <Icon name="download" />
            SVG
          </ButtonLink>
          <ButtonLink href={`${path}/contact-code.png${query}`} download="contact-code.png">
            <Icon name="download" />
            PNG
          </ButtonLink>
        </div>
      )}
    </Panel>
  );
}

function ContactCode({ qr, name }: { qr: OfflineQr; name: string }) {
  const look = "mx-auto aspect-square w-full max-w-70 rounded-control forced-color-adjust-none";
  if (qr.kind === "too-much") {
    return (
      <div
        className={`${look} grid place-items-center border border-dashed border-line-strong p-4 text-center text-sm text-muted`}
      >
        More than a code can hold
      </div>
    );
  }
  const { size, d } = qr.code;
  return (
    <svg
      className={`${look} block bg-white`}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={`QR code with the contact of ${name}`}
    >
      <path d={d} fill="none" stroke="#000" />
    </svg>
  );
}

function Held({ field, value }: { field: OfflineField; value: string }) {
  return (
    <>
      {offlineFieldNames[field]}
      <span className="line-clamp-1 text-sm font-normal break-all text-muted" dir="auto">
        {value.replace(/^https?:\/\//, "")}
      </span>
    </>
  );
}

function Density({ qr }: { qr: OfflineQr }) {
  if (qr.kind === "code" && qr.density === "fine") return null;
  const advice = qr.leaveOut ? ` Leave out “${offlineFieldNames[qr.leaveOut]}” first.` : "";
  if (qr.kind === "too-much")
    return (
      <Notice tone="warning" title="Too much for one code">
        {advice.trim()}
      </Notice>
    );
  return (
    <Notice tone="warning" title="Too dense to scan well from a screen">
      {`On paper it has to be ${qr.printWidth} mm wide or more.${advice}`}
    </Notice>
  );
}
