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
      title="Three steps, then it is in their hand"
      intro="An e-mail address is all you need. Neither of you installs anything."
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

/** `narrow`: a detail for phones, where a whole window would be unreadable. */
const steps = [
  {
    title: "Create your card",
    text: "Your name, what you do, how to reach you. Beside the form lies the paper, as visitors will see it.",
    image: card,
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
    image: links,
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
    image: share,
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
