import { BackRows, PassCode } from "./apple-pass-preview.tsx";
import { backRows } from "./preview-content.ts";
import type { PreviewedPass } from "./preview-content.ts";

type PassViewProps = { pass: PreviewedPass };

/**
 * A generic pass as Google lays it out: a round logo and the issuer, the job above the name, rows of fields, the code, and the hero image.
 * https://developers.google.com/wallet/generic/resources/template
 */
export function GooglePassFront({ pass: { content, qr, avatar, background } }: PassViewProps) {
  const { heading, issuer, name, job, email, phone } = content;
  return (
    <div className={frontClass}>
      <div className="flex items-center gap-3 px-4 py-3.5">
        {avatar && <img src={avatar} alt="" className="size-8 shrink-0 rounded-full object-cover" />}
        <span className="truncate text-[14px]" dir="auto">
          {heading || issuer.name}
        </span>
      </div>
      <div className="h-px bg-current opacity-15" />
      <div className="px-4 pt-4">
        <p className="truncate text-[13px] text-(--pass-label)" dir="auto">
          {job}
        </p>
        <p className="line-clamp-2 text-[22px] leading-tight wrap-anywhere" dir="auto">
          {name}
        </p>
      </div>
      <div className="grid grid-cols-2 gap-4 px-4 pt-4">
        {[
          ["Email", email],
          ["Phone", phone],
        ].map(
          ([label, text]) =>
            text && (
              <p key={label} className="min-w-0 odd:last:col-span-2">
                <span className="block text-[12px] text-(--pass-label)">{label}</span>
                <span className="block truncate text-[14px]" dir="ltr">
                  {text}
                </span>
              </p>
            ),
        )}
      </div>
      <div className="mt-auto py-5">
        <PassCode qr={qr} label={content.qr.label} />
      </div>
      {background && (
        <div className="relative">
          <img src={background} alt="" className="block h-24 w-full object-cover" />
          <div className="absolute inset-0 bg-(--pass-tint) opacity-30" />
        </div>
      )}
    </div>
  );
}

export function GooglePassBack({ pass: { content } }: PassViewProps) {
  return <BackRows rows={backRows(content)} className="rounded-[20px]" />;
}

const frontClass =
  "flex min-h-112 flex-col overflow-hidden rounded-[20px] border border-line bg-(--pass-from) text-(--pass-text) shadow-card " +
  "forced-color-adjust-none font-[Roboto,system-ui,sans-serif]";
