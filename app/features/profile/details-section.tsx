import { Field } from "#app/ui/field.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { TextAreaField } from "#app/ui/text-area-field.tsx";

import type { Edit, Editing } from "./editing.ts";
import { checkHandle } from "./handle.ts";
import { messages } from "./messages.ts";
import { countCharacters, maxBio, maxDisplayName } from "./rules.ts";

/** Who it is: name, bio and the handle. No field cuts what is pasted: it is counted, and said to be too long. */
export function DetailsSection({ editing, dispatch, ownId, origin }: DetailsProps) {
  const { draft, problems } = editing;
  const nameLength = countCharacters(draft.displayName);
  const bioLength = countCharacters(draft.bio);
  const type = (name: "displayName" | "bio") => (event: { currentTarget: { value: string } }) =>
    dispatch({ kind: "text", name, value: event.currentTarget.value });
  return (
    <Panel title="Profile Details">
      <div className="grid gap-5">
        <Field
          label="Display name"
          name="displayName"
          value={draft.displayName}
          onChange={type("displayName")}
          error={nameLength > maxDisplayName ? messages.nameTooLong : problems["displayName"]}
          aside={nameLength > maxDisplayName - 10 && `${nameLength}/${maxDisplayName}`}
          placeholder="Professional"
          dir="auto"
          autoComplete="off"
        />
        <TextAreaField
          label="Bio"
          name="bio"
          value={draft.bio}
          onChange={type("bio")}
          error={bioLength > maxBio ? messages.bioTooLong : problems["bio"]}
          aside={`${bioLength}/${maxBio}`}
          dir="auto"
          className="max-h-80"
        />
        <HandleField {...{ editing, dispatch, ownId, origin }} />
      </div>
    </Panel>
  );
}

type DetailsProps = {
  editing: Editing;
  dispatch: (edit: Edit) => void;
  ownId: string;
  /** Where the public pages are: "https://meishi.example". */
  origin: string;
};

function HandleField({ editing, dispatch, ownId, origin }: DetailsProps) {
  const { draft, problems } = editing;
  const checkTyped = () => {
    const text = handleProblem(draft.handle);
    if (text) dispatch({ kind: "problem", name: "handle", text });
  };
  return (
    <Field
      label="Handle"
      name="handle"
      value={draft.handle}
      onChange={(event) => dispatch({ kind: "text", name: "handle", value: event.currentTarget.value })}
      onBlur={checkTyped}
      error={problems["handle"]}
      hint={<AddressHint path={addressOf(draft.handle, ownId)} origin={origin} isChanged={hasChanged(editing)} />}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
    />
  );
}

function AddressHint({ path, origin, isChanged }: { path: string; origin: string; isChanged: boolean }) {
  return (
    <>
      Your page is at{" "}
      <bdi className="text-text">
        {origin.replace(/^https?:\/\//, "")}
        {path}
      </bdi>
      {isChanged && ". The address you had before keeps leading there."}
    </>
  );
}

/** The path under which visitors would find the profile with this handle. */
function addressOf(typed: string, ownId: string): string {
  const checked = checkHandle(typed);
  return `/u/${"handle" in checked ? checked.handle : ownId}`;
}

function handleProblem(typed: string): string | undefined {
  if (typed.trim() === "") return undefined;
  const checked = checkHandle(typed);
  return "problem" in checked ? checked.problem : undefined;
}

function hasChanged({ draft, saved }: Editing): boolean {
  return saved.handle !== "" && draft.handle !== saved.handle;
}
