import { useState } from "react";
import { useSearchParams } from "react-router";

import { loadOwnShare } from "#app/features/cards/share-subjects.server.ts";
import { cardSizes, countRows, papers, readPrintSheetOptions } from "#app/features/sharing/images/print-rules.ts";
import type { CardSize, Paper, PrintSheetOptions } from "#app/features/sharing/images/print-rules.ts";
import { findColorProblem, readColor } from "#app/features/drawing/qr-style.ts";
import { Button } from "#app/ui/components/button.tsx";
import { Icon } from "#app/ui/components/icon.tsx";
import { ChoiceField } from "#app/ui/forms/choice-field.tsx";

import type { Route } from "./+types/print-page.ts";
import { isSwatch, QrColorField } from "./qr-color-field.tsx";
import { ShareSection, toSectionSubject } from "./share-section.tsx";

export async function loader({ params, context }: Route.LoaderArgs) {
  return toSectionSubject(await loadOwnShare(context, params));
}

export const meta: Route.MetaFunction = () => [{ title: "Print cards | Meishi" }];

/** A PDF with cards to cut out. The choices are kept in the page's URL. Works without script. */
export default function PrintPage({ loaderData: subject }: Route.ComponentProps) {
  const [params] = useSearchParams();
  const [sheet, setSheet] = useState(() => readChoices(params));
  const [typedColor, setTypedColor] = useState(sheet.color);
  const problem = findColorProblem(typedColor);

  const choose = (change: Partial<PrintSheetOptions>) => {
    const next = { ...sheet, ...change };
    setSheet(next);
    const search = new URLSearchParams({ size: next.size, paper: next.paper, color: next.color.slice(1) });
    // Not by the router, which would load the page's data again.
    history.replaceState(history.state, "", `?${search}`);
  };
  const chooseColor = (typed: string) => {
    setTypedColor(typed);
    const color = readColor(typed.trim());
    if (color && !findColorProblem(typed)) choose({ color });
  };
  // US cards are cut from Letter paper; another one can still be chosen.
  const chooseSize = (size: CardSize) => choose(size === "3.5x2in" ? { size, paper: "letter" } : { size });

  return (
    <ShareSection title="Print cards" subject={subject}>
      <p className="text-muted">
        A PDF to print double-sided on card stock and cut out: your details on the front, the QR code on the back.
      </p>
      <form
        action={`${subject.sharePath}/print.pdf`}
        className="grid grid-cols-1 gap-x-8 gap-y-5 sm:grid-cols-[auto_minmax(0,1fr)]"
      >
        <SheetDrawing {...sheet} />
        <div className="grid grid-cols-1 content-start gap-5">
          <ChoiceField label="Card size" name="size" options={sizes} value={sheet.size} onChoose={chooseSize} />
          <ChoiceField
            label="Paper"
            name="paper"
            options={paperChoices}
            value={sheet.paper}
            onChoose={(paper) => choose({ paper })}
          />
          <QrColorField name="color" value={typedColor} problem={problem} onType={chooseColor} />
          {!isSwatch(sheet.color) && <input type="hidden" name="color" value={sheet.color} />}
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2 max-sm:*:grow">
            <Button variant="main" type="submit" disabled={problem !== undefined}>
              <Icon name="download" />
              Download PDF
            </Button>
            <p className="text-sm text-muted">Print at 100% and flip on the long edge.</p>
          </div>
        </div>
      </form>
    </ShareSection>
  );
}

/** The choices in the URL; the usual ones where they are missing or invalid. */
function readChoices(params: URLSearchParams): PrintSheetOptions {
  const read = readPrintSheetOptions(params);
  return "problem" in read ? { size: "91x55", paper: "a4", color: "#000000" } : read;
}

const sizes = [
  { id: "91x55", label: "91 × 55 mm" },
  { id: "85x55", label: "85 × 55 mm" },
  { id: "3.5x2in", label: "3.5 × 2 in" },
] as const;

const paperChoices = [
  { id: "a4", label: "A4" },
  { id: "letter", label: "Letter" },
] as const;

/** The sheet with its cards, small. */
function SheetDrawing({ size, paper }: { size: CardSize; paper: Paper }) {
  const page = papers[paper];
  const card = cardSizes[size];
  const rows = countRows({ size, paper });
  const left = (page.width - 2 * card.width) / 2;
  const top = (page.height - rows * card.height) / 2;
  return (
    <svg
      viewBox={`0 0 ${page.width} ${page.height}`}
      className="h-44 self-start rounded-[3px] border lg:h-auto lg:w-80 border-paper-line bg-white forced-color-adjust-none max-sm:mx-auto"
      role="img"
      aria-label={`${2 * rows} cards per sheet`}
    >
      {Array.from({ length: 2 * rows }, (_, index) => (
        <rect
          key={index}
          x={left + (index % 2) * card.width + 1.5}
          y={top + Math.floor(index / 2) * card.height + 1.5}
          width={card.width - 3}
          height={card.height - 3}
          rx="2"
          className="fill-paper-edge stroke-paper-line"
        />
      ))}
    </svg>
  );
}
