import { ButtonLink } from "#app/ui/button.tsx";

import { SecuritySectionFacts } from "./security-section-facts.tsx";
import type { SecurityFacts } from "./security-section.server.ts";
import { Section } from "./section.tsx";

/** What the program does by itself, each with the place where it can be seen; then what holds for this site. */
export function SecuritySection({ facts }: { facts: SecurityFacts }) {
  return (
    <Section
      id="security"
      eyebrow="Security"
      title="Nothing to take on trust"
      intro="The program is open source. Look each of these up, in your browser or in the code."
    >
      <ul className="claims reveal">
        {claims.map(({ title, text, check }) => (
          <li key={title}>
            <h3 className="heading">{title}</h3>
            <p>{text}</p>
            <p>{`Check: ${check}`}</p>
          </li>
        ))}
      </ul>
      <SecuritySectionFacts facts={facts} />
      <p className="mt-6.5 flex flex-wrap gap-3.5">
        <ButtonLink href="/security-overview">Read the security overview</ButtonLink>
        <ButtonLink href="/status">See the status</ButtonLink>
      </p>
    </Section>
  );
}

const claims = [
  {
    title: "No cookies for your visitors",
    text: "A card and a profile set none. Opened cards are counted by day; no address is stored.",
    check: "your browser's tools, under Storage",
  },
  {
    title: "Nobody else is asked",
    text: "Fonts, pictures and codes come from this site. The browser is told to refuse others.",
    check: "the header Content-Security-Policy",
  },
  {
    title: "Passwords can't be read",
    text: "Kept as scrypt hashes, each with its own salt. More than 40,000 common ones are refused.",
    check: "app/services/auth.server.test.ts",
  },
  {
    title: "Photos lose their place",
    text: "Each picture is drawn anew when it arrives: where and with what it was taken is gone.",
    check: "tests/journeys/uploads-harmless.test.ts",
  },
  {
    title: "You decide what shows",
    text: "A number stands on the page, in the contact file, or both. A paused card answers like one that never was.",
    check: "app/features/cards/public-card.server.ts",
  },
  {
    title: "You can leave with it",
    text: "Run it yourself: database and files lie in one folder to back up or move.",
    check: "README.md, To host it",
  },
];
