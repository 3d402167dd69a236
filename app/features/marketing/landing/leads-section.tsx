import form from "./images/form.avif";
import inbox from "./images/inbox.avif";
import kiosk from "./images/kiosk.avif";
import { LandingSection } from "./section.tsx";

/** The way back: what visitors share, and what owners do with it. For recruiters and sales teams above all. */
export function LeadsSection() {
  return (
    <LandingSection
      id="contacts"
      eyebrow="Leads"
      title="Get their details too"
      intro="Visitors share their contact on your card, and see what they agree to. You answer from your inbox, at the fair or the week after."
    >
      <ul className="reveal grid gap-x-8 gap-y-10 md:grid-cols-3">
        {pictured.map(({ title, text, image }) => (
          <li key={title}>
            <img
              src={image}
              width={760}
              height={459}
              loading="lazy"
              decoding="async"
              alt=""
              className="w-full rounded-control border border-line"
            />
            <h3 className="mt-5 font-semibold">{title}</h3>
            <p className="mt-1 text-muted">{text}</p>
          </li>
        ))}
      </ul>
      <dl className="places reveal mt-10 grid gap-x-10 sm:grid-cols-2">
        {others.map(({ name, text }) => (
          <div key={name}>
            <dt className="heading">{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </LandingSection>
  );
}

const pictured = [
  {
    title: "A contact form on your card",
    text: "You choose the fields and questions. Each consent is stored with its text, and visitors can withdraw it by a link.",
    image: form,
  },
  {
    title: "An inbox for the people you met",
    text: "Search, tags, notes and follow-ups, and the source of each lead: QR code, NFC tag, link or print.",
    image: inbox,
  },
  {
    title: "Kiosk mode for fairs",
    text: "The form full screen on a tablet. It also works without a network, and sends when the network is back.",
    image: kiosk,
  },
];

const others = [
  {
    name: "Paper card scanner",
    text: "Photograph a card, check what was read, and save it. The photo is read on your device.",
  },
  { name: "Exports", text: "CSV for a spreadsheet or CRM, contact files for address books, and an API." },
];
