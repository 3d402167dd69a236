import { featureFlags } from "#app/features/shell/feature-flags.ts";
import { formatList } from "#app/services/base/format.ts";

import services from "./images/services.svg";
import { LandingSection } from "./section.tsx";

/** What works together with Meishi today, and in one line what is missing. */
export function IntegrationsSection() {
  const missing = planned.filter(([feature]) => !featureFlags[feature]).map(([, label]) => label);
  return (
    <LandingSection
      id="integrations"
      eyebrow="Integrations"
      title="Fits what they already have"
      intro="No account to connect, no key to paste: files, links and codes that phones and programs have read for years."
    >
      <figure className="reveal overflow-hidden border-y border-line py-6 lg:py-8">
        <img
          src={services}
          width={1140}
          height={304}
          loading="lazy"
          decoding="async"
          alt="The icons of LinkedIn, GitHub, Instagram, YouTube, Mastodon, Spotify and many more."
          className="h-50 w-full object-cover object-left md:h-auto"
        />
        <figcaption className="mt-6 text-sm text-muted">
          A link to one of these gets its icon by itself. Any other address gets a globe.
        </figcaption>
      </figure>
      <dl className="places reveal mt-10 grid gap-x-10 sm:grid-cols-2">
        {integrations.map(({ name, text }) => (
          <div key={name}>
            <dt className="heading">{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      {missing.length > 0 && (
        <p className="mt-6.5 text-sm text-muted">
          <b className="font-semibold text-text">Not there yet:</b> {formatList(missing)}. Planned, and nothing here
          counts on them.
        </p>
      )}
    </LandingSection>
  );
}

const integrations = [
  {
    name: "Address books",
    text: "Save Contact is a vCard with your photo, for iPhone, Android, Outlook, Google and Apple contacts.",
  },
  {
    name: "Booking pages",
    text: "Cal.com, Calendly, SavvyCal, Doodle, Google Calendar: paste the address, get a link with a calendar.",
  },
  { name: "Mail", text: "A signature for Gmail, Outlook and Apple Mail, with the steps for each." },
  { name: "Video calls", text: "A background of 1920 × 1080 for Zoom, Teams and Meet, on ink or on paper." },
  { name: "NFC tags", text: "Any tag from NTAG213 on. Whoever holds a phone to it sees your page." },
  {
    name: "Printers",
    text: "Sheets of cards with crop marks, A4 or Letter. Codes as SVG and PNG.",
  },
  {
    name: "What you have",
    text: "A saved Linktree page or a JSON file brings your links along, a .vcf your contact.",
  },
  { name: "Your own pages", text: "/avatar/anything.svg draws a face for any name, as PNG and JSON too." },
];

const planned: [keyof typeof featureFlags, string][] = [
  ["passes", "passes for Apple and Google Wallet"],
  ["leads", "taking down a visitor's details with their consent"],
  ["analytics", "charts of your visits"],
  ["providers", "signing in with Google or Apple"],
  ["api", "an API for programs of your own"],
];
