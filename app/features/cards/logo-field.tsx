import { useId, useState } from "react";

import { fileUrl, logoForms } from "#app/features/uploads/addresses.ts";
import { FileButton } from "#app/features/uploads/file-button.tsx";
import { pictureTypes } from "#app/features/uploads/pictures.ts";
import { Button } from "#app/ui/button.tsx";
import { FieldError } from "#app/ui/field-frame.tsx";
import { Late } from "#app/ui/late.tsx";
import { Skeleton } from "#app/ui/skeleton.tsx";

import type { Logo } from "./logo-state.ts";
import { messages } from "./messages.ts";

/** The company's logo on a card. It is stored as soon as it is chosen, so there has to be a card. */
export function LogoField({ logo }: { logo: Logo }) {
  const id = useId();
  const { cardId, stem } = logo;
  return (
    <section aria-labelledby={`${id}-title`} className="mt-5 grid gap-2 text-sm">
      <h3 id={`${id}-title`} className="font-medium">
        Logo
      </h3>
      {stem !== null && <Preview key={stem} stem={stem} company={logo.company} />}
      {cardId !== undefined && <LogoButtons logo={logo} slot={`logo:${cardId}`} hintId={`${id}-hint`} />}
      <p id={`${id}-hint`} className="text-muted">
        {cardId === undefined ? messages.logoNeedsCard : messages.logoHint}
      </p>
    </section>
  );
}

/** What does the work is loaded when there is some: most people who edit a card leave its logo alone. */
function LogoButtons({ logo, slot, hintId }: { logo: Logo; slot: `logo:${string}`; hintId: string }) {
  const [chosen, setChosen] = useState<{ file: File; number: number }>();
  // Undefined until it is asked for the first time; then it stays, so that the browser can give the focus back.
  const [isRemoving, setRemoving] = useState<boolean>();
  return (
    <>
      {!logo.isUploading && (
        <div className="flex flex-wrap items-center gap-2.5">
          <FileButton
            label={logo.stem === null ? "Choose a logo" : "Replace logo"}
            accept={pictureTypes}
            describedBy={hintId}
            onChoose={(file) => setChosen({ file, number: (chosen?.number ?? 0) + 1 })}
          />
          {logo.stem !== null && (
            <Button
              variant="plain"
              size="s"
              className="noscript:hidden"
              aria-label="Remove logo"
              onClick={() => setRemoving(true)}
            >
              Remove
            </Button>
          )}
        </div>
      )}
      {chosen && (
        <Late load={loadUpload} waiting={<Skeleton className="h-11" />}>
          {({ LogoUpload }) => (
            <LogoUpload
              key={chosen.number}
              {...{ slot, logo }}
              file={chosen.file}
              onDone={() => setChosen(undefined)}
            />
          )}
        </Late>
      )}
      {isRemoving !== undefined && (
        <Late load={loadRemoval} waiting={<Skeleton className="h-11" />}>
          {({ RemoveLogo }) => <RemoveLogo {...{ slot, logo }} isOpen={isRemoving} onDone={() => setRemoving(false)} />}
        </Late>
      )}
    </>
  );
}

const loadUpload = () => import("./logo-upload.tsx");
const loadRemoval = () => import("./logo-remove.tsx");

/** On the colour of the card, where a light logo would not be seen. */
function Preview({ stem, company }: { stem: string; company: string }) {
  const [isBroken, setBroken] = useState(false);
  if (isBroken) return <FieldError id={stem}>{messages.logoBroken}</FieldError>;
  return (
    <p className="w-fit rounded-control border border-paper-line bg-paper px-4 py-3">
      <img
        src={fileUrl(stem, logoForms.webp)}
        alt={company || "Company logo"}
        width={120}
        height={40}
        className="h-10 w-30 object-contain"
        onError={() => setBroken(true)}
      />
    </p>
  );
}
