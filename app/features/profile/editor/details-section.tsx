import { AvatarField } from "#app/features/profile/files/avatar-field.tsx";
import type { ProfileFiles } from "#app/features/profile/files/profile-files.ts";
import { checkHandle } from "#app/features/profile/handle-rules.ts";
import { messages } from "#app/features/profile/messages.ts";
import { countSavedCharacters, maxBio, maxDisplayName, maxTyped, publicName } from "#app/features/profile/rules.ts";
import { Panel } from "#app/ui/components/panel.tsx";
import { Switch } from "#app/ui/forms/checkbox-field.tsx";
import { useAfterPointerUp } from "#app/ui/forms/field-focus.ts";
import { Field, TextAreaField } from "#app/ui/forms/field.tsx";

import type { ProfileFormAction, ProfileFormState } from "./form-state.ts";

/** Avatar, name, bio and handle. Fields never cut off pasted text; a counter and an error say that it is too long. */
export function DetailsSection({ state, dispatch, ownId, origin, files }: DetailsProps) {
  const { draft, errors } = state;
  const nameLength = countSavedCharacters(draft.displayName);
  const bioLength = countSavedCharacters(draft.bio);
  const type = (name: "displayName" | "bio") => (event: { currentTarget: { value: string } }) =>
    dispatch({ kind: "text", name, value: event.currentTarget.value });
  return (
    <Panel title="Profile Details">
      <div className="grid gap-5">
        <AvatarField name={publicName(draft.displayName.slice(0, maxTyped))} files={files} />
        <Field
          label="Display name"
          name="displayName"
          value={draft.displayName}
          onChange={type("displayName")}
          error={nameLength > maxDisplayName ? messages.nameTooLong : errors["displayName"]}
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
          error={bioLength > maxBio ? messages.bioTooLong : errors["bio"]}
          aside={`${bioLength}/${maxBio}`}
          dir="auto"
          className="max-h-80"
        />
        <HandleField {...{ state, dispatch, ownId, origin }} />
        <Switch
          name="isListed"
          label="List this page"
          hint={messages.listed}
          checked={draft.isListed}
          onChange={(event) => dispatch({ kind: "switch", name: "isListed", isOn: event.currentTarget.checked })}
        />
      </div>
    </Panel>
  );
}

type DetailsProps = {
  state: ProfileFormState;
  dispatch: (action: ProfileFormAction) => void;
  ownId: string;
  /** Of the public pages: "https://meishi.example". */
  origin: string;
  files: ProfileFiles;
};

function HandleField({ state, dispatch, ownId, origin }: Omit<DetailsProps, "files">) {
  const { draft, errors } = state;
  const afterPointerUp = useAfterPointerUp();
  const checkTyped = ({ currentTarget: input }: React.FocusEvent<HTMLInputElement>) => {
    if (input.value.trim() === "") return;
    const checked = checkHandle(input.value);
    if ("problem" in checked) afterPointerUp(() => dispatch({ kind: "error", name: "handle", text: checked.problem }));
  };
  return (
    <Field
      label="Handle"
      name="handle"
      value={draft.handle}
      onChange={(event) => dispatch({ kind: "text", name: "handle", value: event.currentTarget.value })}
      onBlur={checkTyped}
      error={errors["handle"]}
      hint={
        <AddressHint
          path={profilePath(draft.handle, ownId)}
          origin={origin}
          isSaved={draft.handle === state.saved.handle}
          isChanged={isHandleChanged(state)}
        />
      }
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
    />
  );
}

function AddressHint({ path, origin, isSaved, isChanged }: AddressHintProps) {
  return (
    <>
      {isSaved ? "Your page is at" : "Once you save, your page is at"}{" "}
      <bdi className="text-text">
        {origin.replace(/^https?:\/\//, "")}
        {path}
      </bdi>
      {isChanged && ". The address you had before keeps leading there."}
    </>
  );
}

type AddressHintProps = { path: string; origin: string; isSaved: boolean; isChanged: boolean };

/** The path of the profile with the typed handle, or with the id while the handle is incomplete. */
function profilePath(typed: string, ownId: string): string {
  const handle = typed.trim().toLowerCase();
  return `/u/${/^[a-z0-9][a-z0-9-]{1,28}[a-z0-9]$/.test(handle) ? handle : ownId}`;
}

function isHandleChanged({ draft, saved }: ProfileFormState): boolean {
  return saved.handle !== "" && draft.handle !== saved.handle;
}
