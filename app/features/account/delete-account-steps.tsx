import { useEffect, useRef, useState } from "react";
import type { ReactNode } from "react";

import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Field } from "#app/ui/field.tsx";
import { TextAreaField } from "#app/ui/text-area-field.tsx";

import { deleteWord, maxFeedback } from "./form.ts";
import { messages } from "./messages.ts";

/** `lost`: what the plan that is paid for has and Free has not. */
export function AskToLeave({ lost }: { lost: string[] }) {
  return (
    <Step number={1} title={messages.leaving}>
      <div className="grid gap-4">
        <p>
          Your profile, your handle, all your cards, pictures and files, and everything that was counted are deleted at
          once, for good. Printed codes and links to them stop working. Nobody can take your handle after you, and you
          can't take it again either.
        </p>
        {lost.length > 0 && (
          <div>
            <p className="font-medium text-text">Your subscription ends immediately. You would lose:</p>
            <ul className="mt-2 grid list-disc gap-1 ps-5">
              {lost.map((benefit) => (
                <li key={benefit}>{benefit}</li>
              ))}
            </ul>
          </div>
        )}
      </div>
      <form method="post" className={buttons}>
        <input type="hidden" name="intent" value="continue" />
        <ButtonLink variant="main" href="/account">
          Stay
        </ButtonLink>
        <Button type="submit">Continue</Button>
      </form>
    </Step>
  );
}

type AnswerProps = { feedback: string; problem?: string | undefined };

/** `canSay`: there is somebody who would read it. */
export function AskWhy({ feedback, problem, canSay }: AnswerProps & { canSay: boolean }) {
  return (
    <Step number={2} title={messages.sadToSeeYouGo}>
      <form method="post" className="grid gap-6">
        <input type="hidden" name="intent" value="feedback" />
        {canSay ? (
          <TextAreaField
            label="What could be better?"
            name="feedback"
            rows={4}
            maxLength={maxFeedback}
            defaultValue={feedback}
            hint="If you like. It goes to whoever runs this site, without your name."
            {...(problem && { error: problem })}
          />
        ) : (
          <p>Whoever runs this site has left no address, so there is nobody to tell why. One step is left.</p>
        )}
        <div className={buttons}>
          <ButtonLink variant="main" href="/account">
            Cancel
          </ButtonLink>
          <Button type="submit">Submit & Continue</Button>
        </div>
      </form>
    </Step>
  );
}

export function ConfirmDelete({ feedback, problem }: AnswerProps) {
  const field = useRef<HTMLInputElement>(null);
  // Undefined until a script runs here: without one the button can be pressed, and the server looks.
  const [typed, setTyped] = useState<string>();
  // The browser may hold what was typed before, or what it filled in itself.
  useEffect(() => setTyped(field.current?.value ?? ""), []);
  return (
    <Step number={3} title="Delete your account">
      <form method="post" className="grid gap-6">
        <input type="hidden" name="intent" value="delete" />
        <input type="hidden" name="feedback" value={feedback} />
        <Field
          ref={field}
          label={`Type ${deleteWord} to confirm`}
          name="confirm"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          hint="There is no way back after this."
          onChange={(event) => setTyped(event.target.value)}
          {...(problem && { error: problem })}
        />
        <div className={buttons}>
          <ButtonLink variant="main" href="/account">
            Cancel
          </ButtonLink>
          <Button variant="danger" type="submit" disabled={typed !== undefined && typed !== deleteWord}>
            Delete My Account
          </Button>
        </div>
      </form>
    </Step>
  );
}

function Step({ number, title, children }: { number: number; title: string; children: ReactNode }) {
  return (
    <div className="mx-auto w-full max-w-140 px-5 pt-8 sm:pt-16">
      <section className="grid gap-6 rounded-card border border-line bg-raised p-5 text-muted sm:p-9">
        <header>
          <p className="eyebrow">Step {number} of 3</p>
          <h1 className="heading mt-3 text-xl text-text">{title}</h1>
        </header>
        {children}
      </section>
    </div>
  );
}

const buttons = "flex flex-wrap gap-2.5 max-sm:*:grow";
