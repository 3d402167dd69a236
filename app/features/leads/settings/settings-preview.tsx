import { LeadFormView } from "#app/features/leads/public/lead-form.tsx";
import { connectCss } from "#app/features/leads/public/connect-style.ts";
import { leadMessages } from "#app/features/leads/messages.ts";
import type { ConsentPurpose } from "#app/features/leads/rules.ts";
import type { Question } from "#app/features/leads/schema.ts";
import { useInlineStyle } from "#app/ui/components/inline-style.ts";
import "#app/features/sharing/public-page/public-page.css";

import type { SettingsValues } from "./settings-schema.ts";

type PreviewProps = {
  values: SettingsValues;
  texts: readonly { purpose: ConsentPurpose; text: string }[];
  /** Of the card's page. */
  theme: string;
  name: string;
};

/** The form as typed, beside the settings. It is inert, and assistive technology skips it. */
export function SettingsPreview({ values, texts, theme, name }: PreviewProps) {
  useInlineStyle(connectCss);
  const questions = values.questions.filter(({ label }) => label.trim() !== "").map(toQuestion);
  const settings = {
    fields: values.fields,
    questions,
    consentTexts: { answer: "", newsletter: "" },
    hasNewsletter: values.hasNewsletter,
    bookingUrl: "",
  };
  return (
    <>
      <p className="mb-5 text-center text-sm text-muted">What visitors see</p>
      <div className="mx-auto max-w-107.5 overflow-hidden rounded-[44px] border border-line-strong lg:max-h-[calc(100dvh-8rem)] lg:overflow-y-auto">
        <div inert className="page p-5" data-theme={theme}>
          <header className="to">
            <div>
              <h2>{leadMessages.share}</h2>
              <p>
                with <bdi>{name}</bdi>
              </p>
            </div>
          </header>
          <LeadFormView
            settings={settings}
            consents={texts.map((text) => ({ ...text, hash: text.purpose }))}
            formToken=""
          />
        </div>
      </div>
    </>
  );
}

function toQuestion({ options, kind, ...question }: SettingsValues["questions"][number]): Question {
  return {
    ...question,
    kind: kind === "choice" ? "choice" : "text",
    options: options.split("\n").filter((option) => option.trim() !== ""),
  };
}
