import services from "./images/services.svg";
import { LandingSection } from "./section.tsx";

/** What works with Meishi today. The FAQ lists what is missing. */
export function IntegrationsSection({ hasPasses, hasGoogleWallet }: { hasPasses: boolean; hasGoogleWallet: boolean }) {
  const wallets = [hasPasses && "Apple Wallet", hasGoogleWallet && "Google Wallet"].filter(Boolean).join(" and ");
  const wallet = { name: "Wallets", text: `Your card in ${wallets}, always up to date.` };
  return (
    <LandingSection
      id="integrations"
      eyebrow="Integrations"
      title="Works with the apps people already use"
      intro="Files, links and codes that phones and apps support, and your leads where you work."
    >
      <figure className="reveal overflow-hidden border-y border-line py-6 lg:py-8">
        <img
          src={services}
          width={1140}
          height={304}
          loading="lazy"
          decoding="async"
          alt="Icons of LinkedIn, Instagram, YouTube and many other services."
          className="h-50 w-full object-cover object-left md:h-auto"
        />
        <figcaption className="mt-6 text-sm text-muted">
          Links to these sites get their icon, all others a globe.
        </figcaption>
      </figure>
      <dl className="places reveal mt-10 grid gap-x-10 sm:grid-cols-2">
        {[...integrations, ...(wallets ? [wallet] : [])].map(({ name, text }) => (
          <div key={name}>
            <dt className="heading">{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </LandingSection>
  );
}

const integrations = [
  {
    name: "Contacts",
    text: "Save Contact downloads a vCard with your photo, for phones, Outlook and Google Contacts.",
  },
  {
    name: "Booking pages",
    text: "Cal.com, Calendly, Doodle and others: paste your link, and it gets an icon.",
  },
  { name: "Email", text: "A signature for Gmail, Outlook and Apple Mail." },
  { name: "Video calls", text: "A 1920 × 1080 background for Zoom, Teams and Meet." },
  { name: "NFC tags", text: "Any NTAG213 or larger tag opens your page." },
  {
    name: "Printers",
    text: "Sheets of cards with crop marks, and QR codes as SVG and PNG.",
  },
  {
    name: "Imports",
    text: "Links from Linktree, and details from a .vcf file or LinkedIn’s data export.",
  },
  {
    name: "Team chat",
    text: "New leads in Slack, Mattermost, Rocket.Chat and Discord.",
  },
  { name: "Leads", text: "In your phone’s contacts, Nextcloud, HubSpot, Mailchimp, Brevo and listmonk." },
  { name: "Calendars", text: "Follow-ups in any calendar app." },
  {
    name: "Webhooks",
    text: "Each new lead as signed JSON.",
  },
];
