import { frontFields } from "#app/features/wallet/google/pass-json.ts";

import { BackRows, PassCode, Seal } from "./preview-elements.tsx";
import type { PreviewedPass } from "./preview-content.ts";

type PassViewProps = { pass: PreviewedPass };

/**
 * A generic pass as Google lays it out: a round logo and the title, the subheader above the header, a row of fields, the code, and the hero
 * image. https://developers.google.com/wallet/generic/resources/template
 */
export function GooglePassFront({ pass }: PassViewProps) {
  const { google, qr, background } = pass;
  const { cardTitle, subheader, header, barcode, heroImage } = google;
  const modules = google.textModulesData ?? [];
  return (
    <div className={frontClass}>
      <div className="flex items-center gap-3 px-4 py-3.5">
        <GoogleLogo pass={pass} />
        <span className="truncate text-[14px]" dir="auto">
          {cardTitle.defaultValue.value}
        </span>
      </div>
      <div className="h-px bg-current opacity-15" />
      <div className="px-4 pt-4">
        {subheader && (
          <p className="truncate text-[13px]" dir="auto">
            {subheader.defaultValue.value}
          </p>
        )}
        <p className="line-clamp-2 text-[22px] leading-tight wrap-anywhere" dir="auto">
          {header.defaultValue.value}
        </p>
      </div>
      <div className="grid grid-cols-2 gap-4 px-4 pt-4">
        {frontFields
          .flatMap((field) => modules.find(({ id }) => id === field) ?? [])
          .map(({ id, header: label, body }) => (
            <p key={id} className="min-w-0 odd:last:col-span-2">
              <span className="block text-[12px]">{label}</span>
              {/* An email or a phone number. */}
              <span className="block truncate text-[14px]" dir="ltr">
                {body}
              </span>
            </p>
          ))}
      </div>
      <div className="mt-auto py-5">
        <PassCode qr={qr} label={barcode?.alternateText} />
      </div>
      {heroImage && (
        <div className="relative">
          <img src={background} alt="" className="block aspect-[1032/336] w-full object-cover" />
          <div className="absolute inset-0 bg-(--pass-tint) opacity-30" />
        </div>
      )}
    </div>
  );
}

/** Google cuts the logo to a circle, and shows a letter without one. A logo that isn't the avatar has a margin in the card's color. */
function GoogleLogo({ pass: { google, avatar, logo } }: PassViewProps) {
  if (google.logo && avatar) return <img src={avatar} alt="" className={`${logoClass} object-cover`} />;
  if (google.logo && logo.kind === "image")
    return (
      <span className={logoClass}>
        <img src={logo.url} alt="" className="max-h-[70%] max-w-[70%] object-contain" />
      </span>
    );
  if (google.logo)
    return (
      <span className={logoClass}>
        <Seal className="size-[70%]" />
      </span>
    );
  const [letter = ""] = google.cardTitle.defaultValue.value;
  return (
    <span className={`${logoClass} bg-white text-[15px] text-black uppercase`} aria-hidden="true">
      {letter}
    </span>
  );
}

/** The text modules and links, in Google's order. */
export function GooglePassBack({ pass: { google } }: PassViewProps) {
  const rows = [
    ...(google.textModulesData ?? []).map(({ header, body }) => ({ label: header, text: body })),
    ...(google.linksModuleData?.uris ?? []).map(({ uri, description }) => ({ text: description || uri })),
  ];
  return <BackRows rows={rows} className="rounded-[20px]" />;
}

const logoClass = "grid size-8 shrink-0 place-items-center overflow-hidden rounded-full";
/** The color of the texts is Google's choice. */
const frontClass =
  "flex min-h-112 flex-col overflow-hidden rounded-[20px] border border-line bg-(--google-ground) text-(--google-text) shadow-card " +
  "forced-color-adjust-none font-[Roboto,system-ui,sans-serif]";
