import logoRows from "./images/integrations.svg";
import services from "./images/services.svg";
import { LandingSection } from "./section.tsx";

/** What works with Meishi today. The FAQ lists what is missing. */
export function IntegrationsSection({ hasPasses, hasGoogleWallet }: { hasPasses: boolean; hasGoogleWallet: boolean }) {
  const wallets = [hasPasses && "Apple Wallet", hasGoogleWallet && "Google Wallet"].filter(Boolean).join(" and ");
  const wallet: Integration = { name: "Wallets", guide: "wallet", text: `Your card in ${wallets}, always up to date.` };
  return (
    <LandingSection
      id="integrations"
      eyebrow="Integrations"
      title="Works with the apps people already use"
      intro="Files, links and codes for phones and apps, and your leads where you work."
    >
      <figure className="reveal border-t border-line py-6">
        <img
          src={services}
          width={1140}
          height={304}
          loading="lazy"
          decoding="async"
          alt="Icons of LinkedIn, Instagram, YouTube and many others."
          className="min-h-50 w-full object-cover object-left"
        />
        <figcaption className="mt-6 text-sm text-muted">
          Links to these sites get their icon, all others a globe.
        </figcaption>
      </figure>
      <dl className="places reveal grid gap-x-10 sm:grid-cols-2">
        {[...integrations, ...(wallets ? [wallet] : [])].map(({ name, guide, text, logos }) => (
          <div key={name}>
            <dt className="heading">
              <a href={`/docs#${guide}`}>{name}</a>
            </dt>
            <dd>
              {text}
              {logos && (
                <img src={`${logoRows}#${logos.row}`} width={logos.count * 40} height={24} loading="lazy" alt="" />
              )}
            </dd>
          </div>
        ))}
      </dl>
    </LandingSection>
  );
}

/** `guide`: where the documentation says how. `logos`: of what the text names, as far as scripts/draw-integrations.mjs has them. */
type Integration = { name: string; guide: string; text: string; logos?: { row: string; count: number } };

const integrations: Integration[] = [
  {
    name: "Contacts",
    guide: "save-contact",
    text: "A vCard with your photo, for phones, Outlook and Google Contacts.",
  },
  {
    name: "Booking pages",
    guide: "links",
    logos: { row: "booking", count: 1 },
    text: "Paste your link from Cal.com, Calendly, Doodle or others.",
  },
  {
    name: "Email and calls",
    guide: "signature",
    logos: { row: "email", count: 3 },
    text: "A signature for Gmail, Outlook and Apple Mail, a background for Zoom, Teams and Meet.",
  },
  {
    name: "NFC tags",
    guide: "nfc",
    logos: { row: "nfc", count: 1 },
    text: "Any NTAG213 or larger tag opens your page.",
  },
  {
    name: "Printers",
    guide: "print",
    text: "Sheets of cards with crop marks, and QR codes as SVG and PNG.",
  },
  {
    name: "Imports",
    guide: "links",
    logos: { row: "imports", count: 2 },
    text: "Links from Linktree, details from a .vcf file or LinkedIn’s data export.",
  },
  {
    name: "Team chat",
    guide: "leads",
    logos: { row: "chat", count: 3 },
    text: "New leads in Slack, Mattermost, Rocket.Chat and Discord.",
  },
  {
    name: "Leads",
    guide: "leads",
    logos: { row: "leads", count: 5 },
    text: "In your phone’s contacts, Nextcloud, HubSpot, Mailchimp, Brevo and listmonk.",
  },
  { name: "Calendars", guide: "leads", text: "Follow-ups in any calendar app." },
  {
    name: "Webhooks",
    guide: "webhooks",
    text: "Each new lead as signed JSON.",
  },
];
