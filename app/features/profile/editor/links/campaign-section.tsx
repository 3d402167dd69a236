import { useState } from "react";

import { messages } from "#app/features/links/messages.ts";
import { addressKind } from "#app/features/links/rules.ts";
import { namesOf } from "#app/services/base/form-fields.ts";
import { LazyPart } from "#app/ui/components/loading.tsx";

import { LinkTextField } from "./link-text-field.tsx";
import { partSummaryClass } from "./link-schedule.tsx";
import type { LinkScheduleProps } from "./link-schedule.tsx";

const examples = { utmSource: "meishi", utmMedium: "card", utmCampaign: "spring-fair" };
const fields = namesOf(examples);

/** The campaign parameters of a web address: what is set while closed, three fields and the final address while open. */
export function CampaignSection(row: LinkScheduleProps) {
  const { link, index, state } = row;
  const [wasOpened, setOpened] = useState(false);
  const set = fields.flatMap((name) => link[name].trim() || []);
  const isOpen = wasOpened || fields.some((name) => state.errors[`${link.key}.${name}`]);
  // An email address or a phone number has no query. What was typed stays, in case it becomes a web address again.
  if (addressKind(link.url) !== "page")
    return fields.map((name) => <input key={name} type="hidden" name={`links.${index}.${name}`} value={link[name]} />);
  return (
    <details className="group/part" open={isOpen} onToggle={(event) => setOpened(event.currentTarget.open)}>
      <summary className={partSummaryClass}>
        <span className="font-medium">Campaign</span>
        <span className="min-w-0 flex-1 truncate text-muted" dir="auto">
          {set.join(" · ") || "None"}
        </span>
        <span className="text-muted underline underline-offset-4 group-open/part:hidden">Change</span>
      </summary>
      <div className="grid gap-4 pt-2 pb-1">
        <p className="text-sm text-muted">{messages.campaignHint}</p>
        <div className="grid gap-4 sm:grid-cols-3 lg:[&_input]:px-3">
          {fields.map((name) => (
            <LinkTextField
              key={name}
              row={row}
              field={name}
              placeholder={examples[name]}
              autoCapitalize="none"
              spellCheck={false}
            />
          ))}
        </div>
        {isOpen && set.length > 0 && (
          <LazyPart load={loadAddress} fallback={null}>
            {({ CampaignPreview }) => <CampaignPreview link={link} />}
          </LazyPart>
        )}
      </div>
    </details>
  );
}

// For the preview of the address, which no one needs before it is opened.
const loadAddress = () => import("./campaign-preview.tsx");
