import { BackRows, PassCode, Seal } from "./preview-elements.tsx";
import type { PreviewedPass } from "./preview-content.ts";

type PassViewProps = { pass: PreviewedPass };

/**
 * An event ticket with a background image, as Apple lays it out: logo and its text at the top, the primary field, a thumbnail of 90 points
 * at the right, secondary and auxiliary fields, and the code at the bottom.
 * https://developer.apple.com/library/archive/documentation/UserExperience/Conceptual/PassKit_PG/Creating.html
 */
export function ApplePassFront({ pass: { apple, qr, avatar, logo, background } }: PassViewProps) {
  const { primaryFields, secondaryFields, auxiliaryFields } = apple.eventTicket;
  return (
    <div className={frontClass}>
      <div className="absolute inset-0 -z-10 overflow-hidden">
        {background && <img src={background} alt="" className="size-full scale-115 object-cover blur-[7px]" />}
        <div className="absolute inset-0 bg-(--pass-tint) opacity-30" />
        <div className="absolute inset-0 bg-(--pass-veil)" />
      </div>
      <div className="flex h-12.5 items-center gap-3">
        {logo.kind === "seal" && <Seal className="size-9 shrink-0" />}
        {logo.kind === "image" && <img src={logo.url} alt="" className="max-h-12.5 max-w-40 object-contain" />}
        {"logoText" in apple && (
          <span className="min-w-0 truncate text-[17px] font-medium" dir="auto">
            {apple.logoText}
          </span>
        )}
      </div>
      <div className="mt-4 flex min-h-22.5 gap-3">
        <div className="grid min-w-0 flex-1 content-start gap-3">
          {primaryFields.map(({ key, value }) => (
            <p key={key} className="line-clamp-2 text-[23px] leading-tight wrap-anywhere" dir="auto">
              {value}
            </p>
          ))}
          {secondaryFields.map(({ key, label, value }) => (
            <p key={key}>
              <span className={labelClass}>{label}</span>
              <span className="line-clamp-2 text-[15px] leading-snug wrap-anywhere" dir="auto">
                {value}
              </span>
            </p>
          ))}
        </div>
        {avatar && <img src={avatar} alt="" className="size-22.5 shrink-0 rounded-full object-cover" />}
      </div>
      <div className="mt-4 grid grid-cols-[repeat(auto-fit,minmax(0,1fr))] gap-3">
        {auxiliaryFields.map(({ key, label, value }) => (
          <p key={key} className="min-w-0">
            <span className={labelClass}>{label}</span>
            {/* An email or a phone number. */}
            <span className="block truncate text-[14px] leading-5" dir="ltr">
              {value}
            </span>
          </p>
        ))}
      </div>
      <div className="mt-auto pt-6">
        <PassCode qr={qr} label={apple.barcode?.altText} />
      </div>
    </div>
  );
}

/** The details of a pass: rows of a label and its text. */
export function ApplePassBack({ pass: { apple } }: PassViewProps) {
  const rows = apple.eventTicket.backFields.map(({ label, value }) => ({ label, text: value }));
  return <BackRows rows={rows} className="rounded-[14px]" />;
}

/** iOS writes labels in capitals. */
const labelClass = "block text-[11px] leading-4 font-semibold text-(--pass-label) uppercase";
/** The notch at the top marks an event ticket. */
const frontClass =
  "relative isolate flex min-h-112 flex-col overflow-hidden rounded-[14px] bg-linear-to-b from-(--pass-from) to-(--pass-to) p-4 pt-3 " +
  "text-(--pass-text) shadow-card forced-color-adjust-none font-[-apple-system,system-ui,sans-serif] " +
  "[mask:radial-gradient(circle_at_50%_-14px,transparent_26px,#000_26.5px)]";
