import { ToneIcon } from "#app/ui/tone-icon.tsx";
import type { Tone } from "#app/ui/tone-icon.tsx";

import type { Report } from "./report.ts";
import { MS_PER_MINUTE } from "./rules.ts";
import { checkWords, clockWords, dateWords, listWords } from "./words.ts";

/** How it is now, in one line and a sentence. */
export function StateHead({ report, isRead }: { report: Report; isRead: boolean }) {
  const { tone, title, text } = isRead ? stateWords(report) : unread;
  return (
    <header>
      <p className="eyebrow">Status</p>
      <h1 className="heading mt-3 flex items-start gap-3 text-[clamp(1.875rem,7vw,2.5rem)] leading-[1.15] tracking-[-0.015em]">
        <span className="flex h-[1.15em] items-center">
          <ToneIcon tone={tone} size={30} />
        </span>
        {title}
      </h1>
      <p className="mt-4 max-w-[38rem] text-muted">{text}</p>
    </header>
  );
}

type Words = { tone: Tone; title: string; text: string };

function stateWords(report: Report): Words {
  const { state, instances, checks } = report;
  const latest = Math.max(...instances.map(({ lookedAt }) => lookedAt));
  if (state === "unknown") return silence(report);
  const by = instances.length > 1 ? `, by ${instances.length} processes` : "";
  const looked = `Last looked at ${clockWords(latest)} UTC on ${dateWords(latest)}${by}.`;
  if (state === "well") return { tone: "success", title: "All is well", text: looked };
  const failing = checks.filter((check) => check.state === "failing").map(({ name }) => checkWords[name].name);
  const rest = failing.length < checks.length ? " The rest is well." : "";
  return { tone: "error", title: "Part of it is failing", text: `Failing: ${listWords(failing)}.${rest} ${looked}` };
}

function silence({ uptime, stretches }: Report): Words {
  if (!uptime) return { tone: "info", title: "Nothing is recorded yet", text: started };
  const [last] = stretches;
  const since = last?.isOver === false && last.kind === "gap" ? last.from * MS_PER_MINUTE : undefined;
  const when = since ? ` since ${clockWords(since)} UTC on ${dateWords(since)}` : " lately";
  const text = `Nobody has recorded anything${when}. This page still answers; whether the rest is well is not known.`;
  return { tone: "warning", title: "Nothing was recorded lately", text };
}

const started = "Meishi looks at itself when it starts, and every minute from then on. Reload this page in a moment.";

const unread: Words = {
  tone: "error",
  title: "The records can't be read",
  text: "This page answers, but the database behind it does not right now. What was recorded is kept there. Try again in a minute.",
};
