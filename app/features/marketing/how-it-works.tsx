import { plans } from "#app/features/billing/rules.ts";

import cardOnPhone from "./pictures/step-card-phone.avif";
import card from "./pictures/step-card.avif";
import linksOnPhone from "./pictures/step-links-phone.avif";
import links from "./pictures/step-links.avif";
import share from "./pictures/step-share.avif";
import { Section } from "./section.tsx";

/** The three steps, each with a picture of where it is done; what exactly happens opens below it. */
export function HowItWorks() {
  return (
    <Section
      id="how-it-works"
      eyebrow="How it works"
      title="Three steps, then it is in their hand"
      intro="An e-mail address is all you need. Neither of you installs anything."
    >
      <ol className="steps">
        {steps.map((step, index) => (
          <Step key={step.title} {...step} number={index + 1} />
        ))}
      </ol>
    </Section>
  );
}

function Step({ number, title, text, picture, narrow, alt, summary, details }: StepProps) {
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
          <img src={picture} width={1120} height={677} loading="lazy" decoding="async" alt={alt} />
        </picture>
      </div>
    </li>
  );
}

type StepProps = (typeof steps)[number] & { number: number };

/** `narrow` is taken where of a whole window nothing could be read. */
const steps = [
  {
    title: "Create your card",
    text: "Your name, what you do, how to reach you. Beside the form lies the paper, as visitors will see it.",
    picture: card,
    narrow: cardOnPhone,
    alt: "The card editor shows the card as visitors will see it.",
    summary: "What goes on it",
    details: [
      "Several numbers and e-mail addresses, each on the page, in the contact file, or both.",
      "A logo, your title and pronouns, a drawn face if you have no photo.",
      "Or take it all from a contact file (.vcf) of your phone.",
      "It is public when you save it; one switch makes it private.",
    ],
  },
  {
    title: "Add your links",
    text: "Portfolio, booking page, shop: whatever has an address, in your order.",
    picture: links,
    narrow: linksOnPhone,
    alt: "The list of links in the profile editor, each with a switch.",
    summary: "What a link can do",
    details: [
      `Up to ${plans.free.maxLinks}, each with an icon for where it leads.`,
      "Come and go by date and hour, or be switched off without being lost.",
      "Be dragged into place, or moved by keyboard.",
      "Come along from a saved Linktree page or a JSON file.",
    ],
  },
  {
    title: "Share it anywhere",
    text: "Send the link, show the code, hold out a tag. One tap saves you, and what you change later shows.",
    picture: share,
    alt: "A printed sheet of business cards with crop marks, as it is downloaded.",
    summary: "Every way there is",
    details: [
      "A link, and a code in your colour as SVG and PNG.",
      "Cards to print and cut, on A4 or Letter.",
      "An NFC tag, an e-mail signature, a background for calls.",
      "A new handle breaks none of them: the old address leads to you for ever.",
    ],
  },
];
