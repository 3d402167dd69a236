import { QrImage } from "#app/features/drawing/qr-image.tsx";
import { sealDrawing } from "#app/features/shell/seal-drawing.ts";

import type { PreviewedPass } from "./preview-content.ts";

/** The code on white, with its text below it. */
export function PassCode({ qr, label }: { qr: PreviewedPass["qr"]; label: string | undefined }) {
  return (
    <div className="mx-auto w-fit rounded-[8px] bg-white p-1 pb-2 text-center forced-color-adjust-none">
      <QrImage code={qr} className="mx-auto block size-38" />
      {label && <p className="max-w-50 truncate px-2 text-[12px] leading-4 text-black">{label}</p>}
    </div>
  );
}

/** Our own logo. */
export function Seal({ className }: { className: string }) {
  const { side, radius, red, letter, paper, stroke } = sealDrawing;
  return (
    <svg viewBox={`0 0 ${side} ${side}`} className={className} aria-hidden="true">
      <rect width={side} height={side} rx={radius} fill={red} />
      <path d={letter} fill="none" stroke={paper} strokeWidth={stroke} strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}

/** The details of a pass, in the colors of the phone. */
export function BackRows({ rows, className }: { rows: readonly BackRow[]; className: string }) {
  return (
    <dl className={`min-h-112 border border-line bg-raised px-4 py-2 text-text shadow-card ${className}`}>
      {rows.map(({ label, text }, index) => (
        <div key={index} className="border-t border-line py-2.5 first:border-t-0">
          <dt className={label ? "text-[13px] text-muted" : "sr-only"} dir="auto">
            {label ?? "Text"}
          </dt>
          <dd className="line-clamp-4 text-[15px] wrap-anywhere whitespace-pre-line" dir="auto">
            {text}
          </dd>
        </div>
      ))}
    </dl>
  );
}

export type BackRow = { label?: string | undefined; text: string };
