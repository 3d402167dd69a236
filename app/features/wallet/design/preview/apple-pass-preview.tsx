import { sealDrawing } from "#app/features/shell/seal-drawing.ts";

import { backRows } from "./preview-content.ts";
import type { PreviewedPass } from "./preview-content.ts";

type PassViewProps = { pass: PreviewedPass };

/**
 * An event ticket with a background image, as Apple lays it out: logo and its text at the top, the primary field, a thumbnail of 90 points
 * at the right, secondary and auxiliary fields, and the code at the bottom.
 * https://developer.apple.com/library/archive/documentation/UserExperience/Conceptual/PassKit_PG/Creating.html
 */
export function ApplePassFront({ pass: { content, qr, avatar, logo, background } }: PassViewProps) {
  const { heading, name, job, email, phone } = content;
  return (
    <div className={frontClass}>
      <div className="absolute inset-0 -z-10 overflow-hidden">
        {background && <img src={background} alt="" className="size-full scale-115 object-cover blur-[7px]" />}
        <div className="absolute inset-0 bg-(--pass-tint) opacity-30" />
        <div className="absolute inset-0 bg-(--pass-veil)" />
      </div>
      <div className="flex h-12.5 items-center gap-3">
        <PassLogo kind={content.images.logo.kind} url={logo} />
        {/* A company's own logo says its name. */}
        {!logo && (
          <span className="min-w-0 truncate text-[17px] font-medium" dir="auto">
            {heading}
          </span>
        )}
      </div>
      <div className="mt-4 flex min-h-22.5 gap-3">
        <div className="grid min-w-0 flex-1 content-start gap-3">
          <p className="line-clamp-2 text-[23px] leading-tight wrap-anywhere" dir="auto">
            {name}
          </p>
          {job && (
            <p>
              <span className={labelClass}>Work</span>
              <span className="line-clamp-2 text-[15px] leading-snug wrap-anywhere" dir="auto">
                {job}
              </span>
            </p>
          )}
        </div>
        {avatar && <img src={avatar} alt="" className="size-22.5 shrink-0 rounded-full object-cover" />}
      </div>
      <div className="mt-4 grid grid-cols-[repeat(auto-fit,minmax(0,1fr))] gap-3">
        {email && <PassField label="Email" text={email} />}
        {phone && <PassField label="Phone" text={phone} />}
      </div>
      <div className="mt-auto pt-6">
        <PassCode qr={qr} label={content.qr.label} />
      </div>
    </div>
  );
}

function PassLogo({ kind, url }: { kind: string; url: string | undefined }) {
  if (kind === "seal")
    return (
      <svg viewBox={`0 0 ${sealDrawing.side} ${sealDrawing.side}`} className="size-9 shrink-0" aria-hidden="true">
        <rect width={sealDrawing.side} height={sealDrawing.side} rx={sealDrawing.radius} fill={sealDrawing.red} />
        <path
          d={sealDrawing.letter}
          fill="none"
          stroke={sealDrawing.paper}
          strokeWidth={sealDrawing.stroke}
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
    );
  return url ? <img src={url} alt="" className="max-h-12.5 max-w-40 object-contain" /> : null;
}

function PassField({ label, text }: { label: string; text: string }) {
  return (
    <p className="min-w-0">
      <span className={labelClass}>{label}</span>
      <span className="block truncate text-[14px] leading-5" dir="ltr">
        {text}
      </span>
    </p>
  );
}

/** The code on white, with its text below it. */
export function PassCode({ qr, label }: { qr: PreviewedPass["qr"]; label: string }) {
  return (
    <div className="mx-auto w-fit rounded-[8px] bg-white p-1 pb-2 text-center forced-color-adjust-none">
      <svg
        viewBox={`0 0 ${qr.size} ${qr.size}`}
        className="block size-38"
        shapeRendering="crispEdges"
        aria-hidden="true"
      >
        <path d={qr.d} fill="none" stroke="#000" />
      </svg>
      {label && <p className="max-w-50 truncate px-2 text-[12px] leading-4 text-black">{label}</p>}
    </div>
  );
}

/** The details of a pass: rows of a label and its text, in the colors of the phone. */
export function ApplePassBack({ pass: { content } }: PassViewProps) {
  return <BackRows rows={backRows(content)} className="rounded-[14px]" />;
}

export function BackRows({ rows, className }: { rows: { label: string; text: string }[]; className: string }) {
  return (
    <dl className={`min-h-112 border border-line bg-raised px-4 py-2 text-text shadow-card ${className}`}>
      {rows.map(({ label, text }, index) => (
        <div key={index} className="border-t border-line py-2.5 first:border-t-0">
          {/* The last row has no label. */}
          <dt className={label ? "text-[13px] text-muted" : "sr-only"} dir="auto">
            {label || "Made by"}
          </dt>
          <dd className="line-clamp-4 text-[15px] wrap-anywhere whitespace-pre-line" dir="auto">
            {text}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** iOS writes labels in capitals. */
const labelClass = "block text-[11px] leading-4 font-semibold text-(--pass-label) uppercase";
/** The notch at the top marks an event ticket. */
const frontClass =
  "relative isolate flex min-h-112 flex-col overflow-hidden rounded-[14px] bg-linear-to-b from-(--pass-from) to-(--pass-to) p-4 pt-3 " +
  "text-(--pass-text) shadow-card forced-color-adjust-none font-[-apple-system,system-ui,sans-serif] " +
  "[mask:radial-gradient(circle_at_50%_-14px,transparent_26px,#000_26.5px)]";
