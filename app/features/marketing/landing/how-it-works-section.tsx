import { plans } from "#app/features/billing/rules.ts";

import cardOnPhone from "./images/step-card-phone.avif";
import card from "./images/step-card.avif";
import linksOnPhone from "./images/step-links-phone.avif";
import links from "./images/step-links.avif";
import share from "./images/step-share.avif";
import { LandingSection } from "./section.tsx";

/** The three steps, each with a screenshot and details that unfold. */
export function HowItWorksSection() {
  return (
    <LandingSection
      id="how-it-works"
      eyebrow="How it works"
      title="Three steps to a card in their hands"
      intro="All you need is an email address. No one has to install anything."
    >
      <ol className="steps">
        {steps.map((step, index) => (
          <Step key={step.title} {...step} number={index + 1} />
        ))}
      </ol>
    </LandingSection>
  );
}

function Step({ number, title, text, image, narrow, alt, summary, details }: StepProps) {
  return (
    <li className="reveal">
      <div>
        <p aria-hidden="true" className="heading text-hero text-line-strong">
          {number}
        </p>
        <h3 className="heading title mt-4">{title}</h3>
        <p>{text}</p>
        <details className="more">
          <summary>{summary}</summary>
          <ul>
            {details.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </details>
      </div>
      <div className="crop">
        <picture>
          {narrow && <source media="(width < 40rem)" srcSet={narrow} width={760} height={557} />}
          <img src={image} width={1120} height={677} loading="lazy" decoding="async" alt={alt} />
        </picture>
      </div>
    </li>
  );
}

type StepProps = (typeof steps)[number] & { number: number };

/** `narrow`: a cropped image for phones, where a whole window would be unreadable. */
const steps = [
  {
    title: "Create your card",
    text: "Your name, what you do, how to reach you. A preview shows the card as visitors will see it.",
    image: card,
    narrow: cardOnPhone,
    alt: "The card editor with a preview of the card.",
    summary: "What goes on it",
    details: [
      "Several phone numbers and email addresses, each on the page, in the contact file, or both.",
      "A logo, your title and pronouns, and an avatar if you have no photo.",
      "Or import it all from a contact file (.vcf) on your phone.",
      "Your card is public once you save it. One switch makes it private.",
    ],
  },
  {
    title: "Add your links",
    text: "Portfolio, booking page, shop: anything with a URL, in any order.",
    image: links,
    narrow: linksOnPhone,
    alt: "The list of links in the profile editor, each with a switch.",
    summary: "What links can do",
    details: [
      `Up to ${plans.free.maxLinks}, each with its site’s icon.`,
      "Show them on a schedule, or turn them off without deleting them.",
      "Drag them into place, or move them with the keyboard.",
      "Import them from a saved Linktree page or a JSON file.",
    ],
  },
  {
    title: "Share it anywhere",
    text: "Send the link, show the QR code or use an NFC tag. One tap saves your contact, and your page stays up to date.",
    image: share,
    alt: "A print sheet of business cards with crop marks.",
    summary: "Every way to share",
    details: [
      "A link, and a QR code in your color as SVG or PNG.",
      "Business cards to print and cut, on A4 or Letter.",
      "An NFC tag, an email signature, a background for video calls.",
      "Change your handle anytime. Your old links keep working.",
    ],
  },
];
