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
      intro="Visitors share their contact on your card. You answer from your inbox."
    >
      <ul className="reveal grid gap-10 md:grid-cols-3">
        {illustrated.map(({ title, text, image }) => (
          <li key={title}>
            <img
              src={image}
              width={760}
              height={459}
              loading="lazy"
              alt=""
              className="w-full rounded-control border border-line"
            />
            <h3 className="mt-5 font-semibold">{title}</h3>
            <p className="mt-1 text-muted">{text}</p>
          </li>
        ))}
      </ul>
    </LandingSection>
  );
}

const illustrated = [
  {
    title: "A contact form on your card",
    text: "You choose the fields and questions. Visitors can withdraw their consent at any time.",
    image: form,
  },
  {
    title: "An inbox for the people you met",
    text: "Search, tags, notes, follow-ups, and a scanner for paper cards. Export all of it.",
    image: inbox,
  },
  {
    title: "Kiosk mode for fairs",
    text: "The form full screen on a tablet, also without a network.",
    image: kiosk,
  },
];
