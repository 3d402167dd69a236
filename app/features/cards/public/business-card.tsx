import { fullName, optionalTexts } from "#app/features/cards/card-fields.ts";
import { formatJob, plainStyle } from "#app/features/cards/card-view-model.ts";
import type { BusinessCardData } from "#app/features/cards/card-view-model.ts";
import { nameSize } from "#app/features/sharing/name-style.ts";
import { fitsWideCard, isLong, joined, ShowAll } from "./show-all-field.tsx";
import { Portrait } from "#app/ui/components/portrait.tsx";

/** The business card itself, 91 by 55; taller only when its text needs it. Needs public-page.css. */
export function BusinessCard({ card, as: Name = "h1" }: { card: BusinessCardData; as?: "h1" | "p" | undefined }) {
  const { company, email, phone, logo } = card;
  const besideName = joined(...optionalTexts.map(({ name, isBesideName }) => isBesideName && card[name]));
  const position = joined(card.position, card.department);
  const isCompanyLong = isLong("label", company);
  const isPositionLong = isLong("label", position);
  const name = card.displayName.trim() || fallbackName;
  const work = formatJob(card);
  const { layout, paper } = card.style ?? plainStyle;
  return (
    <section className={layout === "classic" ? "card" : `card ${layout}`} data-theme={paper} aria-label="Business card">
      <div className="company">
        {/* Its alternative text is the company's name, so the name below it is hidden from assistive technology. */}
        {logo && <img className="logo" src={logo} width={120} height={40} alt={company ?? "Company logo"} />}
        {company && (
          <p className={isCompanyLong ? "caps clamp" : "caps"} aria-hidden={logo ? true : undefined}>
            <bdi>{company}</bdi>
          </p>
        )}
        {position && (
          <p className={isPositionLong ? "clamp" : undefined}>
            <bdi>{position}</bdi>
          </p>
        )}
        {(isCompanyLong || isPositionLong) && <ShowAll of="company" isForPhones={fitsWideCard(company, position)} />}
      </div>
      <Portrait name={name} image={card.avatar} width={portraitWidths[layout]} />
      <div className="person">
        <Name className="name" {...nameSize(fullName(name, card))}>
          {fullName(name, card)}
          {besideName && (
            <>
              {" "}
              <small dir="auto">{besideName}</small>
            </>
          )}
        </Name>
        {work && (
          <p>
            <bdi>{work}</bdi>
          </p>
        )}
      </div>
      {(email || phone) && (
        <p className="contacts">
          {/* A long one is shown in full in its row. */}
          {email && <bdi className={isLong("row", email) ? "clamp" : undefined}>{email}</bdi>}{" "}
          {phone && <bdi>{phone}</bdi>}
        </p>
      )}
    </section>
  );
}

/** In CSS pixels. For a cover, the height: it is as tall as the card. */
const portraitWidths = { classic: 64, centered: 96, cover: 240 } as const;

/** The name on the page of an owner without one. */
export const fallbackName = "Professional";
