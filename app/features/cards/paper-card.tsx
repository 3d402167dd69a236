import { countSigns, initials } from "#app/ui/initials.ts";

/** The card itself, as one would hand it over: paper, 91 by 55, taller only when its words need it. Needs public.css. */
export function PaperCard({ card, as: Name = "h1" }: { card: PrintedCard; as?: "h1" | "p" }) {
  const { company, position, email, phone } = card;
  const name = card.displayName.trim() || fallbackName;
  const work = workLine(card);
  return (
    <section className="paper" data-theme="default" aria-label="Business card">
      <div className="firm">
        {company && (
          <p className="caps" dir="auto">
            {company}
          </p>
        )}
        {position && <p dir="auto">{position}</p>}
      </div>
      <span className="avatar" aria-hidden="true">
        {initials(name)}
      </span>
      <div className="person">
        <Name className="name" dir="auto" data-long={countSigns(name) > longName || undefined}>
          {name}
        </Name>
        {work && <p dir="auto">{work}</p>}
      </div>
      {(email || phone) && (
        <p className="reach">
          {email && <bdi>{email}</bdi>} {phone && <bdi>{phone}</bdi>}
        </p>
      )}
    </section>
  );
}

export type PrintedCard = {
  displayName: string;
  profession: string | null;
  company: string | null;
  position: string | null;
  yearsExperience: number | null;
  email: string | null;
  phone: string | null;
};

/** The name on a page whose owner gave none. */
export const fallbackName = "Professional";

/** From this many signs on a name is set smaller, so that it takes two lines and not four. */
const longName = 22;

/** "Product designer · 8 years"; "8 years of experience" where the years stand alone. */
function workLine({ profession, yearsExperience: years }: PrintedCard): string {
  if (years === null) return profession ?? "";
  const time = years === 1 ? "1 year" : `${years} years`;
  return profession ? `${profession} · ${time}` : `${time} of experience`;
}
