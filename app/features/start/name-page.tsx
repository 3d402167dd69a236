import { useRef, useState } from "react";
import { data } from "react-router";

import { findFreeHandle } from "#app/features/profile/handle/handle-data.server.ts";
import { HandleField } from "#app/features/profile/handle/handle-field.tsx";
import { handleFromName } from "#app/features/profile/handle/handle-rules.ts";
import { messages as profileMessages } from "#app/features/profile/messages.ts";
import { loadOwnProfile } from "#app/features/profile/own-profile.server.ts";
import { countSavedCharacters, isNameKnown, maxDisplayName } from "#app/features/profile/rules.ts";
import { avatarUrls } from "#app/features/uploads/image-urls.ts";
import { fieldText } from "#app/services/base/form-fields.ts";
import { allowInlineStyle, requireUser, services } from "#app/services/http/context.ts";
import { Button } from "#app/ui/components/button.tsx";
import { useValuesBeforeHydration } from "#app/ui/components/hydration.ts";
import { useFocusFirstError } from "#app/ui/forms/field-focus.ts";
import { Field } from "#app/ui/forms/field.tsx";
import { callServerAction } from "#app/ui/forms/submit-in-place.ts";

import type { Route } from "./+types/name-page.ts";
import { drawnAvatarUrl, randomSeeds, readSeeds } from "./avatar-drawing.ts";
import { AvatarChoice } from "./avatar-choice.tsx";
import { draftDesign, findDraftCard } from "./draft-card.server.ts";
import { failureMessages, messages } from "./messages.ts";
import { readNameForm } from "./schema.ts";
import { findStart, isNamed, startCardStyle } from "./start-data.server.ts";
import { SkipLink, StartForm, StepButtons } from "./start-form.tsx";
import { StartShell } from "./start-shell.tsx";
import { saveNameStep } from "./step-response.server.ts";
import type { NameResult } from "./step-response.server.ts";

export async function loader({ context, request }: Route.LoaderArgs) {
  const all = services(context);
  const { db, config } = all;
  const profile = await loadOwnProfile(context);
  const { ownerId, avatarKey } = profile;
  const { step, card } = await findStart(db, profile);
  const isDone = step === "done";
  const draft = isDone && !card ? undefined : await findDraftCard(context, request);
  const style = await startCardStyle(all, profile, card?.design ?? draftDesign(draft));
  allowInlineStyle(context, style.css);
  const known = isNameKnown(requireUser(context)) ? profile.displayName : "";
  const displayName = isNamed(profile) ? profile.displayName : draft?.name || known;
  const suggestion = profile.handle ? "" : handleFromName(displayName);
  const handle = profile.handle || (suggestion && (await findFreeHandle(db, { ownerId, handle: suggestion })));
  return {
    values: { displayName, handle, isSuggested: profile.handle === "", seed: "" },
    seeds: randomSeeds(),
    savedHandle: profile.handle,
    ownId: ownerId,
    avatarKey,
    origin: config.baseUrl,
    // Once there is a card, its own: this step doesn't change them.
    work: {
      profession: (isDone ? card?.profession : draft?.title) || null,
      company: (isDone ? card?.company : draft?.company) || null,
    },
    publishesWork: !isDone,
    style,
  };
}

export function action({ context, request }: Route.ActionArgs) {
  return saveNameStep(context, request);
}

/** Keeps what was typed when the server can't be reached or the owner is signed out. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const form = await request.clone().formData();
  const response = await callServerAction(serverAction);
  if ("result" in response) return data<NameResult>(response.result, { status: 422 });
  const { failure } = response;
  const notice = failure === "offline" || failure === "signed-out" ? messages[failure] : failureMessages.unexpected;
  return data<NameResult>({ values: readNameForm(form), seeds: readSeeds(fieldText(form, "seeds")), notice }, 503);
}

export default function NamePage({ loaderData, actionData }: Route.ComponentProps) {
  const { savedHandle, ownId, origin, work, publishesWork, style } = loaderData;
  const [values, setValues] = useState(actionData?.values ?? loaderData.values);
  const [seeds, setSeeds] = useState(actionData?.seeds ?? loaderData.seeds);
  const [avatarKey, setAvatarKey] = useState(loaderData.avatarKey);
  const form = useRef<HTMLFormElement>(null);
  const { displayName, handle, isSuggested, seed } = values;
  const setName = (name: string) =>
    setValues({ ...values, displayName: name, ...(isSuggested && { handle: handleFromName(name) }) });
  useValuesBeforeHydration(form, (fields) => {
    const typed = readNameForm(new FormData(fields));
    setValues({ ...typed, ...(typed.isSuggested && { handle: handle || handleFromName(typed.displayName) }) });
  });
  // An error is about what was sent.
  const errorOf = (field: "displayName" | "handle") =>
    values[field] === actionData?.values[field] ? actionData.errors?.[field] : undefined;
  useFocusFirstError(form, actionData?.errors);
  const length = countSavedCharacters(displayName);
  const drawn = seed && drawnAvatarUrl(seed);
  const avatar = drawn ? { small: drawn, large: drawn, jpeg: drawn } : avatarUrls(avatarKey);
  return (
    <StartShell
      step={1}
      title="Your name and avatar"
      lead="This is what people see first."
      hasError={actionData?.errors !== undefined || actionData?.notice !== undefined}
      card={{ displayName: displayName || "Your name", ...work, ...emptyCard, avatar, style }}
    >
      <StartForm ref={form} notice={actionData?.notice}>
        <Field
          label="Name"
          name="displayName"
          value={displayName}
          onChange={(event) => setName(event.currentTarget.value)}
          error={length > maxDisplayName ? profileMessages.nameTooLong : errorOf("displayName")}
          aside={length > maxDisplayName - 10 && `${length}/${maxDisplayName}`}
          dir="auto"
          autoComplete="name"
          required
        />
        <AvatarChoice
          name={displayName}
          error={actionData?.errors?.seed}
          {...{ avatarKey, seeds, seed }}
          onSeeds={setSeeds}
          onSeed={(chosen) => setValues((now) => ({ ...now, seed: chosen }))}
          onStored={(keyPrefix) => {
            setAvatarKey(keyPrefix);
            setValues((now) => ({ ...now, seed: "" }));
          }}
        />
        {savedHandle === "" && <input type="hidden" name="suggestion" value={isSuggested ? handle : ""} />}
        <HandleField
          label="Handle"
          emptyHint={
            displayName.trim() === ""
              ? "We’ll suggest one based on your name."
              : "Choose a handle in Latin letters, or leave this empty."
          }
          value={handle}
          saved={savedHandle}
          {...{ ownId, origin }}
          name={displayName}
          free={actionData?.freeHandle}
          error={errorOf("handle")}
          onChange={(typed) => setValues({ ...values, handle: typed, isSuggested: false })}
          onReplace={isSuggested ? (other) => setValues((now) => ({ ...now, handle: other })) : undefined}
        />
        {publishesWork && <KeptWork {...work} />}
        <StepButtons skip={<SkipLink href="/start/contact" />}>
          <Button type="submit" name="intent" value="finish">
            Save and view card
          </Button>
        </StepButtons>
      </StartForm>
    </StartShell>
  );
}

/** What "Save and view card" publishes besides the fields of this step. */
function KeptWork({ profession, company }: { profession: string | null; company: string | null }) {
  const texts = [profession, company].filter((text) => text !== null);
  if (texts.length === 0) return null;
  return (
    <p className="text-sm wrap-anywhere text-muted" dir="auto">
      <input type="hidden" name="draft" value="on" />
      {`Also on your card: ${texts.join(", ")}. You can change this in the next step.`}
    </p>
  );
}

const emptyCard = { position: null, yearsExperience: null, email: null, phone: null };
