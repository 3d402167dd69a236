import { AvatarField } from "#app/features/profile/files/avatar-field.tsx";
import type { ProfileFiles } from "#app/features/profile/files/profile-files.ts";
import { HandleField } from "#app/features/profile/handle/handle-field.tsx";
import { messages } from "#app/features/profile/messages.ts";
import { countSavedCharacters, maxBio, maxDisplayName, maxTyped, publicName } from "#app/features/profile/rules.ts";
import { Panel } from "#app/ui/components/panel.tsx";
import { Switch } from "#app/ui/forms/checkbox-field.tsx";
import { Field, TextAreaField } from "#app/ui/forms/field.tsx";

import type { ProfileFormAction, ProfileFormState } from "./form-state.ts";

/** Avatar, name, bio and handle. Fields never cut off pasted text; a counter and an error say that it is too long. */
export function DetailsSection({ state, dispatch, ownId, origin, files }: DetailsProps) {
  const { draft, errors } = state;
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
          error={errors["displayName"]}
          limit={{ max: maxDisplayName, count: countSavedCharacters, tooLong: messages.nameTooLong }}
          placeholder="Your name"
          dir="auto"
          autoComplete="off"
        />
        <TextAreaField
          label="Bio"
          name="bio"
          value={draft.bio}
          onChange={type("bio")}
          error={errors["bio"]}
          limit={{ max: maxBio, count: countSavedCharacters, tooLong: messages.bioTooLong, isAlwaysCounted: true }}
          dir="auto"
          className="max-h-80"
        />
        <HandleField
          value={draft.handle}
          saved={state.saved.handle}
          ownId={ownId}
          origin={origin}
          name={draft.displayName}
          error={errors["handle"]}
          onChange={(value) => dispatch({ kind: "text", name: "handle", value })}
        />
        <Switch
          name="isListed"
          label="Show in search results"
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
