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
      intro="Files, links and codes that every phone and app supports, and copies of your leads where you work."
    >
      <figure className="reveal overflow-hidden border-y border-line py-6 lg:py-8">
        <img
          src={services}
          width={1140}
          height={304}
          loading="lazy"
          decoding="async"
          alt="Icons of LinkedIn, GitHub, Instagram, YouTube, Mastodon, Spotify and many other services."
          className="h-50 w-full object-cover object-left md:h-auto"
        />
        <figcaption className="mt-6 text-sm text-muted">
          Links to these sites get their icon automatically. All other links get a globe.
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
    text: "Save Contact downloads a vCard with your photo, for iPhone, Android, Outlook, and Google and Apple Contacts.",
  },
  {
    name: "Booking pages",
    text: "Cal.com, Calendly, SavvyCal, Doodle, Google Calendar: paste your link, and it gets a calendar icon.",
  },
  { name: "Email", text: "A signature for Gmail, Outlook and Apple Mail, with setup steps for each." },
  { name: "Video calls", text: "A 1920 × 1080 background for Zoom, Teams and Meet, dark or light." },
  { name: "NFC tags", text: "Any NTAG213 or larger tag. Hold a phone to it, and your page opens." },
  {
    name: "Printers",
    text: "Sheets of cards with crop marks, on A4 or Letter. QR codes as SVG and PNG.",
  },
  {
    name: "Imports",
    text: "Links from a saved Linktree page, contact details from a .vcf file, and your profile from LinkedIn data.",
  },
  {
    name: "Team chat",
    text: "New leads in Slack, Mattermost, Rocket.Chat and Discord.",
  },
  { name: "CRM and newsletters", text: "Leads in HubSpot, Mailchimp, Brevo and listmonk, until their consent ends." },
  { name: "Address books", text: "Leads on your phone, in Nextcloud and other CardDAV servers." },
  { name: "Calendars", text: "Follow-ups in Google Calendar, Outlook and Apple Calendar." },
  {
    name: "Webhooks",
    text: "Each new lead as signed JSON, for your CRM or any program.",
  },
];
