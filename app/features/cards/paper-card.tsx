import { countSigns } from "#app/ui/initials.ts";
import { Portrait } from "#app/ui/portrait.tsx";
import type { PortraitPicture } from "#app/ui/portrait.tsx";

import { fullName } from "./more-fields.ts";
import { workLine } from "./work-line.ts";

/** The card itself, as one would hand it over: paper, 91 by 55, taller only when its words need it. Needs public.css. */
export function PaperCard({ card, as: Name = "h1" }: { card: PrintedCard; as?: "h1" | "p" }) {
  const { company, email, phone, logo, pronouns } = card;
  const position = [card.position, card.department].filter(Boolean).join(" · ");
  const name = card.displayName.trim() || fallbackName;
  const work = workLine(card);
  return (
    <section className="paper" data-theme="default" aria-label="Business card">
      <div className="firm">
        {/* It is called as the company, so the company's name under it is not said again. */}
        {logo && <img className="logo" src={logo} width={120} height={40} alt={company ?? "Company logo"} />}
        {company && (
          <p className="caps" dir="auto" aria-hidden={logo ? true : undefined}>
            {company}
          </p>
        )}
        {position && <p dir="auto">{position}</p>}
      </div>
      <Portrait name={name} picture={card.picture} width={64} />
      <div className="person">
        <Name className="name" dir="auto" data-long={countSigns(fullName(name, card)) > longName || undefined}>
          {fullName(name, card)}
          {pronouns && (
            <>
              {" "}
              <small dir="auto">{pronouns}</small>
            </>
          )}
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
  prefix?: string | null;
  suffix?: string | null;
  pronouns?: string | null;
  department?: string | null;
  /** Where the company's logo is. */
  logo?: string | null;
  /** Of the person. */
  picture?: PortraitPicture | undefined;
};

/** The name on a page whose owner gave none. */
export const fallbackName = "Professional";

/** From this many signs on a name is set smaller, so that it takes two lines and not four. */
const longName = 22;
