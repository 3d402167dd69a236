import { Link } from "react-router";

/** The pages of one card, which belong together. `current` is the one that is shown. */
export function CardTabs({ cardId, current }: { cardId: string; current: CardTab }) {
  return (
    <nav aria-label="Card" className="print:hidden">
      <ul className="flex flex-wrap border-b border-line max-sm:justify-between sm:gap-2">
        {cardTabs.map(({ tab, label, path }) => (
          <li key={tab}>
            <Link to={path(cardId)} aria-current={tab === current ? "page" : undefined} className={tabClass}>
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

export type CardTab = (typeof cardTabs)[number]["tab"];

const cardTabs = [
  { tab: "edit", label: "Edit", path: (id: string) => `/cards/edit/${id}` },
  { tab: "design", label: "Design", path: (id: string) => `/cards/edit/${id}?tab=design` },
  { tab: "pass", label: "Pass", path: (id: string) => `/cards/${id}/pass` },
  { tab: "form", label: "Form", path: (id: string) => `/cards/${id}/leads` },
  { tab: "share", label: "Share", path: (id: string) => `/share/card/${id}` },
  { tab: "analytics", label: "Analytics", path: (id: string) => `/analytics?card=${id}` },
] as const;

const tabClass =
  "-mb-px inline-flex min-h-11 items-center border-b-2 border-transparent px-1.5 text-sm font-medium text-muted no-underline hover:text-text " +
  "sm:px-3 sm:text-base aria-[current]:border-text aria-[current]:text-text focus-visible:-outline-offset-2";
